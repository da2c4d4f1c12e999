"""What is asked when a person writes while a decision is open: answer it first, or give it up and send."""

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.words import t


def steer_dialog() -> rx.Component:
    """Draw the dialog; it opens when a line is sent while the agent waits."""
    answer = rx.el.button(
        t("ask.steer.answer"),
        type="button",
        class_name="btn btn-solid",
        custom_attrs={"data-steer": "answer"},
    )
    send = rx.el.button(
        t("ask.steer.cancel"), type="button", class_name="btn btn-danger", custom_attrs={"data-steer": "send"}
    )
    return browser.Steer.create(
        rx.el.div(rx.el.h2(t("ask.steer.title"), id="steer-title"), class_name="dialog-h"),
        rx.el.div(rx.el.p(t("ask.steer.detail"), id="steer-detail"), class_name="dialog-b"),
        rx.el.div(send, answer, class_name="dialog-f"),
        labelledby="steer-title",
        describedby="steer-detail",
    )
