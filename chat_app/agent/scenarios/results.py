"""Results that are more than a line: long JSON, a table, and a picture."""

from typing import Final

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import Turn

ROWS: Final = 300
EXPORT: Final = "export_parts"
LIST: Final = "list_parts"
DRAW: Final = "draw_part"
TOOLS: Final = {
    EXPORT: "Gives all parts as JSON.",
    LIST: "Gives all parts as a table.",
    DRAW: "Gives a picture of a part.",
}
PIXEL: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


async def play(turn: Turn) -> None:
    """Call three tools, one after the other, and say what each gave."""
    await turn.run_tool(EXPORT, {}, _json)
    await turn.run_tool(LIST, {}, _table)
    await turn.run_tool(DRAW, {}, _picture)
    await turn.say(f"There: {ROWS} parts as JSON, the same as a table, and a picture of the hub.")


async def _json() -> str:
    return compact_json(
        {"parts": [{"number": at, "name": f"Part {at}", "stock": at % 7} for at in range(1, ROWS + 1)]}
    )


async def _table() -> str:
    rows = [f"| {at} | Part {at} | {at % 7} |" for at in range(1, ROWS + 1)]
    return "\n".join(["| Number | Name | Stock |", "| --- | --- | --- |", *rows])


async def _picture() -> str:
    return compact_json({"type": "image", "mimeType": "image/png", "data": PIXEL})


SCENARIO = Scenario(
    id="results",
    title="Long results",
    phrase="Export all parts",
    cue=cue(r"\bexport\b|\blong results?\b"),
    play=play,
    shows="Results that are long JSON, a table in Markdown, and a picture",
)
