"""The chat page: the same for a new chat and for a thread; its address says which."""

from typing import Final

import reflex as rx

from chat_app.ui.shell import shell
from chat_app.ui.transcript import Suggestion
from chat_app.wiring import suggestions

# Lines the embedded agent plays something for; any other agent takes them as ordinary questions
SUGGESTIONS: Final = tuple(Suggestion(title, line) for title, line in suggestions())


def chat() -> rx.Component:
    """Draw the chat page."""
    return shell(SUGGESTIONS)
