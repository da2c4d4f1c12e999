"""What a run ended with when it did not end well: stopped, interrupted by a restart, or an error."""

from typing import Final

import reflex as rx

from chat_app.services.rows import Row
from chat_app.services.run_codes import RUN_PROBLEMS
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.rows.frame import agent_article
from chat_app.ui.words import match, t

# code → icon and look; any other code is an error
LOOKS: Final = {"CANCELLED": ("circle-stop", "note"), "SERVER_RESTART": ("unplug", "note note-wait")}
ERROR_ICON, ERROR_LOOK = "circle-x", "note note-danger"
# our own kinds of trouble have words of their own; what an agent calls its errors is shown as it is
NAMED: Final = RUN_PROBLEMS


def _look(code: rx.Var[str], field: int, default: str) -> rx.Var[str]:
    return choose(code, {each: look[field] for each, look in LOOKS.items()}, default)


def _known(row: rx.Var[Row], code: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.b(t(f"note.{code}")), " ", t("note.at", time=browser.clock(row.at))),
        rx.el.p(t(f"note.{code}.detail")),
    )


def _error(row: rx.Var[Row]) -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.b(match(row.code, "note", NAMED, "note.error"))),
        rx.el.p(
            rx.cond(row.detail != "", rx.fragment(browser.Visible.create(text=row.detail), " ")),
            rx.cond(row.code != "", rx.fragment(rx.el.span(row.code, class_name="mono"), ", ")),
            rx.el.span(browser.clock_seconds(row.at), class_name="num"),
            ". ",
            t("note.kept"),
        ),
    )


def note(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw how the run ended, what is kept, and the one way on."""
    del person
    retry = rx.el.button(
        icon("rotate-ccw"), t("note.retry"), type="button", class_name="btn btn-sm", on_click=Chat.retry
    )
    return agent_article(
        row,
        agent,
        rx.el.div(
            icon(_look(row.code, 0, ERROR_ICON)),
            rx.match(row.code, *[(code, _known(row, code)) for code in LOOKS], _error(row)),
            rx.cond(row.retry, retry),
            class_name=_look(row.code, 1, ERROR_LOOK),
        ),
    )
