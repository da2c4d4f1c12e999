"""The custom events of a run that Parley does not know: one collapsed line, never nothing."""

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t


def customs(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw how many there were and their names; inside, what they said."""
    summary = rx.el.summary(
        rx.el.span(icon("braces"), class_name="node"),
        rx.el.span(t("customs", count=part.result.to(int)), class_name="name"),
        rx.el.bdi(part.name, class_name="raw"),
        rx.el.span(t("customs.unknown"), class_name="sum cut"),
        icon("chevron-right", small=True, extra="chev i-flip"),
    )
    said = rx.el.div(browser.Pretty.create(row=row.key, part=part.key), class_name="part")
    return browser.Step.create(summary, rx.el.div(said, class_name="step-body"), name=f"{row.key}/{part.key}")
