"""A person's line, as it was written."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui import browser
from chat_app.ui.rows.frame import when
from chat_app.ui.words import t


def user(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw what the person said."""
    del agent
    said = rx.foreach(
        row.parts,
        lambda part: browser.Plain.create(row=row.key, part=part.key, class_name="wrapped", key=part.key),
    )
    return rx.el.article(
        rx.el.span(browser.initials(person), class_name="avatar", aria_hidden="true"),
        rx.el.header(rx.el.h2(t("you")), when(row), class_name="turn-head"),
        rx.el.div(said, class_name="said"),
        class_name="turn turn-user",
        aria_label=t("you") + ", " + browser.clock(row.at),
        custom_attrs={"data-row": row.key},
    )
