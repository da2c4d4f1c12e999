"""The list: what narrows and orders it, what can be done to those that are picked, and one line for each question."""

from collections.abc import Sequence
from typing import Final

import reflex as rx

from chat_app.services.inbox import Item
from chat_app.state.inbox import Inbox
from chat_app.ui import browser
from chat_app.ui.ask.facts import RISKS
from chat_app.ui.ask.record import OUTCOMES
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.words import t

AGES: Final = ("hour", "day", "soon")
SORTS: Final = ("oldest", "newest", "expiry")


def items() -> rx.Component:
    """Draw the list with its filters."""
    empty = rx.cond(browser.inbox.gone, t("inbox.none_for_you"), t("inbox.empty"))
    more = rx.el.button(
        t("inbox.more"), type="button", class_name="btn btn-quiet", on_click=browser.show_more()
    )
    first = rx.el.button(
        t("inbox.first"), type="button", class_name="btn btn-quiet", on_click=browser.show_first()
    )
    return rx.el.section(
        _filters(),
        rx.cond(browser.wanted.after != "", first),
        rx.cond(browser.picked.count > 0, _bulk()),
        rx.cond(
            browser.inbox.ready & (browser.inbox.questions.length() == 0),
            rx.el.p(empty, class_name="hint inbox-empty", role="status"),
        ),
        rx.el.ul(rx.foreach(browser.inbox.questions, lambda item: inbox_item(item=item, key=item.id))),
        rx.cond(browser.inbox.more, more),
        class_name="list",
        aria_label=t("inbox.list"),
        aria_busy=~browser.inbox.ready,
        tab_index=0,
    )


def _filters() -> rx.Component:
    any_one = t("inbox.any")
    return rx.el.div(
        _narrow("agent", any_one, browser.inbox.agents),
        _narrow("tool", any_one, browser.inbox.tools),
        _narrow("owner", t("inbox.anybody"), browser.inbox.people),
        _narrow("age", any_one, _codes("age", AGES)),
        _narrow("sort", "", _codes("sort", SORTS)),
        class_name="filters",
    )


def _codes(kind: str, codes: Sequence[str]) -> rx.Var[list[dict[str, object]]]:
    return rx.Var.create([{"id": code, "name": t(f"inbox.{kind}.{code}"), "count": 0} for code in codes])


def _narrow(field: str, any_one: rx.Var[str] | str, choices: object) -> rx.Component:
    return browser.Narrow.create(field=field, label=t(f"inbox.by.{field}"), any=any_one, choices=choices)


def _bulk() -> rx.Component:
    count = browser.picked.count
    approve_all = Inbox.approve_alike(browser.picked.ids)  # type: ignore[call-arg]  # a handler, not a method
    approve = rx.el.button(
        t("inbox.approve_all", count=count),
        type="button",
        class_name="btn btn-sm btn-solid",
        on_click=[Inbox.dismiss_problem, approve_all, browser.clear_picked()],
    )
    why = rx.cond(browser.picked.same, t("inbox.alike"), t("inbox.not_alike"))
    return rx.el.div(
        rx.el.span(rx.el.b(t("inbox.picked", count=count)), " ", why, class_name="grow", role="status"),
        rx.cond(browser.picked.same, approve),
        icon_button("x", t("inbox.unpick"), on_click=browser.clear_picked()),
        class_name="bulk",
    )


@rx.memo
def inbox_item(rest: rx.RestProp, *, item: rx.Var[Item]) -> rx.Component:
    """Draw one question of the list."""
    fallback = rx.cond(item.tool != "", t("ask.run", tool=browser.title(item.tool)), t("ask.question"))
    question = rx.cond(item.question != "", item.question, fallback).to(str)
    pick = browser.Pick.create(item=item.id, label=t("inbox.pick", question=question))
    return rx.el.li(
        rx.cond(item.takes, pick, rx.el.span()),
        browser.OpenItem.create(browser.Visible.create(text=question), item=item.id),
        _meta(item),
        rest,
        class_name="item",
        aria_current=rx.cond(browser.wanted.open == item.id, "true", rx.Var.create(None)),
    )


def _meta(item: rx.Var[Item]) -> rx.Component:
    said = {risk: t(f"ask.risk.{risk}") for risk in RISKS}
    risk = rx.el.span(
        browser.Visible.create(text=choose(item.risk, said, t("ask.risk.other", risk=item.risk))),
        class_name=choose(item.risk, RISKS, "tag tag-wait"),
    )
    holder = rx.cond(item.held, t("inbox.in_hand.you"), t("inbox.in_hand", name=item.holder))
    return rx.el.div(
        rx.el.span(t("inbox.for", agent=item.agent, person=item.person), dir="auto"),
        rx.cond(item.risk != "", risk),
        rx.cond(item.raised, rx.el.span(t("inbox.raised"), class_name="tag tag-wait")),
        rx.cond(item.holder != "", rx.el.span(icon("user-check", small=True), holder, class_name="st")),
        rx.cond(item.status == "pending", _left(item), _outcome(item)),
        class_name="meta",
    )


def _left(item: rx.Var[Item]) -> rx.Component:
    countdown = rx.el.span(
        icon("timer", small=True),
        browser.Countdown.create(until=item.expires_at, since=item.at),
        class_name="end st",
    )
    age = rx.el.time(browser.ago(item.at), date_time=item.at, title=browser.exact(item.at), class_name="end")
    return rx.cond(item.expires_at != "", countdown, age)


def _outcome(item: rx.Var[Item]) -> rx.Component:
    code = rx.cond(item.status == "answered", item.decision, item.status).to(str)
    word = choose(code, {each: t(look[2]) for each, look in OUTCOMES.items()}, t("ask.cancelled"))
    by = rx.cond(item.decided_by != "", rx.fragment(" ", t("ask.by", name=item.decided_by)))
    return rx.el.span(
        icon(choose(code, {each: look[1] for each, look in OUTCOMES.items()}, "circle-slash"), small=True),
        word,
        by,
        class_name="end st",
    )
