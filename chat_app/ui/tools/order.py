"""An order that was looked up: what it is, and where."""

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.words import t


def order(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw the order in one line once it was found."""
    del row
    status, item, place = (browser.member(part.result, name) for name in ("status", "item", "place"))
    line = rx.el.div(
        rx.el.span(rx.el.b(item), " ", rx.el.span(status, class_name="tag")),
        rx.cond(place != "", rx.el.span(t("tool.order.place", place=place), class_name="muted")),
        class_name="part row wrap",
        dir="auto",
    )
    return rx.cond((part.status == "done") & (item != "") & (status != ""), line)
