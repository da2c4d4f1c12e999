"""The transcript: the rows of the open thread, the working line, and what stands there before them."""

import reflex as rx

from chat_app.services.rows import Row, Suggestion, Viewed
from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.order import in_order
from chat_app.ui.parts.base import agent_face, icon
from chat_app.ui.rows import row_view
from chat_app.ui.words import t


def agent_name() -> rx.Var[str]:
    """Return the agent's name, or the word for it before the name is known."""
    return rx.cond(Chat.agent.name != "", Chat.agent.name, t("agent")).to(str)


def has_begun() -> rx.Var[bool]:
    """Return whether there is a conversation to show."""
    return (browser.rows.length() > 0) | (browser.run.status != "idle")


def transcript() -> rx.Component:
    """Draw the conversation of the open thread, or the way to begin one."""
    return browser.Scroller.create(
        rx.cond(
            browser.gone,
            no_such_thread(),
            rx.cond(has_begun(), _log(), rx.cond(browser.ready, _empty())),
        ),
        label=t("log.region"),
    )


def _log() -> rx.Component:
    working = (browser.run.status == "running") | (browser.run.status == "stopping")
    return rx.el.div(
        rx.cond(
            browser.older,
            rx.fragment(
                rx.el.p(t("log.older"), class_name="hint older"),
                rx.el.p(t("print.cut"), class_name="on-paper"),
            ),
        ),
        rx.foreach(browser.run.viewed, _viewed),
        rx.cond(browser.order == "arrival", in_order(), rx.fragment(rx.foreach(browser.rows, _row))),
        rx.cond(working, _working()),
        class_name="transcript",
        role="log",
        aria_label=t("log.label"),
        # Read out when complete (see `Announcer`), not token by token
        aria_live="off",
        aria_busy=working,
    )


def _viewed(viewed: rx.Var[Viewed], index: rx.Var[int]) -> rx.Component:
    """Say who else looked into the thread, and why."""
    said = t("viewed.by", name=viewed.by, reason=viewed.reason)
    line = rx.el.p(said, " ", rx.el.span(browser.ago(viewed.at), class_name="muted"), dir="auto")
    return rx.el.div(icon("eye"), rx.el.div(line), class_name="note viewed", key=index)


def _row(row: rx.Var[Row], index: rx.Var[int]) -> rx.Component:
    day = browser.day_break(browser.rows, index)
    return row_view(row=row, day=day, person=Chat.user_name, agent=agent_name(), key=row.key)


def _working() -> rx.Component:
    tool = rx.cond(browser.run.tool != "", browser.title(browser.run.tool), t("working")).to(str)
    # a step named for programs is put into words like a tool; one that is in words stays as it is
    at = rx.cond(browser.run.step.contains(" "), browser.run.step, browser.title(browser.run.step)).to(str)
    named = rx.cond(browser.run.tool != "", at + ": " + tool, at).to(str)
    step = rx.cond(browser.run.step != "", named, tool)
    line = rx.el.div(
        rx.el.span(icon("activity", small=True), class_name="node"),
        rx.el.span(step, dir="auto"),
        browser.Elapsed.create(since=browser.run.started),
        class_name="working",
        role="status",
    )
    return rx.el.div(line, class_name="turn turn-agent turn-next turn-working")


def _empty() -> rx.Component:
    # a new chat greets once its agents and what they suggest are known: the words would jump when those come
    is_known = (Chat.choices.length() > 0) | (browser.thread != "")
    return rx.cond(Chat.shut, _nobody(), rx.cond(is_known, _beginning()))


def _beginning() -> rx.Component:
    greeting = rx.el.div(
        rx.el.div(agent_face(), agent_choice(), class_name="row"),
        rx.el.h2(t("empty.title", agent=agent_name())),
        rx.el.p(t("empty.detail"), class_name="muted"),
        class_name="stack",
    )
    offers = rx.el.div(rx.foreach(Chat.suggestions, _suggestion), class_name="sugs")
    return rx.el.div(greeting, offers, class_name="empty")


def _nobody() -> rx.Component:
    """Say that the person may talk to no agent."""
    words = rx.el.div(
        rx.el.h2(t("empty.shut")),
        rx.el.p(t("empty.shut.detail"), class_name="muted"),
        class_name="stack",
    )
    return rx.el.div(words, class_name="empty")


def agent_choice() -> rx.Component:
    """Draw the choice of the agent for a new chat; of one alone, its name."""
    several = rx.el.select(
        rx.foreach(Chat.choices, lambda one: rx.el.option(one.name, value=one.id, key=one.id)),
        value=Chat.agent.id,
        on_change=Chat.choose_agent,
        class_name="btn btn-sm agent-choice",
        aria_label=t("empty.agent"),
    )
    return rx.cond(Chat.choices.length() > 1, several, rx.el.span(agent_name(), class_name="lbl"))


def _suggestion(suggestion: rx.Var[Suggestion]) -> rx.Component:
    return rx.el.button(
        rx.el.b(rx.el.bdi(suggestion.title)),
        rx.cond(suggestion.title != suggestion.line, rx.el.span(rx.el.bdi(suggestion.line))),
        type="button",
        class_name="sug",
        on_click=browser.suggest(suggestion.line),
    )


def no_such_thread() -> rx.Component:
    """Say that the address names nothing here, with the way to a new chat."""
    return rx.el.div(
        rx.el.div(
            rx.el.h2(t("gone.title")),
            rx.el.p(t("gone.detail"), class_name="muted"),
            rx.el.div(browser.Link.create(t("side.new"), to="/", class_name="btn")),
            class_name="stack",
        ),
        class_name="empty",
    )
