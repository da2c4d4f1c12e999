"""The chat page: the same for a new chat and for a thread; its address says which."""

from typing import Final

import reflex as rx

from chat_app.ui.shell import shell
from chat_app.ui.transcript import Suggestion

# Phrases the embedded demo agent understands; any other agent takes them as ordinary questions.
SUGGESTIONS: Final = (
    Suggestion("A long answer", "Explain how tides work, with a table and code."),
    Suggestion("A tool that waits for approval", "Refund order 48213."),
    Suggestion("Look something up", "What is the weather in Bergen?"),
    Suggestion("When things fail", "Fail on purpose."),
)


def chat() -> rx.Component:
    """Draw the chat page."""
    return shell(SUGGESTIONS)
