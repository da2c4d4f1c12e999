"""The sidebar: brand, new chat, the person's threads by their days, and who is signed in."""

from typing import Final

import reflex as rx
from reflex.event import EventChain

from chat_app.services.rows import Thread
from chat_app.state.chat import Chat
from chat_app.state.side import Side
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.words import match, t

NOWHERE: Final = rx.Var.create(None)

# mark of a thread → its class, icon
MARKS: Final = {
    "running": ("is-run", "loader-circle"),
    "waiting": ("is-wait", "hand"),
    "failed": ("is-fail", "circle-alert"),
}
GROUPS: Final = ("pinned", "today", "yesterday", "week", "older")


def brand_mark() -> rx.Component:
    """Draw the sign of Parley: two halves of a conversation."""
    return rx.el.svg(
        rx.el.svg.path(d="M9 2a8 8 0 0 0 0 16z", fill="var(--text)"),
        rx.el.svg.path(
            d="M11.75 3.2a7 7 0 0 1 0 13.6z",
            fill="none",
            stroke="var(--accent-text)",
            stroke_width="1.75",
            stroke_linejoin="round",
        ),
        view_box="0 0 20 20",
        aria_hidden="true",
    )


def sidebar(*, at_inbox: bool = False) -> rx.Component:
    """Draw the sidebar; it marks where the person is: a new chat, a thread, or the inbox."""
    at_new = NOWHERE if at_inbox else rx.cond(browser.thread == "", "page", NOWHERE)
    return rx.el.aside(
        rx.el.div(
            rx.el.div(
                brand_mark(),
                rx.el.span(t("app"), class_name="grow"),
                icon_button("panel-left", t("side.hide"), on_click=browser.toggle_side()),
                class_name="brand",
            ),
            browser.Link.create(
                icon("square-pen"),
                rx.el.span(t("side.new"), class_name="grow"),
                rx.cond(browser.keys != "off", rx.el.kbd("N", aria_hidden="true")),
                to="/",
                class_name="side-link",
                aria_current=at_new,
            ),
            _button(
                "search", t("side.search"), browser.open_finder(), rx.el.kbd("Ctrl K", aria_hidden="true")
            ),
            _approvals("page" if at_inbox else NOWHERE),
            rx.cond(Chat.oversees, _admin()),
            class_name="side-top",
        ),
        rx.el.nav(
            rx.cond(browser.groups.length() == 0, _nothing()),
            rx.foreach(browser.groups, _group),
            browser.More.create(t("side.more")),
            _archive(),
            class_name="side-scroll",
            aria_label=t("side.threads"),
        ),
        _foot(),
        class_name="side",
        aria_label=t("side.label"),
    )


def _admin() -> rx.Component:
    # pages of their own, outside of the script of the chat
    label = rx.el.span(t("admin.title"), class_name="grow")
    return rx.el.a(icon("shield"), label, href="/admin", target="_top", class_name="side-link")


def _approvals(here: rx.Var | str) -> rx.Component:
    badge = rx.el.span(
        browser.number(browser.waiting),
        class_name="badge",
        role="img",
        aria_label=t("inbox.waiting", count=browser.waiting),
    )
    link = browser.Link.create(
        icon("inbox"),
        rx.el.span(t("inbox.title"), class_name="grow"),
        rx.cond(browser.waiting > 0, badge),
        to="/approvals",
        class_name="side-link",
        aria_current=here,
    )
    return rx.cond(browser.waiting >= 0, link)


def _button(symbol: str, words: rx.Var[str], act: rx.Var[EventChain], *more: rx.Component) -> rx.Component:
    label = rx.el.span(words, class_name="grow")
    return rx.el.button(icon(symbol), label, *more, type="button", class_name="side-link", on_click=act)


def _nothing() -> rx.Component:
    return rx.el.p(rx.cond(browser.archive, t("side.archive.none"), t("side.none")), class_name="hint")


def _archive() -> rx.Component:
    return rx.cond(
        browser.archive,
        _button("chevron-left", t("side.back"), browser.toggle_archive()),
        _button("history", t("side.archive"), browser.toggle_archive()),
    )


def _group(group: rx.Var[browser.ThreadGroup]) -> rx.Component:
    return rx.fragment(
        rx.el.h2(match(group.code, "group", GROUPS, "group.older"), class_name="side-group"),
        rx.el.ul(rx.foreach(group.threads, lambda thread: thread_line(thread=thread, key=thread.id))),
        key=group.code,
    )


@rx.memo
def thread_line(rest: rx.RestProp, *, thread: rx.Var[Thread]) -> rx.Component:
    """Draw one thread: its mark, its title, and its state or time."""
    is_unread = thread.unread
    look = choose(
        thread.mark, {mark: each[0] for mark, each in MARKS.items()}, rx.cond(is_unread, "is-new", "")
    )
    spoken = choose(
        thread.mark,
        {mark: t(f"mark.{mark}.spoken") for mark in MARKS},
        rx.cond(is_unread, t("mark.new.spoken"), ""),
    )
    symbol = rx.match(
        thread.mark,
        *[(mark, icon(each[1], small=True)) for mark, each in MARKS.items()],
        rx.el.span(class_name=rx.cond(is_unread, "dot", "")),
    )
    state = choose(thread.mark, {mark: t(f"mark.{mark}") for mark in MARKS}, browser.ago(thread.updated))
    field = browser.Rename.create(
        thread=thread.id, title=thread.title, label=t("thread.name"), on_rename=Side.rename
    )
    menu = rx.el.button(
        icon("ellipsis"),
        type="button",
        class_name="btn btn-icon thr-menu",
        aria_label=t("thread.menu", title=thread.title),
        aria_haspopup="dialog",
        custom_attrs={"data-menu": thread.id},
        on_click=browser.open_menu(thread.id),
    )
    line = rx.fragment(
        browser.Link.create(
            symbol,
            rx.el.span(
                spoken, " ", class_name="sr"
            ),  # apart from the title, whose own letters give its direction
            rx.el.span(
                thread.title,
                rx.foreach(thread.tags, _tag),
                class_name="cut",
                dir="auto",
            ),
            rx.el.span(state, class_name="meta"),
            to=rx.Var.create("/t/") + thread.id,
            class_name=rx.Var.create("thr ") + look,
            title=thread.title,
            aria_current=rx.cond(browser.thread == thread.id, "page", NOWHERE),
        ),
        menu,
    )
    return rx.el.li(rx.cond(browser.renaming == thread.id, field, line), rest, class_name="thr-row")


def _tag(tag: rx.Var[str]) -> rx.Component:
    return rx.el.bdi(tag, class_name="thr-tag")


def _foot() -> rx.Component:
    return rx.el.div(
        rx.el.span(browser.initials(Chat.user_name), class_name="avatar", aria_hidden="true"),
        # a page of its own, outside of what needs a session
        rx.el.a(
            Chat.user_name,
            href="/account",
            target="_top",
            title=t("account.open"),
            class_name="grow cut",
            dir="auto",
        ),
        icon_button("settings", t("settings.title"), on_click=browser.show_dialog("settings")),
        class_name="side-foot",
    )
