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
    forget = Chat.unqueue(line.id)  # type: ignore[call-arg]
    return rx.el.li(
        rx.el.span(line.text, class_name="grow cut", dir="auto"),
        now,
        icon_button("pencil", t("queue.edit"), on_click=[forget, browser.take_back(line.text)]),
        icon_button("x", t("queue.remove"), on_click=forget),
        key=line.id,
    )
