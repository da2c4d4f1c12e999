"""A subgraph that stops to ask: a subagent within a subagent, suspended with the run and taken up again."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from chat_app.agent.delegate import Delegate, delegate
from chat_app.agent.forms import Dropped, Form, form_answer, form_question
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn, TurnFailed
from chat_app.agent.turn_events import Question, TurnPaused

SUBAGENTS: Final = {
    "travel desk": "Plans the trip",
    "trains": "Finds a seat",
    "hotels": "Finds a bed",
}
TRAINS: Final = ("06:12, direct", "08:40, one change", "10:05, direct, room for bicycles")


class Seat(BaseModel):
    """Which train to take."""

    model_config = ConfigDict(strict=True, extra="forbid")

    train: Literal["06:12, direct", "08:40, one change", "10:05, direct, room for bicycles"] = Field(
        title="Train"
    )


FORM: Final = Form("train", Seat)


async def play(turn: Turn) -> TurnPaused | None:
    """Have the trip planned: the trains need a choice, the bed does not."""
    chosen = await form_answer(turn, FORM)
    questions: list[Question] = []
    # The invocations are named by the thread, so that what was suspended goes on under its own id.
    key = turn.conversation.thread_id
    async with delegate(
        turn, "travel desk", description=SUBAGENTS["travel desk"], subagent_id=f"{key}:travel"
    ) as desk:
        async with delegate(
            desk, "trains", description=SUBAGENTS["trains"], subagent_id=f"{key}:trains"
        ) as trains:
            questions += await _find_seat(trains, chosen)
        desk.waits = bool(questions)
        if not questions:
            await _find_bed(desk)
    if questions:
        return TurnPaused(tuple(questions))
    await turn.say(_plan(chosen))
    return None


async def _find_seat(trains: Delegate, chosen: Seat | Dropped | None) -> list[Question]:
    if chosen is None:
        await trains.say("Three trains go to the fair on Friday.")
        trains.waits = True
        return [form_question(trains, FORM, "Which train to the fair?", subagent_id=trains.id)]
    if isinstance(chosen, Dropped):
        raise TurnFailed("No train was chosen.", code="NO_TRAIN")
    async with trains.stage("Reserve the seat"):
        await trains.say(f"A seat on the {chosen.train} train is reserved.")
    return []


async def _find_bed(desk: Delegate) -> None:
    async with delegate(desk, "hotels", description=SUBAGENTS["hotels"]) as hotels:
        await hotels.say("A room with space for a bicycle, two streets from the fair.")


def _plan(chosen: Seat | Dropped | None) -> str:
    train = chosen.train if isinstance(chosen, Seat) else "none; you find your own way"
    return f"Your trip to the bicycle fair:\n\n1. Train: {train}\n2. Bed: two streets from the fair"


SCENARIO = Scenario(
    id="trip",
    title="A trip planned by a team",
    phrase="Plan a trip to the bicycle fair",
    cue=cue(r"\btrip\b"),
    play=play,
    shows="Subagents within a subagent; one asks, is suspended with the run and goes on in the next",
    dojo="subgraphs",
)
