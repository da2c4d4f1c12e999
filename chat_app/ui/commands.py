"""Commands of the message box: what a slash and the beginning of a name offer, above the box.

A command writes a text into the box, to be completed and sent as a line like any other, or it does something on the
page. What an agent does is never decided here: it gets lines. Add one: a line in `COMMANDS`, and its words.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.parts.base import icon_button
from chat_app.ui.words import said, t

Act = Literal["help", "new", "search", "settings", "side", "panel", "print"]
NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what is typed after the slash, what it is for, and what it does.

    It writes `text`, or does `act` on the page.
    """

    name: str
    about: str
    text: str = ""
    act: Act | None = None


COMMANDS: Final[Mapping[str, Command]] = {
    each.name: each
    for each in (
        Command("new", "command.new", act="new"),
        Command("search", "command.search", act="search"),
        Command("print", "command.print", act="print"),
        Command("settings", "command.settings", act="settings"),
        Command("keys", "command.keys", act="help"),
    )
}
"""Those of the page itself; what they are for is the name of words."""

_added: dict[str, Command] = {}


def commands() -> Mapping[str, Command]:
    """Return every command: `COMMANDS`, and those that packages outside this repository have added."""
    return MappingProxyType({**COMMANDS, **_added})


def add(command: Command) -> None:
    """Offer this command too; called before the page is built.

    Raises:
        ValueError: the name is taken, or is none; or it is not clear what the command does.
    """
    if not NAME.fullmatch(command.name):
        raise ValueError(f"{command.name!r} is no name of a command: small letters, digits and hyphens")
    if command.name in commands():
        raise ValueError(f"there is a command {command.name!r} already")
    if bool(command.text) is (command.act is not None):
        raise ValueError(f"the command {command.name!r} needs a text or an act, and not both")
    _added[command.name] = command


def command_list() -> rx.Component:
    """Draw the commands that fit what is being typed."""
    return browser.Commands.create(
        *[_option(each) for each in commands().values()], label=t("command.label"), class_name="commands"
    )


def command_button() -> rx.Component:
    """Draw the button that offers the commands to who does not type a slash."""
    return icon_button("slash", t("command.label"), on_click=browser.begin_command())


def _option(command: Command) -> rx.Component:
    about = t(command.about) if command.name in COMMANDS else said(rx.Var.create(command.about))
    return rx.el.div(
        rx.el.bdi(f"/{command.name}", class_name="mono"),
        rx.el.span(about, class_name="muted cut"),
        role="option",
        id=f"command-{command.name}",
        class_name="menu-item",
        custom_attrs={
            "data-name": command.name,
            "data-text": command.text,
            "data-act": command.act or "",
        },
    )
