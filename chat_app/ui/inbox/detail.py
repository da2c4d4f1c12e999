"""The question that is open: the same card as in the chat, what was said before it, and who decides."""

from typing import Final

import reflex as rx

from chat_app.services.inbox import Opened, Said
from chat_app.state.inbox import Inbox
from chat_app.ui import browser
from chat_app.ui.ask import ask_card
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

DECIDERS: Final = ("requester", "role", "other", "two", "nobody")


def detail() -> rx.Component:
    """Draw what is open, or what to do where nothing is."""
    opened = browser.inbox.opened
    none = rx.cond(browser.wanted.open != "", t("inbox.gone"), t("inbox.choose"))
    return rx.el.div(
        rx.el.h2(t("inbox.decision"), class_name="sr"),
        rx.cond(
            opened.id != "",
            rx.fragment(_card(opened), _before(opened), _deciders(opened)),
            rx.cond(browser.inbox.ready, rx.el.p(none, class_name="muted")),
        ),
        class_name="detail",
        id="decision",
        role="region",
        aria_label=t("inbox.decision"),
        tab_index=-1,
    )


def _card(opened: rx.Var[Opened]) -> rx.Component:
    # a card of its own for each question: what was typed or armed for one must not count for the next
    return rx.el.div(ask_card(row=opened.row, agent=opened.agent, key=opened.id))


def _before(opened: rx.Var[Opened]) -> rx.Component:
    link = browser.Link.create(
        icon("external-link", small=True),
        t("inbox.open_thread"),
        to=rx.Var.create("/t/") + opened.thread,
        class_name="btn btn-sm",
    )
    partly = rx.el.p(icon("eye", small=True), " ", t("inbox.partly"), class_name="hint")
    return rx.el.section(
        rx.el.h3(t("inbox.before"), class_name="sect-h"),
        rx.el.div(
            rx.foreach(opened.said, _line),
            rx.cond(opened.thread != "", link, partly),
            class_name="ctx",
        ),
    )


def _line(line: rx.Var[Said]) -> rx.Component:
    return rx.el.p(
        rx.el.b(rx.el.bdi(line.name), ", ", browser.clock(line.at), ". "),
        browser.Visible.create(text=line.text, class_name="wrapped"),
        key=line.key,
        dir="auto",
    )


def _deciders(opened: rx.Var[Opened]) -> rx.Component:
    roles = opened.roles.join(", ")
    said = choose(
        opened.by, {by: t(f"inbox.by_{by}", roles=roles) for by in DECIDERS[1:-1]}, t("inbox.by_requester")
    )
    words = rx.cond(opened.by == "nobody", t("inbox.by_nobody"), said)
    raised = rx.el.p(t("inbox.raised_to", roles=opened.raised.join(", ")), class_name="muted")
    endorsed = rx.el.p(icon("users", small=True), " ", t("inbox.endorsed", names=opened.endorsed.join(", ")))
    return rx.el.section(
        rx.el.h3(t("inbox.who"), class_name="sect-h"),
        rx.el.p(words, class_name="muted"),
        rx.cond(opened.raised.length() > 0, raised),
        rx.cond((opened.by == "two") & (opened.endorsed.length() > 0), endorsed),
        rx.cond(opened.may & (opened.row.status == "pending"), _hand(opened)),
    )


def _hand(opened: rx.Var[Opened]) -> rx.Component:
    claim = Inbox.claim(opened.id)  # type: ignore[call-arg]  # a handler, not a method
    let_go = Inbox.give(opened.id, "")  # type: ignore[call-arg]
    free = rx.el.button(
        icon("user-check"),
        t("inbox.claim"),
        type="button",
        class_name="btn btn-sm",
        on_click=[Inbox.dismiss_problem, claim],
    )
    release = rx.el.button(
        t("inbox.release"),
        type="button",
        class_name="btn btn-sm",
        on_click=[Inbox.dismiss_problem, let_go],
    )
    mine = rx.el.span(t("inbox.claimed_by_you", time=browser.clock(opened.held_at)))
    other = rx.el.span(t("inbox.in_hand", name=opened.holder))
    return rx.el.div(
        rx.cond(opened.holder == "", free, rx.cond(opened.held, rx.fragment(mine, release), other)),
        rx.cond((opened.holder == "") | opened.held, _give(opened)),
        class_name="row inbox-hand",
    )


def _give(opened: rx.Var[Opened]) -> rx.Component:
    return rx.el.label(
        rx.el.span(t("inbox.give")),
        rx.el.select(
            rx.el.option(t("inbox.nobody_yet"), value=""),
            rx.foreach(opened.people, lambda one: rx.el.option(one.name, value=one.id, key=one.id)),
            value="",
            on_change=lambda to: Inbox.give(opened.id, to),  # type: ignore[call-arg]
        ),
        class_name="filt",
    )
