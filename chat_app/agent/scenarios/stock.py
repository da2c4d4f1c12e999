"""Work that goes on after the answer: the count is started, the chat stays free, a later line asks how far it is.

When the count began stands in the result of the call that began it, so any process can tell how far it is.
"""

import json
from datetime import datetime, timedelta
from typing import Final

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import Notice

START: Final = "start_stock_count"
LOOK: Final = "look_at_stock_count"
SHELVES: Final = 12
PER_SHELF: Final = timedelta(seconds=5)


async def play(turn: Turn) -> None:
    """Start the count and hand the chat back."""
    began = turn.means.now()

    async def start() -> str:
        return compact_json({"began": began.isoformat(), "shelves": SHELVES})

    if not turn.answers_to(START):
        await turn.run_tool(START, {}, start)
    await turn.emit(Notice("The stock count goes on in the background."))
    await turn.say(
        "I count the shelves in the background; it takes about a minute. Ask me how far the count is."
    )


async def play_look(turn: Turn) -> None:
    """Tell how far the count is."""
    began = _began(turn)
    if began is None:
        await turn.say("No count is under way. Ask me to count the stock.")
        return
    counted = min(SHELVES, max(0, (turn.means.now() - began) // PER_SHELF))

    async def look() -> str:
        return compact_json({"counted": counted, "shelves": SHELVES})

    await turn.run_tool(LOOK, {}, look)
    await turn.say(_words(counted))


def _words(counted: int) -> str:
    if counted < SHELVES:
        return f"{counted} of {SHELVES} shelves are counted. We can talk about something else meanwhile."
    return f"The count is done: {SHELVES} shelves, nothing missing but one 5 mm key. It never is where it should be."


def _began(turn: Turn) -> datetime | None:
    """Find the newest count in the history; what is no result of ours counts as none."""
    for call in reversed(turn.conversation.calls):
        if call.name == START and call.answer is not None:
            return _time_in(call.answer)
    return None


def _time_in(answer: str) -> datetime | None:
    try:
        began = datetime.fromisoformat(json.loads(answer)["began"])
    except (ValueError, KeyError, TypeError):
        return None
    return began if began.tzinfo is not None else None


SCENARIO = Scenario(
    id="stock",
    title="Work in the background",
    phrase="Count the stock in the background",
    cue=cue(r"\bcount\b.*\bstock\b|\bstock\b.*\bcount\b|\bbackground\b"),
    play=play,
    shows="A job that outlives its run, and a side remark as CUSTOM",
    dojo="background agents",
)
LOOK_SCENARIO = Scenario(
    id="stock-look",
    title="How far the background work is",
    phrase="How far is the count?",
    cue=cue(r"\bhow far\b"),
    play=play_look,
    shows="A later run that finds the job in the history",
)
