"""Which version of a line or an answer is shown, and the way to the one before and after it."""

from typing import Any, Final

import reflex as rx

from chat_app.services.rows import Row
from chat_app.state.turns import Turns
from chat_app.ui import browser
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

TURNS: Final[Any] = Turns
"""The acts on turns as Reflex has them: a handler called is an event, a field read is a var."""


def is_free() -> rx.Var[bool]:
    """Return whether nothing is under way, so that a turn may be changed."""
    return (browser.run.status == "idle") | (browser.run.status == "waiting")


def ways(row: rx.Var[Row]) -> rx.Component:
    """Draw the picker of versions, where there are several."""
    count = row.ways.length()
    picker = rx.el.span(
        _step(row, -1, "chevron-left", t("turn.earlier"), row.way <= 0),
        rx.el.span((row.way + 1).to_string(), " / ", count.to_string(), class_name="num"),
        _step(row, 1, "chevron-right", t("turn.later"), row.way >= count - 1),
        class_name="branch",
        role="group",
        aria_label=t("turn.versions", number=(row.way + 1).to_string(), count=count.to_string()),
    )
    return rx.cond(count > 1, picker)


def _step(row: rx.Var[Row], by: int, look: str, label: rx.Var[str], at_end: rx.Var[bool]) -> rx.Component:
    return rx.el.button(
        icon(look, extra="i-flip"),
        type="button",
        class_name="btn btn-icon",
        aria_label=label,
        title=label,
        disabled=at_end | ~is_free(),
        on_click=TURNS.choose(row.ways[row.way + by].to(int)),
    )
