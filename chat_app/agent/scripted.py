"""The mind of the demo agent: it reads the person's line and plays the scenario that the line asks for."""

import re
from typing import Final

from chat_app.agent.approvals import settle
from chat_app.agent.conversation import Conversation
from chat_app.agent.scenario import Scenario, choose
from chat_app.agent.scenarios import GATED_TOOLS, PICTURE, SCENARIOS, TALK
from chat_app.agent.turn import MODEL, Turn
from chat_app.agent.turn_events import TurnEnd
from chat_app.agent.work import Play, Work

_PACES: Final = (
    (re.compile(r"\bat once\b", re.IGNORECASE), 0.0),
    (re.compile(r"\bquickly\b", re.IGNORECASE), 0.2),
    (re.compile(r"\bslowly\b", re.IGNORECASE), 3.0),
)


def scripted(conversation: Conversation) -> Work:
    """Plan the turn that the person's last line asks for."""
    line = conversation.last_line
    default = PICTURE if conversation.attachments else TALK
    scenario = choose(line, SCENARIOS, default=default)
    return Work(
        play=_settling(scenario) if scenario.starts else scenario.play,
        model=MODEL,
        starts=scenario.starts,
        pace=pace_wish(line),
    )


def pace_wish(line: str) -> float:
    """Give the factor by which the line asks for longer or shorter pauses."""
    return next((factor for words, factor in _PACES if words.search(line)), 1.0)


def _settling(scenario: Scenario) -> Play:
    """Carry out the decisions that came along before the scenario plays; ask again for those that did not."""

    async def play(turn: Turn) -> TurnEnd | None:
        return await settle(turn, GATED_TOOLS) or await scenario.play(turn)

    return play
