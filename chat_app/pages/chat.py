"""The chat page: the same for a new chat and for a thread; its address says which."""

from typing import Final

import reflex as rx

from chat_app.ui.shell import shell
from chat_app.ui.transcript import Suggestion

# Lines the embedded agent plays something for; any other agent takes them as ordinary questions
SUGGESTIONS: Final = (
    Suggestion("Where an order is", "Where is order T-1077?"),
    Suggestion("An action that needs your yes", "Refund order T-1042"),
    Suggestion("Thinking first", "Think about why order T-1042 arrived damaged"),
    Suggestion("A long answer", "Write a guide to packing a bicycle for a flight"),
)


def chat() -> rx.Component:
    """Draw the chat page."""
    return shell(SUGGESTIONS)
