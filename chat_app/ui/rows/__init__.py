"""One module per kind of row, listed in `ROWS`; a kind nobody knows is drawn as the fallback row.

A row is a pure function of its record and of the names of the person and the agent. Add a kind: a file here,
a line in `ROWS`.
"""

from collections.abc import Callable, Mapping
from typing import Final

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui import browser
from chat_app.ui.rows.approval import approval
from chat_app.ui.rows.fallback import fallback
from chat_app.ui.rows.note import note
from chat_app.ui.rows.turn import turn
from chat_app.ui.rows.user import user

RowView = Callable[[rx.Var[Row], rx.Var[str], rx.Var[str]], rx.Component]

ROWS: Final[Mapping[str, RowView]] = {
    "user": user,
    "turn": turn,
    "approval": approval,
    "note": note,
}


@rx.memo
def row_view(
    rest: rx.RestProp, *, row: rx.Var[Row], day: rx.Var[str], person: rx.Var[str], agent: rx.Var[str]
) -> rx.Component:
    """Draw one row, under the day it begins; drawn again only when its record changed."""
    views = [(kind, view(row, person, agent)) for kind, view in ROWS.items()]
    return rx.fragment(
        rx.cond(day != "", rx.el.div(rx.el.span(browser.day(day)), class_name="day")),
        rx.match(row.kind, *views, fallback(row, person, agent)),
        rest,
    )
