"""The menu of a thread in the list, and the way back after one was deleted."""

from collections.abc import Callable
from typing import cast

import reflex as rx
from reflex.event import EventChain, EventSpec

from chat_app.state.side import Side
from chat_app.ui import browser
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t

UNDO_SECONDS = 8

Acts = EventSpec | rx.Var[EventChain] | list[EventSpec | rx.Var[EventChain]]


def thread_menu() -> rx.Component:
    """Draw the menu of the thread that was chosen; deleting asks first, in a dialog."""
    return browser.Menu.create(_items(), label=t("thread.menu", title=browser.chosen.title))


def _act(handler: Callable[..., object], *arguments: object) -> EventSpec:
    """Bind a handler to values of the page; what Reflex makes of a handler is not what its type says."""
    return cast("EventSpec", handler(*arguments))


def _items() -> rx.Component:
    thread = browser.chosen
    pin = rx.cond(thread.pinned, t("thread.unpin"), t("thread.pin")).to(str)
    archive = rx.cond(thread.archived, t("thread.unarchive"), t("thread.archive")).to(str)
    return rx.fragment(
        _item("arrow-down-up", pin, [browser.close_menu(), _act(Side.pin, thread.id, ~thread.pinned)]),
        _item("pencil", t("thread.rename"), browser.rename_in_place()),
        _item("history", archive, [browser.close_menu(), _act(Side.archive, thread.id, ~thread.archived)]),
        _item("x", t("thread.delete"), browser.ask_delete(), look="menu-item is-danger"),
        _tags(),
    )


def _item(symbol: str, words: rx.Var[str], act: Acts, *, look: str = "menu-item") -> rx.Component:
    return rx.el.button(icon(symbol), words, type="button", class_name=look, on_click=act)


def _tags() -> rx.Component:
    thread = browser.chosen
    field = rx.el.input(
        name="tags",
        default_value=thread.tags.join(", "),
        class_name="input",
        aria_label=t("thread.tags"),
        placeholder=t("thread.tags"),
    )
    save = rx.el.button(t("thread.tags.save"), type="submit", class_name="btn btn-sm")
    return rx.el.form(
        field,
        save,
        class_name="menu-form",
        key=thread.id,
        on_submit=[_act(Side.tag, thread.id), browser.close_menu()],
    )


def delete_dialog() -> rx.Component:
    """Draw the question whether to delete the thread whose menu was open."""
    thread = browser.deleting
    yes = rx.el.button(
        t("thread.delete"),
        type="button",
        class_name="btn btn-danger",
        on_click=[browser.hide_dialog(), _act(Side.delete, thread.id, thread.title)],
    )
    no = rx.el.button(
        t("thread.delete.keep"), type="button", class_name="btn", on_click=browser.hide_dialog()
    )
    return browser.Dialog.create(
        rx.el.div(
            rx.el.h2(t("thread.delete.ask")),
            rx.el.p(thread.title, class_name="muted cut", dir="auto"),
            class_name="dialog-h",
        ),
        rx.el.div(no, yes, class_name="dialog-f"),
        name="delete",
        label=t("thread.delete.ask"),
    )


def undo_toast() -> rx.Component:
    """Draw what was deleted and the way back, for a few seconds."""
    undo = rx.el.button(t("thread.undo"), type="button", class_name="btn btn-sm", on_click=Side.undo)
    shown = browser.Toast.create(
        rx.el.span(t("thread.deleted", title=Side.deleted.title), class_name="grow cut", dir="auto"),
        undo,
        about=Side.deleted.id,
        seconds=UNDO_SECONDS,
        on_gone=Side.let_go,
    )
    return rx.cond(Side.deleted.id != "", shown)
