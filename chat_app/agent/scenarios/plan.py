"""Shared state and stages: a small board that fills while the agent works."""

from pydantic import JsonValue

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

STAGES = (
    ("Read the orders", "Read two open orders"),
    ("Check the stand", "Book the repair stand for the morning"),
    ("Set the order", "Wheel first, rack after lunch"),
)
STAGE_TIME = 0.8


async def play(turn: Turn) -> None:
    """Work through the stages, keeping the board up to date, then sum up."""
    for done, (stage, _task) in enumerate(STAGES):
        await turn.set_app_state(board(done))
        async with turn.stage(stage):
            await turn.pause(STAGE_TIME)
    await turn.set_app_state(board(len(STAGES)))
    lines = "\n".join(f"{at}. {task}" for at, (_stage, task) in enumerate(STAGES, start=1))
    await turn.say(f"The workshop day is planned:\n\n{lines}")


def board(done: int) -> JsonValue:
    """Give the board when this many stages are done."""
    return {
        "title": "Workshop day",
        "tasks": [
            {"id": f"task-{at + 1}", "title": task, "done": at < done}
            for at, (_stage, task) in enumerate(STAGES)
        ],
        "steps": [
            {"title": stage, "status": "done" if at < done else "doing" if at == done else "todo"}
            for at, (stage, _task) in enumerate(STAGES)
        ],
    }


SCENARIO = Scenario(
    id="plan",
    title="A plan that fills in as you watch",
    phrase="Plan the workshop day",
    cue=cue(r"\bplan\b"),
    play=play,
    shows="Stages, and state that advances by deltas while they pass",
    dojo="agentic generative UI",
)
