"""The chat page: the same for a new chat and for a thread; its address says which."""

import reflex as rx

from chat_app.ui.shell import shell


def chat() -> rx.Component:
    """Draw the chat page."""
    return shell()
