"""What became of a question: the decision, who made it and when, what they changed and said, and what followed."""

from typing import Final

import reflex as rx

from chat_app.services.rows import Row
from chat_app.state.asking import Asking
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.ask.batch import leftover
from chat_app.ui.ask.facts import facts, question, seal
from chat_app.ui.choose import choose
from chat_app.ui.forms.form import diff
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

# outcome → class of the card, icon, word
OUTCOMES: Final = {
    "approve": ("is-done", "circle-check", "ask.approved"),
    "edit": ("is-done", "circle-check", "ask.approved"),
    "reject": ("is-no", "ban", "ask.rejected"),
    "respond": ("is-done", "circle-check", "ask.answered"),
    "cancel": ("is-gone", "circle-slash", "ask.cancelled"),
    "cancelled": ("is-gone", "circle-slash", "ask.cancelled"),
    "expired": ("is-gone", "timer-off", "ask.expired"),
    "superseded": ("is-gone", "circle-slash", "ask.superseded"),
    "withdrawn": ("is-gone", "circle-slash", "ask.withdrawn"),
}


def is_over(row: rx.Var[Row]) -> rx.Var[bool]:
    """Return whether the question can only be given up: it has expired, and its thread still waits."""
    return (row.status == "pending") & (row.actions.length() == 1) & row.actions.contains("cancel")


def record(row: rx.Var[Row]) -> rx.Component:
    """Draw the card as it stays in the history."""
    said = rx.el.p(browser.Visible.create(text=row.note), class_name="quote wrapped")
    expired = _outcome(row) == "expired"
    return rx.el.div(
        _decided(row),
        rx.el.div(
            rx.el.h3(question(row), class_name="ask-q"),
            rx.cond(row.changes.length() > 0, diff(row.changes)),
            facts(row.answer),
            rx.cond(row.changes.length() > 0, _proposal(row), facts(row.arguments)),
            rx.cond(row.note != "", said),
            rx.cond(expired, rx.el.p(t("ask.expired.detail"), class_name="muted")),
            rx.cond(row.owed, rx.el.p(t("ask.owed"), class_name="muted")),
            rx.cond(row.decided_at != "", _trail(row)),
            rx.cond(expired, _again(row)),
            class_name="ask-main",
        ),
        rx.cond(is_over(row), leftover(row)),
        seal(row),
        class_name=rx.Var.create("ask ") + _look(row, 0),
        role="group",
        aria_label=_word(row),
    )


def _outcome(row: rx.Var[Row]) -> rx.Var[str]:
    status = rx.cond(row.status == "answered", row.decision, row.status)
    return rx.cond(row.status == "pending", "expired", status).to(str)


def _look(row: rx.Var[Row], field: int) -> rx.Var[str]:
    looks = {code: look[field] for code, look in OUTCOMES.items()}
    return choose(_outcome(row), looks, OUTCOMES["cancelled"][field])


def _word(row: rx.Var[Row]) -> rx.Var[str]:
    words = {code: t(look[2]) for code, look in OUTCOMES.items()}
    words["edit"] = t("ask.approved_changed", count=row.changes.length())
    return choose(_outcome(row), words, t("ask.cancelled"))


def _decided(row: rx.Var[Row]) -> rx.Component:
    at = rx.el.time(
        browser.clock(row.decided_at),
        date_time=row.decided_at,
        title=browser.exact(row.decided_at),
        class_name="left",
    )
    nobody = rx.el.span(t("ask.expired.by", time=browser.clock(row.expires_at)), class_name="muted")
    return rx.el.div(
        icon(_look(row, 1)),
        rx.el.b(_word(row)),
        rx.cond(row.decided_by != "", rx.el.span(t("ask.by", name=row.decided_by), class_name="muted")),
        rx.cond((_outcome(row) == "expired") & (row.expires_at != ""), nobody),
        rx.cond(row.decided_at != "", at),
        class_name="ask-top",
    )


def _proposal(row: rx.Var[Row]) -> rx.Component:
    """Draw what was proposed, folded: what was approved instead stands above it."""
    return rx.el.details(
        rx.el.summary(t("ask.proposal"), class_name="muted"), facts(row.arguments), class_name="ask-proposal"
    )


def _mark(word: str, time: rx.Var[str]) -> rx.Component:
    step = rx.el.li(icon("check", small=True), t(word, time=browser.clock(time)))
    return rx.cond(time != "", step)


def _trail(row: rx.Var[Row]) -> rx.Component:
    return rx.el.ol(
        _mark("ask.proposed", row.at),
        _mark("ask.decided", row.decided_at),
        _mark("ask.resumed", row.resumed),
        _mark("ask.finished", row.finished),
        class_name="trail",
        aria_label=t("ask.trail"),
    )


def _again(row: rx.Var[Row]) -> rx.Component:
    line = t("ask.again.line", question=rx.cond(row.message != "", row.message, row.tool))
    ask_again = Chat.send({"text": line, "abandon": True})  # type: ignore[call-arg,arg-type]  # a handler, not a method
    button = rx.el.button(
        icon("rotate-ccw"),
        t("ask.again"),
        type="button",
        class_name="btn",
        on_click=[Chat.dismiss_problem, ask_again],
    )
    give_up = rx.el.button(
        t("ask.cancel"),
        type="button",
        class_name="btn btn-quiet",
        on_click=[Chat.dismiss_problem, Asking.give_up(row.interrupt_id)],  # type: ignore[call-arg]
    )
    return rx.el.div(button, rx.cond(row.status == "pending", give_up), class_name="row wrap")
