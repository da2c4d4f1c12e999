"""Failures on request: in mid-answer, from a bug, and before the run begins."""

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn, TurnFailed


async def play(turn: Turn) -> None:
    """Begin an answer and fail inside it."""
    async with turn.message() as message:
        await message.stream("I asked the stock system, and here is what it says so far: the wheel is ")
        raise TurnFailed("The stock system stopped answering.", code="UPSTREAM_FAILED")


async def play_crash(turn: Turn) -> None:
    """Begin a tool call and stumble over a bug of our own."""
    async with turn.tool_call("look_up_order") as call:
        await call.text('{"order":')
        raise ZeroDivisionError("a bug, on purpose")


async def play_before(_turn: Turn) -> None:
    """Fail before anything was said."""
    raise TurnFailed("The agent has no model to work with at the moment.", code="UNAVAILABLE")


SCENARIO = Scenario(
    id="fail",
    title="An answer that fails half-way",
    phrase="Fail in the middle of an answer",
    cue=cue(r"\bfail\b"),
    play=play,
    shows="Text that stays, closed, and then RUN_ERROR",
    dojo="error flow",
)
CRASH = Scenario(
    id="crash",
    title="A bug in the agent",
    phrase="Crash",
    cue=cue(r"\bcrash\b"),
    play=play_crash,
    shows="A call cut off in its arguments, closed, and RUN_ERROR without a word of the cause",
)
BEFORE = Scenario(
    id="fail-before",
    title="A run that fails before it starts",
    phrase="Fail before you start",
    cue=cue(r"\bfail before\b"),
    play=play_before,
    shows="RUN_ERROR as the only event",
    starts=False,
)
