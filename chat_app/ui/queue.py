"""The lines that wait for the answer under way: a shelf on top of the message box."""

import reflex as rx

from chat_app.services.rows import Queued
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.words import t


def queue() -> rx.Component:
    """Draw the lines that wait, the next one first; each can be sent at once, changed or forgotten."""
    count = browser.run.queued.length()
    idle = browser.run.status == "idle"
    head = rx.el.div(
        icon("list-checks", small=True),
        rx.el.span(rx.cond(idle, t("queue.held", count=count), t("queue.waits", count=count))),
        class_name="queue-h",
        role="status",
    )
    lines = rx.el.ul(rx.foreach(browser.run.queued, _line), aria_label=t("queue.label"))
    return rx.cond(count > 0, rx.el.div(head, lines, class_name="queue"))


def _line(line: rx.Var[Queued]) -> rx.Component:
    now = rx.el.button(
        t("queue.now"),
        type="button",
        class_name="btn btn-quiet btn-sm",
        on_click=Chat.send_now(line.id),  # type: ignore[call-arg]  # Reflex hands in the self
    )
    shown = browser.Panes.create(
        rx.el.span(line.text, class_name="grow cut", dir="auto"),
        rx.cond(line.shut, rx.el.span(t("queue.shut"), class_name="err"), now),
        browser.Opener.create(icon("pencil"), name="edit", label=t("queue.edit")),
        icon_button("x", t("queue.remove"), on_click=Chat.unqueue(line.id)),  # type: ignore[call-arg]
        browser.Pane.create(_edit(line), name="edit", class_name="grow"),
        class_name="queued",
    )
    return rx.el.li(shown, key=line.id)


def _edit(line: rx.Var[Queued]) -> rx.Component:
    return browser.Writing.create(
        initial=line.text,
        label=t("queue.edit.label"),
        send=t("queue.edit.save"),
        cancel=t("turn.cancel"),
        kept=True,
        on_send=lambda text: Chat.requeue(line.id, text),  # type: ignore[call-arg]
    )
