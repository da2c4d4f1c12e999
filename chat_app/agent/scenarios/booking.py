"""A question with a form: the run ends on it, and the filled-in form is the answer."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from chat_app.agent.forms import Dropped, Form, form_answer, form_question
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import TurnPaused

DAYS: Final = 4


class Slot(BaseModel):
    """When and what to repair. The day is text, since which days are free depends on when one asks."""

    model_config = ConfigDict(strict=True, extra="forbid")

    day: str = Field(title="Day", pattern=r"^\d{4}-\d{2}-\d{2}$")
    work: Literal["Check-up", "Wheel truing", "New chain"] = Field(title="What to do")
    ring: bool = Field(default=False, title="Ring me before you start")
    note: str = Field(default="", title="Anything we should know", max_length=500)


FORM: Final = Form("repair-slot", Slot)


async def play(turn: Turn) -> TurnPaused | None:
    """Ask for the form, or book what it says."""
    match await form_answer(turn, FORM):
        case Slot() as slot:
            await turn.say(_confirmation(slot))
            return None
        case Dropped():
            await turn.say("Then I book nothing. The stand stays free for whoever comes next.")
            return None
        case _:
            await turn.say("Happy to. I only need to know when and what.")
            question = form_question(turn, FORM, "Book a repair slot", schema=schema(turn.means.now().date()))
            return TurnPaused((question,))


def schema(today: date) -> Mapping[str, JsonValue]:
    """Describe the form, offering the next days as they are today."""
    described = Slot.model_json_schema()
    days = [(today + timedelta(days=ahead)).isoformat() for ahead in range(1, DAYS + 1)]
    day = {"type": "string", "title": "Day", "enum": days, "default": days[0]}
    return {**described, "properties": {**described["properties"], "day": day}}


def _confirmation(slot: Slot) -> str:
    ring = "\n- We ring you before we start." if slot.ring else ""
    note = f"\n- You said: “{slot.note}”." if slot.note else ""
    return f"Booked: **{slot.work.lower()}** on **{slot.day}**, first thing in the morning.\n{ring}{note}".rstrip()


SCENARIO = Scenario(
    id="booking",
    title="A question with a form",
    phrase="Book a repair slot",
    cue=cue(r"\bbook\b"),
    play=play,
    shows="A run that ends with an interrupt for input, its form described by a JSON Schema",
    dojo="interrupt",
)
