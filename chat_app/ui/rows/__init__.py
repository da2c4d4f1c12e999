"""One module per kind of row, listed in `ROWS`; a kind nobody knows is drawn as the fallback row.

A row is a pure function of its record and of the names of the person and the agent. Add a kind: a file here,
a line in `ROWS`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui import browser
from chat_app.ui.rows.approval import approval
from chat_app.ui.rows.fallback import fallback
from chat_app.ui.rows.lane import lane
from chat_app.ui.rows.note import note
from chat_app.ui.rows.turn import turn
from chat_app.ui.rows.user import user

RowView = Callable[[rx.Var[Row], rx.Var[str], rx.Var[str]], rx.Component]

ROWS: Final[Mapping[str, RowView]] = {
    "user": user,
    "turn": turn,
    "lane": lane,
    "approval": approval,
    "note": note,
}

_added: dict[str, RowView] = {}


def views() -> Mapping[str, RowView]:
    """Return every view of a row: `ROWS`, and those that packages outside this repository have added."""
    return MappingProxyType({**ROWS, **_added})


def add(kind: str, view: RowView) -> None:
    """Draw rows of this kind with this view; called before the page is built.

    Raises:
        ValueError: the kind has a view already.
    """
    if kind in views():
        raise ValueError(f"rows of kind {kind!r} have a view already")
    _added[kind] = view


@rx.memo
def row_view(
    rest: rx.RestProp, *, row: rx.Var[Row], day: rx.Var[str], person: rx.Var[str], agent: rx.Var[str]
) -> rx.Component:
    """Draw one row, under the day it begins; drawn again only when its record changed."""
    drawn = [(kind, view(row, person, agent)) for kind, view in views().items()]
    return rx.fragment(
        rx.cond(day != "", rx.el.div(rx.el.span(browser.day(day)), class_name="day")),
        rx.match(row.kind, *drawn, fallback(row, person, agent)),
        rest,
    )
