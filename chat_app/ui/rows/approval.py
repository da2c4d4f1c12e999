"""An approval: the agent's question with the values it covers, and afterwards the record of the decision.

Values are shown complete, invisible and direction-changing characters as tags. How the card behaves (armed
after 400 ms, locked by the first click, keys) is in `js/ask.jsx`.
"""

from typing import Final

import reflex as rx

from chat_app.services.rows import Fact, Row
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.rows.frame import agent_article
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


def approval(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw the open question, or what became of it."""
    del person
    return agent_article(row, agent, approval_card(row=row, agent=agent))


@rx.memo
def approval_card(*, row: rx.Var[Row], agent: rx.Var[str]) -> rx.Component:
    """Draw the card; a component of its own, so that a problem on the page draws no other row again."""
    return rx.cond(row.status == "pending", _pending(row, agent), _record(row))


# ------------------------------------------------------------ open


def _pending(row: rx.Var[Row], agent: rx.Var[str]) -> rx.Component:
    return browser.Ask.create(
        _top(row, agent),
        rx.el.div(
            rx.el.h3(_question(row), class_name="ask-q", tab_index=-1, custom_attrs={"data-question": ""}),
            _meta(row),
            _facts(row),
            class_name="ask-main",
        ),
        _choices(row),
        _pane("reject", t("ask.why_not"), t("ask.reject"), "btn btn-danger"),
        _pane("respond", t("ask.your_answer"), t("ask.send_answer"), "btn btn-solid"),
        _seal(row),
        interrupt=row.interrupt_id,
        expires=row.expires_at,
        problem=Chat.problem.title,
        label=_needed(row),
        on_decide=Chat.decide,
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
        rx.el.b(_needed(row)),
        rx.el.span(t("ask.asks", agent=agent, time=browser.clock(row.at)), class_name="muted"),
        rx.cond(row.expires_at != "", left),
        class_name="ask-top",
    )


def _question(row: rx.Var[Row]) -> rx.Component:
    fallback = rx.cond(row.tool != "", t("ask.run", tool=browser.title(row.tool)), t("ask.question"))
    return browser.Visible.create(text=rx.cond(row.message != "", row.message, fallback))


def _meta(row: rx.Var[Row]) -> rx.Component:
    named = rx.el.div(
        rx.el.span(
            browser.title(row.tool), " ", rx.el.bdi(browser.Visible.create(text=row.tool), class_name="raw")
        ),
        class_name="ask-meta",
    )
    return rx.cond(row.tool != "", named)


def _fact(fact: rx.Var[Fact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(browser.Visible.create(text=browser.title(fact.name))),
        rx.el.dd(
            browser.Visible.create(text=fact.value, class_name=rx.cond(fact.raw, "wrapped mono", "wrapped")),
            rx.el.bdi(browser.Visible.create(text=fact.name), class_name="raw"),
        ),
        key=fact.name,
    )


def _facts(row: rx.Var[Row]) -> rx.Component:
    return rx.cond(row.arguments.length() > 0, rx.el.dl(rx.foreach(row.arguments, _fact), class_name="facts"))


def _choice(row: rx.Var[Row], act: str, look: str, *, key: str = "", opens: bool = False) -> rx.Component:
    attrs = {"data-act": act, "data-key": key} | ({"data-opens": ""} if opens else {})
    hint = [rx.el.kbd(key.upper(), aria_hidden="true")] if key else []
    button = rx.el.button(t(f"ask.{act}"), *hint, type="button", class_name=f"btn {look}", custom_attrs=attrs)
    return rx.cond(row.actions.contains(act), button)


def _choices(row: rx.Var[Row]) -> rx.Component:
    return browser.AskActs.create(
        _choice(row, "approve", "btn-solid", key="a"),
        _choice(row, "respond", "", opens=True),
        _choice(row, "reject", "btn-danger", key="r", opens=True),
        _choice(row, "cancel", "btn-quiet"),
        pane="",
    )


def _pane(act: str, label: rx.Var[str], verb: rx.Var[str], look: str) -> rx.Component:
    """Draw what opens before a rejection or an answer: a text for the agent, the verb, and the way back."""
    words = rx.el.label(label, rx.el.textarea(class_name="input", rows=2, name=act), class_name="field")
    return browser.AskActs.create(
        words,
        rx.el.button(
            verb,
            rx.el.kbd("Ctrl ↵", aria_hidden="true"),
            type="button",
            class_name=look,
            custom_attrs={"data-act": act},
        ),
        rx.el.button(
            t("ask.back"),
            rx.el.kbd("Esc", aria_hidden="true"),
            type="button",
            class_name="btn btn-quiet",
            custom_attrs={"data-act": "back"},
        ),
        pane=act,
    )


def _seal(row: rx.Var[Row]) -> rx.Component:
    many = t("ask.covers", count=row.arguments.length())
    covers = rx.match(row.arguments.length(), (0, t("ask.covers.none")), many)
    sealed = rx.el.p(
        icon("fingerprint-pattern", small=True),
        rx.el.span(covers),
        rx.el.span(t("ask.fingerprint"), " ", rx.el.code(browser.fingerprint(row.digest), title=row.digest)),
        class_name="seal",
    )
    return rx.cond(row.digest != "", sealed)


# ------------------------------------------------------------ decided, or over


def _outcome(row: rx.Var[Row]) -> rx.Var[str]:
    return rx.cond(row.status == "answered", row.decision, row.status).to(str)


def _outcome_look(row: rx.Var[Row], field: int) -> rx.Var[str]:
    looks = {code: look[field] for code, look in OUTCOMES.items()}
    return choose(_outcome(row), looks, OUTCOMES["cancelled"][field])


def _outcome_word(row: rx.Var[Row]) -> rx.Var[str]:
    return choose(_outcome(row), {code: t(look[2]) for code, look in OUTCOMES.items()}, t("ask.cancelled"))


def _decided(row: rx.Var[Row]) -> rx.Component:
    at = rx.el.time(
        browser.clock(row.decided_at),
        date_time=row.decided_at,
        title=browser.exact(row.decided_at),
        class_name="left",
    )
    return rx.el.div(
        icon(_outcome_look(row, 1)),
        rx.el.b(_outcome_word(row)),
        rx.cond(row.decided_by != "", rx.el.span(t("ask.by", name=row.decided_by), class_name="muted")),
        rx.cond(row.decided_at != "", at),
        class_name="ask-top",
    )


def _record(row: rx.Var[Row]) -> rx.Component:
    said = rx.el.p(browser.Visible.create(text=row.note), class_name="quote wrapped")
    return rx.el.section(
        _decided(row),
        rx.el.div(
            rx.el.h3(_question(row), class_name="ask-q"),
            _facts(row),
            rx.cond(row.note != "", said),
            rx.cond(_outcome(row) == "expired", rx.el.p(t("ask.expired.detail"), class_name="muted")),
            rx.cond(row.owed, rx.el.p(t("ask.owed"), class_name="muted")),
            class_name="ask-main",
        ),
        _seal(row),
        class_name=rx.Var.create("ask ") + _outcome_look(row, 0),
        aria_label=_outcome_word(row),
    )
