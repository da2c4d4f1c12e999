"""Several questions of one run: answered one by one, sent together."""

from typing import Final

import reflex as rx

from chat_app.services.rows import Row
from chat_app.state.asking import Asking
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.ask.facts import question
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

# the answer that is held → icon, class of the word
HELD: Final = {
    "approve": ("check", "st st-ok"),
    "edit": ("check", "st st-ok"),
    "reject": ("ban", "st st-danger"),
    "respond": ("check", "st st-ok"),
    "cancel": ("circle-slash", "st"),
}


def progress(row: rx.Var[Row]) -> rx.Component:
    """Draw how many of the questions have an answer."""
    done = rx.el.span(
        t("ask.batch.answered", answered=row.answered, count=row.batch), title=t("ask.batch.wait")
    )
    place = rx.el.span(t("ask.batch.place", place=row.place, count=row.batch), class_name="muted num")
    return rx.fragment(place, done)


def held(row: rx.Var[Row]) -> rx.Component:
    """Draw an answer that is held: one line, and the way to change it."""
    word = choose(row.decision, {code: t(f"ask.held.{code}") for code in HELD}, t("ask.held.cancel"))
    change = rx.el.button(
        t("ask.change"),
        type="button",
        class_name="btn btn-quiet btn-sm",
        custom_attrs={"data-act": "change", "data-opens": ""},
    )
    return rx.el.div(
        icon(choose(row.decision, {code: look[0] for code, look in HELD.items()}, "circle-slash")),
        rx.el.span(question(row), class_name="grow"),
        rx.el.span(
            word, class_name=choose(row.decision, {code: look[1] for code, look in HELD.items()}, "st")
        ),
        change,
        class_name="batch-row ask-held",
    )


def leftover(row: rx.Var[Row]) -> rx.Component:
    """Draw the button that sends all answers under a question that has expired, when that is the last of them."""
    send = rx.el.button(
        t("ask.batch.send", count=row.batch),
        type="button",
        class_name="btn btn-solid",
        disabled=row.answered < row.batch,
        on_click=[Chat.dismiss_problem, Asking.send_answers(row.interrupt_id)],  # type: ignore[call-arg]
    )
    return rx.cond((row.batch > 1) & (row.place == row.batch), rx.el.div(send, class_name="ask-acts"))


def footer(row: rx.Var[Row]) -> rx.Component:
    """Draw the one button that sends all answers, and why it does not yet."""
    left = row.batch - row.answered
    send = rx.el.button(
        t("ask.batch.send", count=row.batch),
        type="button",
        class_name="btn btn-solid",
        disabled=left > 0,
        custom_attrs={"data-act": "send"},
    )
    hint = rx.cond(left > 0, t("ask.batch.left", count=left), t("ask.batch.ready"))
    meter = rx.el.span(
        rx.foreach(
            rx.Var.range(row.batch), lambda place: rx.el.i(class_name=rx.cond(place < row.answered, "on", ""))
        ),
        class_name="meter",
        aria_hidden="true",
    )
    return browser.AskActs.create(
        send,
        rx.el.span(
            meter, rx.el.b(t("ask.batch.answered", answered=row.answered, count=row.batch)), role="status"
        ),
        rx.el.span(hint, class_name="end hint"),
        pane="send",
        class_name="ask-acts ask-send",
    )
