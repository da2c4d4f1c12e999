"""The chat page: the same for a new chat and for a thread; its address says which."""

import reflex as rx

from chat_app.ui.shell import shell
from chat_app.ui.transcript import no_such_thread


def chat() -> rx.Component:
    """Draw the chat page."""
    return shell()


def nowhere() -> rx.Component:
    """Draw what an address without a page shows: words, and a way back."""
    return rx.el.main(no_such_thread(), class_name="main")
