"""The keys of the page: one table, from which the help is drawn and the browser listens."""

from dataclasses import dataclass
from typing import Final

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.words import t


@dataclass(frozen=True, slots=True)
class Key:
    """One thing a key does: its name in the words, the keys that do it, and the letter that is listened for here."""

    act: str
    shown: tuple[str, ...]
    letter: str = ""


# Those without a letter belong to the part of the page they act in, which listens itself.
KEYS: Final = (
    Key("help", ("?",), "?"),
    Key("search", ("Ctrl", "K")),
    Key("new", ("N",), "n"),
    Key("box", ("/",), "/"),
    Key("next", ("J",), "j"),
    Key("previous", ("K",), "k"),
    Key("side", ("B",), "b"),
    Key("panel", ("P",), "p"),
    Key("settings", (",",), ","),
    Key("send", ("Enter",)),
    Key("newline", ("Shift", "Enter")),
    Key("stop", ("Esc",)),
    Key("decide", ("A", "E", "R")),
)


def listener() -> rx.Component:
    """Return what listens for the letters of the table."""
    return browser.Keys.create(letters=rx.Var.create({key.letter: key.act for key in KEYS if key.letter}))


def help_dialog() -> rx.Component:
    """Draw the dialog that lists every key."""
    lines = [rx.fragment(rx.el.dt(_caps(key.shown)), rx.el.dd(t(f"key.{key.act}"))) for key in KEYS]
    return browser.Dialog.create(
        rx.el.div(
            rx.el.h2(t("keys.title")),
            rx.el.p(rx.cond(browser.keys == "off", t("keys.off"), t("keys.detail")), class_name="muted"),
            class_name="dialog-h",
        ),
        rx.el.dl(*lines, class_name="dialog-b keymap"),
        rx.el.div(
            rx.el.button(
                rx.cond(browser.keys == "off", t("keys.switch_on"), t("keys.switch_off")),
                type="button",
                class_name="btn",
                on_click=browser.toggle_keys(),
            ),
            rx.el.button(t("dialog.close"), type="button", class_name="btn", on_click=browser.hide_dialog()),
            class_name="dialog-f",
        ),
        name="keys",
        label=t("keys.title"),
    )


def _caps(shown: tuple[str, ...]) -> rx.Component:
    return rx.el.bdi(*[rx.el.kbd(cap) for cap in shown], class_name="caps")
