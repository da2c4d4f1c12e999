"""The card of one question, drawn from its record alone."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui.ask.pending import pending
from chat_app.ui.ask.record import is_over, record


@rx.memo
def ask_card(*, row: rx.Var[Row], agent: rx.Var[str]) -> rx.Component:
    """Draw the card; a component of its own, so that a problem on the page draws no other row again."""
    return rx.cond((row.status == "pending") & ~is_over(row), pending(row, agent), record(row))
