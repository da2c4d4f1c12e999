"""Text of an answer: Markdown."""

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser


def text(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw the text of a part as Markdown; it grows without drawing the row again."""
    return browser.Prose.create(row=row.key, part=part.key, class_name="prose")
