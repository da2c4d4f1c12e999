"""The page of the inbox: sidebar, bar, tabs, the list beside the question that is open, and the keys."""

from typing import Final

import reflex as rx

from chat_app.services.inbox import Query
from chat_app.ui import browser
from chat_app.ui.composer import problem_box
from chat_app.ui.inbox.detail import detail
from chat_app.ui.inbox.list import items
from chat_app.ui.keys import help_dialog, listener
from chat_app.ui.parts.base import icon_button
from chat_app.ui.settings import settings_dialog
from chat_app.ui.shell import offline
from chat_app.ui.sidebar import sidebar
from chat_app.ui.words import BROWSER, t

TABS: Final = ("mine", "assigned", "all", "decided")
KEYS: Final = (
    (("J", "K"), "inbox.key.move"),
    (("A",), "inbox.key.approve"),
    (("E",), "inbox.key.edit"),
    (("R",), "inbox.key.reject"),
    (("X",), "inbox.key.pick"),
    (("↵",), "inbox.key.thread"),
)


def inbox() -> rx.Component:
    """Draw the whole page."""
    return rx.fragment(
        browser.Notify.create(),
        browser.Live.create(title=t("inbox.title") + " · " + t("app"), catalog=rx.Var.create(dict(BROWSER))),
        browser.SkipLink.create(t("inbox.skip"), href="#decision", class_name="skip"),
        browser.Frame.create(
            sidebar(at_inbox=True),
            rx.el.main(
                _bar(),
                offline(),
                browser.Desk.create(
                    _tabs(),
                    rx.el.div(items(), detail(), class_name=_split()),
                    class_name="inbox-desk",
                ),
                _keys(),
                class_name="main",
                custom_attrs={"inert": browser.side == "open"},
            ),
        ),
        settings_dialog(),
        help_dialog(),
        listener(),
    )


def _split() -> rx.Var[str]:
    return rx.cond(browser.wanted.open != "", "split", "split show-list").to(str)


def _bar() -> rx.Component:
    back = icon_button(
        "chevron-left", t("inbox.back"), on_click=browser.open_item(""), class_name="only-phone i-flip"
    )
    menu = icon_button("menu", t("side.show"), on_click=browser.toggle_side(), class_name="show-side-button")
    return rx.el.header(
        rx.cond(browser.wanted.open != "", rx.fragment(back, menu), menu),
        rx.el.h1(t("inbox.title")),
        rx.el.span(class_name="grow"),
        icon_button(
            "keyboard", t("keys.title"), on_click=browser.show_dialog("keys"), class_name="not-phone"
        ),
        class_name="bar",
    )


def _tabs() -> rx.Component:
    counts = {"mine": browser.inbox.mine, "assigned": browser.inbox.assigned, "all": browser.inbox.all}
    return rx.el.div(
        rx.el.nav(
            *[_tab(tab, counts.get(tab)) for tab in TABS], class_name="tabs", aria_label=t("inbox.lists")
        ),
        problem_box(),
        class_name="inbox-tabs",
    )


def _tab(tab: str, count: rx.Var[int] | None) -> rx.Component:
    wanted: rx.Var[Query] = browser.wanted
    more = [" ", rx.el.span(browser.number(count), class_name="count")] if count is not None else []
    return rx.el.button(
        t(f"inbox.tab.{tab}"),
        *more,
        type="button",
        aria_current=rx.cond(wanted.tab == tab, "page", rx.Var.create(None)),
        on_click=browser.narrow("tab", tab),
    )


def _keys() -> rx.Component:
    shown = [
        rx.el.span(*[part for key in keys for part in (rx.el.kbd(key), " ")], t(words))
        for keys, words in KEYS
    ]
    return rx.cond(
        browser.keys == "off", rx.fragment(), rx.el.div(*shown, class_name="keys", aria_hidden="true")
    )
