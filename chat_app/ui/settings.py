"""The settings of a person for this browser: theme, language, contrast, density, keys, notifications."""

from collections.abc import Mapping
from typing import Final

import reflex as rx
from reflex.event import EventType
from reflex.style import LiteralColorMode, color_mode, set_color_mode

from chat_app.ui import browser
from chat_app.ui.parts.base import icon
from chat_app.ui.words import t
from chat_app.ui.words.catalogs import LANGUAGES

THEMES: Final[Mapping[LiteralColorMode, str]] = {"light": "sun", "dark": "moon", "system": "monitor"}
CONTRASTS: Final = {"": "system", "more": "more", "normal": "normal"}
DENSITIES: Final = {"": "roomy", "compact": "compact"}


def settings_dialog() -> rx.Component:
    """Draw the dialog; a choice holds at once and is remembered."""
    return browser.Dialog.create(
        rx.el.div(rx.el.h2(t("settings.title")), class_name="dialog-h"),
        rx.el.div(
            _themes(), _languages(), _contrasts(), _densities(), _keys(), _notify(), class_name="dialog-b"
        ),
        rx.el.div(
            rx.el.button(
                t("keys.title"), type="button", class_name="btn", on_click=browser.show_dialog("keys")
            ),
            rx.el.button(t("dialog.close"), type="button", class_name="btn", on_click=browser.hide_dialog()),
            class_name="dialog-f",
        ),
        name="settings",
        label=t("settings.title"),
    )


def _choices(name: str, *choices: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.span(t(name), class_name="lbl"),
        rx.el.div(*choices, class_name="seg", role="group", aria_label=t(name)),
        class_name="setting",
    )


def _choice(*shown: rx.Component | rx.Var[str] | str, held: rx.Var[bool], act: EventType) -> rx.Component:
    return rx.el.button(*shown, type="button", aria_pressed=rx.cond(held, "true", "false"), on_click=act)


def _themes() -> rx.Component:
    return _choices(
        "theme",
        *[
            _choice(
                icon(symbol, small=True),
                " ",
                t(f"theme.{mode}.short"),
                held=color_mode == mode,
                act=set_color_mode(mode),
            )
            for mode, symbol in THEMES.items()
        ],
    )


def _languages() -> rx.Component:
    named = [
        _choice(
            rx.el.span(language.name, lang=language.code),
            held=browser.language == language.code,
            act=browser.choose_language(language.code),
        )
        for language in LANGUAGES
    ]
    browsers = _choice(t("language.browser"), held=browser.language == "", act=browser.choose_language(""))
    return _choices("language", browsers, *named)


def _contrasts() -> rx.Component:
    return _choices(
        "contrast",
        *[
            _choice(
                t(f"contrast.{code}"), held=browser.contrast == value, act=browser.prefer("contrast", value)
            )
            for value, code in CONTRASTS.items()
        ],
    )


def _densities() -> rx.Component:
    return _choices(
        "density",
        *[
            _choice(t(f"density.{code}"), held=browser.density == value, act=browser.prefer("density", value))
            for value, code in DENSITIES.items()
        ],
    )


def _keys() -> rx.Component:
    return rx.el.label(
        rx.el.span(t("keys.setting"), class_name="lbl"),
        rx.el.input(
            type="checkbox",
            class_name="switch",
            checked=browser.keys != "off",
            on_change=browser.toggle_keys(),
        ),
        class_name="setting",
    )


def _notify() -> rx.Component:
    said = rx.match(
        browser.notify,
        ("denied", t("notify.denied")),
        ("unknown", t("notify.unknown")),
        t("notify.about"),
    )
    return rx.el.div(
        rx.el.label(
            rx.el.span(t("notify.title"), class_name="lbl"),
            rx.el.input(
                type="checkbox",
                class_name="switch",
                checked=browser.notify == "on",
                disabled=browser.notify == "unknown",
                on_change=browser.toggle_notify(),
                aria_describedby="notify-about",
            ),
            class_name="setting",
        ),
        rx.el.p(said, class_name="hint", id="notify-about", role="status"),
    )
