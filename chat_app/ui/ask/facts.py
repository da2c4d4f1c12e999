"""What a card says about its question: the words, the tool and its risk, every value, the fingerprint.

Values are shown complete, invisible and direction-changing characters as tags.
"""

from typing import Final

import reflex as rx

from chat_app.services.rows import Fact, Row
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

RISKS: Final = {"high": "tag tag-danger", "medium": "tag tag-wait", "low": "tag"}


def question(row: rx.Var[Row]) -> rx.Component:
    """Draw the question in the agent's words, or what it amounts to."""
    is_call = (row.tool != "") & ~row.actions.contains("respond") & (row.decision != "respond")
    fallback = rx.cond(is_call, t("ask.run", tool=browser.title(row.tool)), t("ask.question"))
    return browser.Visible.create(text=rx.cond(row.message != "", row.message, fallback))


def meta(row: rx.Var[Row]) -> rx.Component:
    """Draw the tool, its risk, and why it is one."""
    named = rx.el.span(
        browser.title(row.tool), " ", rx.el.bdi(browser.Visible.create(text=row.tool), class_name="raw")
    )
    said = {risk: t(f"ask.risk.{risk}") for risk in RISKS}
    risk = rx.el.span(
        icon("shield-alert", small=True),
        browser.Visible.create(text=choose(row.risk, said, t("ask.risk.other", risk=row.risk))),
        class_name=choose(row.risk, RISKS, "tag tag-wait"),
    )
    line = rx.el.div(rx.cond(row.tool != "", named), rx.cond(row.risk != "", risk), class_name="ask-meta")
    reason = rx.el.p(browser.Visible.create(text=row.risk_reason), class_name="ask-why")
    return rx.fragment(
        rx.cond((row.tool != "") | (row.risk != ""), line), rx.cond(row.risk_reason != "", reason)
    )


def facts(values: rx.Var[list[Fact]]) -> rx.Component:
    """Draw every value; nothing when there are none."""
    return rx.cond(values.length() > 0, rx.el.dl(rx.foreach(values, _fact), class_name="facts"))


def _fact(fact: rx.Var[Fact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(browser.Visible.create(text=browser.title(fact.name))),
        rx.el.dd(
            browser.Visible.create(text=fact.value, class_name=rx.cond(fact.raw, "wrapped mono", "wrapped")),
            rx.el.bdi(browser.Visible.create(text=fact.name), class_name="raw"),
        ),
        key=fact.name,
    )


def seal(row: rx.Var[Row]) -> rx.Component:
    """Draw what the decision covers, and its fingerprint: of what was edited, where something was."""
    count = row.arguments.length()
    covers = rx.cond(count == 0, t("ask.covers.none"), t("ask.covers", count=count))
    digest = rx.cond(row.sealed != "", row.sealed, row.digest).to(str)
    sealed = rx.el.p(
        icon("fingerprint-pattern", small=True),
        rx.el.span(covers),
        rx.el.span(t("ask.fingerprint"), " ", rx.el.code(browser.fingerprint(digest), title=digest)),
        class_name="seal",
    )
    return rx.cond(row.digest != "", sealed)
