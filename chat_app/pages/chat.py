"""The chat page: the same for a new chat and for a thread; its address says which."""

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.shell import shell
from chat_app.ui.transcript import no_such_thread
from chat_app.ui.words import t


def chat() -> rx.Component:
    """Draw the chat page."""
    return browser.Speaking.create(chat_page())


def nowhere() -> rx.Component:
    """Draw what an address without a page shows: words, and a way back."""
    return browser.Speaking.create(no_page())


# Components of their own, because words are looked up where a component is drawn: see `Speaking`.


@rx.memo
def chat_page() -> rx.Component:
    """Draw everything of the chat page."""
    return shell()


@rx.memo
def no_page() -> rx.Component:
    """Draw everything of an address without a page."""
    return rx.el.main(rx.el.h1(t("gone.bar"), class_name="sr"), no_such_thread(), class_name="main")
