"""A person's line, as it was written, with its versions and the way to a new one."""

import reflex as rx

from chat_app.services.rows import Row
from chat_app.ui import browser
from chat_app.ui.files import file_part
from chat_app.ui.parts.base import icon
from chat_app.ui.rows.frame import when
from chat_app.ui.rows.ways import TURNS, is_free, ways
from chat_app.ui.words import t


def user(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw what the person said."""
    del agent
    said = rx.foreach(
        row.parts,
        lambda part: rx.cond(
            part.kind == "file",
            file_part(part),
            browser.Plain.create(row=row.key, part=part.key, class_name="wrapped", key=part.key),
        ),
    )
    return browser.Panes.create(
        rx.el.span(browser.initials(person), class_name="avatar", aria_hidden="true"),
        rx.el.header(rx.el.h2(t("you")), when(row), ways(row), _acts(row), class_name="turn-head"),
        rx.el.div(said, class_name="said"),
        browser.Pane.create(_edit(row), name="edit"),
        class_name="turn turn-user",
        aria_label=t("you") + ", " + browser.clock(row.at),
        custom_attrs={"data-row": row.key},
    )


def _acts(row: rx.Var[Row]) -> rx.Component:
    return rx.el.div(
        rx.cond(is_free(), browser.Opener.create(icon("pencil"), name="edit", label=t("turn.edit"))),
        browser.CopyLine.create(row=row.key, label=t("turn.copy.line")),
        class_name="acts",
    )


def _edit(row: rx.Var[Row]) -> rx.Component:
    return browser.Writing.create(
        row=row.key,
        label=t("turn.edit.label"),
        send=t("turn.edit.send"),
        cancel=t("turn.cancel"),
        on_send=lambda text: TURNS.edit(row.key, text),
    )
