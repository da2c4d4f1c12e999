"""The message box: one line to the agent, and the way to stop it. How it behaves is in `js/composer.jsx`.

The box always takes text: what cannot be sent now is kept as a draft. A disabled button has its
reason next to it.
"""

import reflex as rx

from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.commands import command_button, command_list
from chat_app.ui.files import attach, chips
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.queue import queue
from chat_app.ui.transcript import agent_name
from chat_app.ui.words import said, t


def composer() -> rx.Component:
    """Draw the message box with what is around it: the way to the end, a problem, the reason it is shut."""
    is_running = (browser.run.status == "running") | (browser.run.status == "stopping")
    is_offline = browser.connection.status == "offline"
    shut = is_offline | browser.gone | browser.reading
    form = browser.Composer.create(
        rx.el.label(t("box.label", agent=agent_name()), html_for="composer", class_name="sr"),
        command_list(),
        chips(),
        _box(),
        rx.el.div(
            attach(),
            command_button(),
            rx.el.span(class_name="grow"),
            _buttons(shut, is_running),
            class_name="composer-bar",
        ),
        shut=shut,
        stoppable=is_running,  # by Escape
        problem=Chat.problem.title,
        accepted=Chat.accepted,
        made=Chat.made,
        returned=Chat.returned,
        on_send=[Chat.dismiss_problem, Chat.send],
        on_stop=Chat.stop,
        class_name=rx.cond(browser.gone, "composer off", "composer"),
    )
    return rx.el.div(
        rx.el.div(
            _jump(),
            problem_box(),
            queue(),
            browser.Drop.create(form, kinds=Chat.accepts, most=Chat.file_limit, chosen=Chat.agent.id),
            _reason(is_offline, is_running),
            class_name="col",
        ),
        class_name="dock",
    )


def _box() -> rx.Component:
    # Uncontrolled: a round trip per key would spoil it
    return rx.el.textarea(
        id="composer",
        name="text",
        rows=1,
        placeholder=t("box.label", agent=agent_name()),
        aria_describedby="composer-reason",
        custom_attrs={
            "autoComplete": "off",
            "enterKeyHint": "send",
            "aria-autocomplete": "list",
            "aria-controls": "commands",
        },
    )


def _buttons(shut: rx.Var[bool], is_running: rx.Var[bool]) -> rx.Component:
    is_stopping = browser.run.status == "stopping"
    stop = rx.el.button(
        icon("square"),
        rx.cond(is_stopping, t("box.stopping"), t("box.stop")),
        rx.cond(is_running, rx.el.kbd("Esc", aria_hidden="true")),
        type="button",
        class_name="btn btn-sm btn-danger",
        disabled=is_stopping,
        on_click=Chat.stop,
    )
    send = rx.el.button(
        rx.cond(browser.draft == "sending", t("box.sending"), t("box.send")),
        rx.el.kbd("↵", aria_hidden="true"),
        type="submit",
        class_name="btn btn-sm btn-solid",
        disabled=shut | (browser.draft != "ready"),
        title=_why_not(),
    )
    put_by = rx.el.button(
        rx.cond(browser.draft == "sending", t("box.sending"), t("box.queue")),
        rx.el.kbd("↵", aria_hidden="true"),
        type="submit",
        class_name="btn btn-sm",
        disabled=shut | (browser.draft != "ready"),
        title=_why_not(),
    )
    idle = rx.fragment(rx.cond(browser.run.status == "waiting", stop), send)
    return rx.cond(is_running, rx.fragment(put_by, stop), idle)


def _why_not() -> rx.Var[str]:
    return rx.match(browser.draft, ("empty", t("box.empty")), ("coming", t("box.coming")), "").to(str)


def _jump() -> rx.Component:
    button = rx.el.button(
        icon("arrow-down"),
        rx.cond(browser.away == "new", t("log.new"), t("log.jump")),
        type="button",
        class_name="btn btn-sm jump",
        on_click=browser.jump_to_latest(),
    )
    return rx.cond((browser.away != "") & (browser.rows.length() > 0), button)


def problem_box() -> rx.Component:
    """Draw what went wrong, when something did."""
    shown = rx.el.div(
        icon("circle-x"),
        rx.el.div(
            rx.el.p(rx.el.b(said(rx.Var.create(Chat.problem.title)))),
            rx.el.p(said(rx.Var.create(Chat.problem.detail), rx.Var.create(Chat.problem.facts))),
        ),
        icon_button("x", t("problem.dismiss"), on_click=Chat.dismiss_problem, class_name="end"),
        class_name="note note-danger dock-note",
        role="alert",
    )
    return rx.cond(Chat.problem.title != "", shown)


def _reason(is_offline: rx.Var[bool], is_running: rx.Var[bool]) -> rx.Component:
    keys = rx.fragment(
        rx.el.span(rx.el.kbd("Enter"), " ", t("box.enter")),
        rx.el.span(rx.el.kbd("Shift Enter"), " ", t("box.newline")),
    )
    unsent = rx.el.span(
        icon("circle-alert", small=True), rx.el.span(t("box.unsent")), class_name="err", role="alert"
    )
    why = rx.cond(
        browser.gone,
        t("box.gone"),
        rx.cond(
            is_offline,
            t("box.offline"),
            rx.cond(
                is_running,
                t("box.running", agent=agent_name()),
                rx.cond(
                    browser.run.status == "waiting",
                    t("box.waiting"),
                    rx.cond(Chat.shut & (Chat.agent.name != ""), t("box.shut", agent=agent_name()), ""),
                ),
            ),
        ),
    )
    line = rx.cond(why != "", rx.el.span(why), keys)
    has_reason = browser.unsent | (why != "")
    return rx.el.div(
        rx.cond(browser.unsent, unsent, line),
        id="composer-reason",
        class_name=rx.cond(has_reason, "undernote has-reason", "undernote"),
    )
