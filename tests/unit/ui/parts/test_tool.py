"""Every state of a call has an icon and a word."""

from chat_app.ui.parts.tool import LOOKS
from chat_app.ui.words import WORDS

STATES = {"preparing", "running", "waiting", "done", "failed", "denied", "cancelled", "expired"}


def test_every_state_has_a_look():
    assert set(LOOKS) == STATES


def test_every_state_has_a_word():
    assert [state for state in STATES if f"tool.{state}" not in WORDS] == []
