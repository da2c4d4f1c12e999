"""An activity, or any other kind of part without a view: its raw name and its content, never nothing."""

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t


def activity(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw a neutral card."""
    summary = rx.el.summary(
        rx.el.span(icon("braces"), class_name="node"),
        rx.el.span(t("activity"), class_name="name"),
        rx.el.bdi(rx.cond(part.name != "", part.name, part.kind), class_name="raw"),
        rx.el.span(t("activity.unknown"), class_name="sum cut"),
        icon("chevron-right", small=True, extra="chev i-flip"),
    )
    content = browser.Arguments.create(row=row.key, part=part.key, live=False)
    body = rx.el.div(rx.el.div(content, class_name="part"), class_name="step-body")
    return browser.Step.create(summary, body, name=f"{row.key}/{part.key}")
