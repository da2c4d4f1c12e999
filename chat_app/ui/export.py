"""The dialog that takes a thread out of Parley: as a file of three kinds, or on paper."""

from typing import Final

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.words import t

KINDS: Final = ("markdown", "json", "events")


def export_dialog() -> rx.Component:
    """Draw the dialog with one link a kind; the server gives a file only to who may read the thread."""
    return browser.Dialog.create(
        rx.el.div(
            rx.el.h2(t("export.title")),
            rx.el.p(t("export.detail"), class_name="muted"),
            class_name="dialog-h",
        ),
        rx.el.div(*map(_kind, KINDS), class_name="dialog-b"),
        rx.el.div(
            rx.el.button(t("export.print"), type="button", class_name="btn", on_click=browser.print_thread()),
            rx.el.button(t("dialog.close"), type="button", class_name="btn", on_click=browser.hide_dialog()),
            class_name="dialog-f",
        ),
        name="export",
        label=t("export.title"),
    )


def _kind(kind: str) -> rx.Component:
    return rx.el.a(
        rx.el.b(t(f"export.{kind}")),
        rx.el.span(t(f"export.{kind}.detail"), class_name="muted"),
        href=rx.Var.create("/api/threads/") + browser.thread + f"/export/{kind}",
        target="_top",  # a file, not a page of this application
        download="",
        class_name="offer",
    )
