"""A link a person has to follow elsewhere, to give consent, before the agent can go on."""

import hashlib
from typing import Final
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field

from chat_app.agent.forms import Dropped, Form, form_answer, form_question
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import Signal, TurnPaused

ADDRESS: Final = "https://accounts.example.com/authorize"
SIGNAL: Final = "oauth_consent"


class Consent(BaseModel):
    """What comes back: that the person has been there, and what the other side handed out."""

    model_config = ConfigDict(strict=True, extra="forbid")

    granted: bool = Field(title="I have given my consent there")
    code: str = Field(default="", title="Code shown there, if there was one", max_length=200)


FORM: Final = Form("calendar-consent", Consent)


async def play(turn: Turn) -> TurnPaused | None:
    """Ask for consent by a link, or say what came of it."""
    match await form_answer(turn, FORM):
        case Consent(granted=True):
            await turn.say("Thank you, I can read your calendar now: Tuesday from ten is free.")
            return None
        case Consent() | Dropped():
            await turn.say("Without your consent I leave the calendar alone.")
            return None
        case _:
            return await _ask(turn)


async def _ask(turn: Turn) -> TurnPaused:
    link = consent_link(turn.conversation.thread_id)
    await turn.emit(
        Signal(SIGNAL, {"url": link, "provider": "Example Calendar", "scopes": ["calendar.read"]})
    )
    await turn.say(f"To see when you are free I need your consent: [open Example Calendar]({link}).")
    return TurnPaused((form_question(turn, FORM, "Give consent at Example Calendar, then come back here."),))


def consent_link(thread_id: str) -> str:
    """Give the link; what it carries back names the conversation without telling its id."""
    state = hashlib.sha256(thread_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{ADDRESS}?{urlencode({'client_id': 'parley-demo', 'scope': 'calendar.read', 'state': state})}"


SCENARIO = Scenario(
    id="calendar",
    title="Consent elsewhere",
    phrase="Connect my calendar",
    cue=cue(r"\bcalendar\b|\bconsent\b|\boauth\b"),
    play=play,
    shows="A link for consent as CUSTOM and in the text, and an interrupt that waits for it",
)
