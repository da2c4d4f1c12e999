"""The page around the conversation: sidebar, bar, banner, transcript, message box."""

import reflex as rx

from chat_app.state.chat import Chat
from chat_app.ui import browser
from chat_app.ui.ask import steer_dialog
from chat_app.ui.composer import composer
from chat_app.ui.export import export_dialog
from chat_app.ui.finder import finder
from chat_app.ui.keys import help_dialog, listener
from chat_app.ui.more import more
from chat_app.ui.order import order_switch
from chat_app.ui.panel import panel, toggle
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.run_dialog import run_dialog, show_last
from chat_app.ui.settings import settings_dialog
from chat_app.ui.sidebar import sidebar
from chat_app.ui.thread_menu import delete_dialog, thread_menu, undo_toast
from chat_app.ui.transcript import agent_name, has_begun, transcript
from chat_app.ui.words import BROWSER, t


def shell() -> rx.Component:
    """Draw the whole page."""
    return rx.fragment(
        browser.Live.create(title=_title() + " · " + t("app"), catalog=rx.Var.create(dict(BROWSER))),
        browser.Rendering.create(
            hosts=Chat.rendering.hosts, formulas=Chat.rendering.formulas, diagrams=Chat.rendering.diagrams
        ),
        browser.SkipLink.create(t("skip"), href="#composer", class_name="skip"),
        browser.Frame.create(
            sidebar(),
            rx.el.main(
                _bar(),
                offline(),
                transcript(),
                composer(),
                steer_dialog(),
                run_dialog(),
                browser.GoTo.create(),
                browser.Announcer.create(),
                browser.Notify.create(),
                class_name=rx.cond(has_begun(), "main", "main is-blank"),
                custom_attrs={"inert": browser.side == "open"},
            ),
            panel(),
        ),
        settings_dialog(),
        help_dialog(),
        export_dialog(),
        listener(),
        finder(),
        thread_menu(),
        delete_dialog(),
        undo_toast(),
    )


def _title() -> rx.Var[str]:
    none = rx.cond(browser.gone, t("gone.bar"), t("side.new"))
    return rx.cond(browser.current.title != "", browser.current.title, none).to(str)


def _bar() -> rx.Component:
    status = rx.match(
        browser.run.status,
        ("running", rx.el.span(t("bar.running"), class_name="tag tag-live")),
        ("stopping", rx.el.span(t("bar.stopping"), class_name="tag")),
        ("waiting", rx.el.span(icon("hand", small=True), t("bar.waiting"), class_name="tag tag-wait")),
        rx.fragment(),
    )
    agent = rx.el.span(t("bar.with", agent=agent_name()), class_name="agent")
    return rx.el.header(
        icon_button("menu", t("side.show"), on_click=browser.toggle_side(), class_name="show-side-button"),
        rx.el.div(
            rx.el.h1(_title(), class_name="cut", dir="auto"),
            rx.cond((browser.thread != "") & ~browser.gone, agent),
            class_name="titles",
        ),
        status,
        rx.el.span(class_name="grow"),
        rx.cond((browser.thread != "") & ~browser.gone, order_switch()),
        rx.cond(browser.rows.length() > 0, _steps()),
        rx.cond(
            has_begun() & ~browser.gone,
            icon_button(
                "download", t("export.title"), on_click=browser.show_dialog("export"), class_name="not-phone"
            ),
        ),
        rx.cond((browser.rows.length() > 0) & ~browser.reading, show_last()),
        toggle(),
        rx.cond((browser.rows.length() > 0) & ~browser.gone, more()),
        class_name="bar",
    )


def _steps() -> rx.Component:
    return icon_button(
        "list-checks",
        t("tool.full"),
        on_click=browser.toggle_steps(),
        class_name="not-phone",
        custom_attrs={"aria-pressed": browser.steps == "full"},
    )


def offline() -> rx.Component:
    """Draw the banner of a lost connection."""
    banner = rx.el.div(
        icon("wifi-off"),
        rx.el.span(
            rx.el.b(t("offline.title")),
            " ",
            t("offline.kept"),
            " ",
            browser.Retrying.create(again=browser.connection.again),
            class_name="grow",
        ),
        rx.el.button(
            t("offline.now"), type="button", class_name="btn btn-sm", on_click=browser.connect_now()
        ),
        class_name="banner",
        role="status",
    )
    return rx.cond(browser.connection.status == "offline", banner)
