"""Reasoning: its last two lines while live, then one line that folds open. Never copied with the answer."""

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t


def reasoning(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw what the agent thought."""
    thought = t("reasoning.done", time=browser.whole_seconds(part.started, part.ended))
    summary = rx.el.summary(
        rx.el.span(icon("brain"), class_name=rx.cond(part.streaming, "node live", "node")),
        rx.el.span(rx.cond(part.streaming, t("reasoning.live"), thought), class_name="name plain muted"),
        icon("chevron-right", small=True, extra="chev i-flip"),
        rx.el.span(class_name="grow"),
    )
    body = browser.Prose.create(row=row.key, part=part.key, class_name="thought")
    folded = browser.Step.create(summary, body, name=f"{row.key}/{part.key}", class_name="step-flat")
    preview = rx.el.div(
        browser.Prose.create(row=row.key, part=part.key, class_name="thought"),
        class_name="peek",
        aria_hidden="true",
    )
    return rx.el.div(folded, rx.cond(part.streaming, preview), class_name="reasoning")
