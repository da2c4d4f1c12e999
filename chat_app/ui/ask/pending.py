"""A question that waits: what it is about, and the ways to answer it.

How the card behaves (armed after 400 ms, locked by the first click, keys, panes) is in `js/ask.jsx`.
"""

import reflex as rx

from chat_app.services.forms import Form
from chat_app.services.rows import Row
from chat_app.state.asking import Asking
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.ask import batch
from chat_app.ui.ask.facts import facts, meta, question, seal
from chat_app.ui.forms import answer_form
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t


def pending(row: rx.Var[Row], agent: rx.Var[str]) -> rx.Component:
    """Draw the open question."""
    is_held = row.decision != ""
    opened = rx.el.div(
        _top(row, agent),
        rx.el.div(
            rx.el.h3(question(row), class_name="ask-q", tab_index=-1, custom_attrs={"data-question": ""}),
            meta(row),
            rx.cond(
                row.endorsed_by != "",
                rx.el.p(
                    icon("user-check"),
                    t("ask.endorsed", names=row.endorsed_by),
                    class_name="row hint",
                    dir="auto",
                ),
            ),
            rx.el.div(facts(row.arguments), class_name="ask-facts"),
            rx.el.p(t("ask.expired.detail"), class_name="muted if-over"),
            class_name="ask-main",
        ),
        class_name="ask-open",
    )
    return browser.Ask.create(
        rx.cond(is_held, batch.held(row)),
        opened,
        _choices(row),
        rx.cond(row.actions.contains("edit"), _edit(row)),
        _reject(row),
        rx.cond(row.form, _respond_by_form(row), _respond_by_text(row)),
        seal(row),
        rx.cond((row.batch > 1) & (row.place == row.batch), batch.footer(row)),
        interrupt=row.interrupt_id,
        expires=row.expires_at,
        problem=Chat.problem.title,
        label=_needed(row),
        starts=rx.cond(row.actions.contains("respond") & row.form, "respond", ""),
        held=row.batch > 1,
        kept=is_held,
        answered=rx.cond(is_held, row.decision + row.decided_at, row.endorsed_at),
        on_decide=[Chat.dismiss_problem, Asking.decide],
        on_fill=Asking.fill,
        on_send=[Chat.dismiss_problem, Asking.send_answers],
    )


def _needed(row: rx.Var[Row]) -> rx.Var[str]:
    return rx.cond(row.actions.contains("approve"), t("ask.decision"), t("ask.answer"))


def _top(row: rx.Var[Row], agent: rx.Var[str]) -> rx.Component:
    left = rx.el.span(
        icon("timer", small=True),
        browser.Countdown.create(until=row.expires_at, since=row.at),
        class_name="left",
    )
    return rx.el.div(
        icon(rx.cond(row.actions.contains("approve"), "hand", "message-circle-question-mark")),
        rx.el.b(_needed(row), class_name="if-open"),
        rx.el.b(t("ask.expired"), class_name="if-over"),
        rx.el.span(t("ask.asks", agent=agent, time=browser.clock(row.at)), class_name="muted"),
        rx.cond(row.batch > 1, batch.progress(row)),
        rx.cond(row.expires_at != "", left),
        class_name="ask-top",
    )


def act_button(  # noqa: PLR0913 - what a button is
    act: str,
    word: rx.Var[str],
    look: rx.Var[str] | str,
    *,
    key: str = "",
    hint: str = "",
    opens: bool = False,
    **more: object,
) -> rx.Component:
    """Draw a button of a card: what it does, its word, and the key that does it too."""
    attrs = {"data-act": act, "data-key": key} | ({"data-opens": ""} if opens else {})
    shown = key.upper() or hint
    return rx.el.button(
        word,
        *([rx.el.kbd(shown, aria_hidden="true")] if shown else []),
        type="button",
        class_name=rx.Var.create("btn ") + look,
        custom_attrs=attrs,
        **more,
    )


def _choice(  # noqa: PLR0913 - what a button is
    row: rx.Var[Row],
    act: str,
    look: rx.Var[str] | str,
    *,
    key: str = "",
    opens: bool = False,
    word: rx.Var[str] | None = None,
) -> rx.Component:
    said = t(f"ask.{act}") if word is None else word
    return rx.cond(row.actions.contains(act), act_button(act, said, look, key=key, opens=opens))


def _with_verb(row: rx.Var[Row], act: str) -> rx.Var[str]:
    """Return the word of an act, with the verb of the question where it is clear: Approve refund."""
    verb = browser.verb(row.message, row.tool)
    return rx.cond(verb != "", t(f"ask.{act}_what", what=verb), t(f"ask.{act}")).to(str)


def _solid(row: rx.Var[Row]) -> rx.Var[str]:
    """Return the look of the first button; in a batch the one solid button is the one that sends."""
    return rx.cond(row.batch > 1, "", "btn-solid").to(str)


def _answer_word(row: rx.Var[Row]) -> rx.Var[str]:
    return rx.cond(row.batch > 1, t("ask.respond"), t("ask.send_answer")).to(str)


def _choices(row: rx.Var[Row]) -> rx.Component:
    return browser.AskActs.create(
        _choice(row, "approve", _solid(row), key="a", word=_with_verb(row, "approve")),
        _choice(row, "respond", "", opens=True),
        _choice(row, "edit", "", key="e", opens=True),
        _choice(row, "reject", "btn-danger", key="r", opens=True),
        _choice(row, "cancel", "btn-quiet"),
        pane="",
        class_name="ask-acts",
    )


def _back() -> rx.Component:
    return act_button("back", t("ask.back"), "btn-quiet", hint="Esc")


def _note(label: rx.Var[str], name: str) -> rx.Component:
    box = rx.el.textarea(class_name="input", rows=2, name=name, dir="auto", custom_attrs={"data-note": ""})
    return rx.el.label(label, box, class_name="field")


def _reject(row: rx.Var[Row]) -> rx.Component:
    return browser.AskActs.create(
        _note(t("ask.why_not"), "reject"),
        act_button("reject", _with_verb(row, "reject"), "btn-danger", hint="Ctrl ↵"),
        _back(),
        pane="reject",
        class_name="ask-acts",
    )


def _respond_by_text(row: rx.Var[Row]) -> rx.Component:
    pane = browser.AskActs.create(
        _note(t("ask.your_answer"), "respond"),
        act_button("respond", _answer_word(row), _solid(row), hint="Ctrl ↵"),
        _back(),
        pane="respond",
        class_name="ask-acts",
    )
    return rx.cond(row.actions.contains("respond"), pane)


def _form(row: rx.Var[Row]) -> rx.Var[Form]:
    return Asking.forms[row.interrupt_id].to(Form)


def _filled(row: rx.Var[Row]) -> rx.Component:
    there = Asking.forms.contains(row.interrupt_id)
    drawn = answer_form(_form(row), row.interrupt_id)
    return rx.cond(there, drawn, rx.el.p(t("form.loading"), class_name="hint"))


def _unready(row: rx.Var[Row], otherwise: rx.Var[str] | str) -> rx.Component:
    form = _form(row)
    words = rx.cond(form.problems > 0, t("ask.fix", count=form.problems), otherwise)
    shown = Asking.forms.contains(row.interrupt_id) & ~form.ready
    return rx.cond(shown, rx.el.span(words, class_name="end hint"))


def _is_ready(row: rx.Var[Row]) -> rx.Var[bool]:
    return Asking.forms.contains(row.interrupt_id) & _form(row).ready


def _respond_by_form(row: rx.Var[Row]) -> rx.Component:
    send = act_button("respond", _answer_word(row), _solid(row), hint="Ctrl ↵", aria_disabled=~_is_ready(row))
    pane = browser.AskActs.create(
        rx.el.div(_filled(row), class_name="ask-main"),
        rx.el.div(
            send, act_button("cancel", t("ask.cancel"), "btn-quiet"), _unready(row, ""), class_name="ask-acts"
        ),
        pane="respond",
        form=True,
        class_name="ask-pane",
    )
    return rx.cond(row.actions.contains("respond"), pane)


def _edit(row: rx.Var[Row]) -> rx.Component:
    changed = _form(row).changes.length()
    approve = act_button(
        "edit",
        rx.cond(_is_ready(row), t("ask.approve_changed", count=changed), t("ask.approve")).to(str),
        _solid(row),
        hint="Ctrl ↵",
        aria_disabled=~_is_ready(row),
    )
    undo = rx.el.button(t("ask.undo"), type="button", class_name="btn", custom_attrs={"data-does": "open"})
    return browser.AskActs.create(
        rx.el.div(_filled(row), _note(t("ask.note"), "edit"), class_name="ask-main"),
        rx.el.div(approve, undo, _back(), _unready(row, t("ask.unchanged")), class_name="ask-acts"),
        rx.cond(_is_ready(row), _new_seal(row)),
        pane="edit",
        form=True,
        class_name="ask-pane",
    )


def _new_seal(row: rx.Var[Row]) -> rx.Component:
    form = _form(row)
    return rx.el.p(
        icon("fingerprint-pattern", small=True),
        rx.el.span(t("ask.new_request")),
        rx.el.code(browser.fingerprint(form.before), title=form.before),
        icon("arrow-right", small=True, extra="i-flip"),
        rx.el.code(browser.fingerprint(form.after), title=form.after),
        class_name="seal",
    )
