"""A row of a kind this page does not know: its name and its parts, never nothing."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui.parts.activity import activity
from chat_app.ui.parts.base import icon
from chat_app.ui.rows.frame import agent_article
from chat_app.ui.words import t


def fallback(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw a neutral card for the row."""
    del person
    line = rx.el.div(
        icon("braces"),
        rx.el.div(rx.el.b(t("activity")), " ", rx.el.bdi(row.kind, class_name="raw")),
        class_name="note",
    )
    parts = rx.foreach(row.parts, lambda part: rx.fragment(activity(row, part), key=part.key))
    return agent_article(row, agent, line, rx.el.div(parts, class_name="parts"))
