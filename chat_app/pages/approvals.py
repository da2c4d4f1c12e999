"""The page of the inbox of open decisions."""

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.inbox import inbox


def approvals() -> rx.Component:
    """Draw the inbox."""
    return browser.Speaking.create(approvals_page())


@rx.memo
def approvals_page() -> rx.Component:
    """Draw everything of the inbox; a component of its own, because words are looked up where it is drawn."""
    return inbox()
