"""The frame of everything an agent does: hung on its line, under its name when it begins a turn."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui import browser
from chat_app.ui.parts.base import agent_face
from chat_app.ui.rows.ways import ways


def when(row: rx.Var[Row]) -> rx.Component:
    """Draw the time of a row; the exact one is its tooltip."""
    return rx.el.time(browser.clock(row.at), date_time=row.at, title=browser.exact(row.at))


def agent_article(
    row: rx.Var[Row], agent: rx.Var[str], *children: rx.Component, extra: str = ""
) -> rx.Component:
    """Draw `children` as a piece of the agent's turn."""
    head = rx.fragment(
        agent_face(), rx.el.header(rx.el.h2(agent), when(row), ways(row), class_name="turn-head")
    )
    return browser.Panes.create(
        rx.cond(row.head, head, ways(row)),
        *children,
        class_name=rx.cond(row.head, f"turn turn-agent {extra}", f"turn turn-agent turn-next {extra}"),
        aria_label=agent + ", " + browser.clock(row.at),
        custom_attrs={"data-row": row.key},
    )
