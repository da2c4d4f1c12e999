"""Several agents at once: two experts think and speak interleaved, and the agent sums up."""

from collections.abc import Sequence
from itertools import zip_longest

from chat_app.agent.delegate import Delegate, delegate
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import WORD_PAUSE, Turn, pieces

SUBAGENTS = {"mechanic": "Looks at the wheel", "carrier": "Looks at the transport"}
MECHANIC = (
    "Two spokes on the drive side, both at the bend. The rim is fine. An hour of work, and the wheel is as it "
    "was. I would not ride it before."
)
CARRIER = (
    "The box was scanned lying flat in the sorting centre, twice. A claim needs a picture of the label and of "
    "the spokes within seven days. We have both."
)
SUMMARY = (
    "They agree on the cause and divide the work:\n\n- the **mechanic** replaces two spokes, one hour\n"
    "- the **carrier** accepts the claim with the pictures we have"
)


async def play(turn: Turn) -> None:
    """Ask both, let them talk at the same time, and say what follows."""
    await turn.say("I ask the two who should know.")
    async with (
        delegate(turn, "mechanic", description=SUBAGENTS["mechanic"]) as mechanic,
        delegate(turn, "carrier", description=SUBAGENTS["carrier"]) as carrier,
    ):
        await mechanic.run_tool("inspect", {"order": "T-1042"}, lambda: _give({"broken": 2, "rim": "true"}))
        await carrier.run_tool("trace", {"order": "T-1042"}, lambda: _give({"scans": 5, "flat": 2}))
        await speak_together([mechanic, carrier], [MECHANIC, CARRIER])
    await turn.say(SUMMARY)


async def speak_together(speakers: Sequence[Delegate], texts: Sequence[str]) -> None:
    """Have speakers write their texts at once, word by word in turn."""
    first, second = speakers
    async with first.message() as here, second.message() as there:
        for ours, theirs in zip_longest(*(pieces(text) for text in texts), fillvalue=""):
            await here.text(ours)
            await there.text(theirs)
            await first.pause(WORD_PAUSE)


async def _give(result: dict[str, int | str]) -> str:
    return compact_json(dict(result))


SCENARIO = Scenario(
    id="experts",
    title="Two experts at once",
    phrase="Ask the mechanic and the carrier",
    cue=cue(r"\bmechanic\b|\bcarrier\b|\bexperts?\b"),
    play=play,
    shows="Two subagents in parallel, their text and calls interleaved and tagged",
    dojo="several agents",
)
