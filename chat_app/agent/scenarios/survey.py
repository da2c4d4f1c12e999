"""Several questions at once, of every type a form can have: they are answered together, in one next run."""

from datetime import date
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from chat_app.agent.forms import Form, form_answer, form_question
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import TurnPaused


class Visit(BaseModel):
    """When and how many."""

    model_config = ConfigDict(extra="forbid")

    day: date = Field(title="Day")
    people: int = Field(title="How many people", ge=1, le=12)
    budget: float = Field(default=50.0, title="Budget in EUR", ge=0)


class Wishes(BaseModel):
    """What is wanted."""

    model_config = ConfigDict(strict=True, extra="forbid")

    pace: Literal["Easy", "Brisk", "Race"] = Field(title="Pace")
    stops: list[Literal["Mill", "Lake", "Café"]] = Field(title="Where to stop", min_length=1)
    lunch: bool = Field(default=True, title="Lunch on the way")


class Contact(BaseModel):
    """How to reach who asks."""

    model_config = ConfigDict(strict=True, extra="forbid")

    mail: str = Field(title="E-mail", json_schema_extra={"format": "email"}, pattern=r"^\S+@\S+$")
    note: str | None = Field(default=None, title="Anything else", max_length=500)


VISIT: Final = Form("visit", Visit)
WISHES: Final = Form("wishes", Wishes)
CONTACT: Final = Form("contact", Contact)


async def play(turn: Turn) -> TurnPaused | None:
    """Ask all three, or plan the tour once all are answered."""
    visit = await form_answer(turn, VISIT)
    wishes, contact = await form_answer(turn, WISHES), await form_answer(turn, CONTACT)
    if visit is None or wishes is None or contact is None:
        return await _ask(turn)
    if isinstance(visit, Visit) and isinstance(wishes, Wishes) and isinstance(contact, Contact):
        await turn.say(_plan(visit, wishes, contact))
    else:
        await turn.say("One of the questions was dropped, so I plan nothing.")
    return None


async def _ask(turn: Turn) -> TurnPaused:
    await turn.say("A guided tour needs three short answers.")
    return TurnPaused(
        (
            form_question(turn, VISIT, "When do you come, and how many of you?"),
            form_question(turn, WISHES, "What would you like?"),
            form_question(turn, CONTACT, "How do we reach you?"),
        )
    )


def _plan(visit: Visit, wishes: Wishes, contact: Contact) -> str:
    lunch = "with lunch" if wishes.lunch else "without lunch"
    return (
        f"Planned: a tour for **{visit.people}** on **{visit.day.isoformat()}**, {wishes.pace.lower()} and {lunch}, "
        f"by way of {', '.join(wishes.stops)}, for at most {visit.budget:g} EUR. I write to {contact.mail}."
    )


SCENARIO = Scenario(
    id="survey",
    title="Several questions at once",
    phrase="Plan a guided tour",
    cue=cue(r"\bguided tour\b|\bseveral questions\b"),
    play=play,
    shows="A run that ends with three interrupts, with fields of every type; one resume answers all",
)
