"""The menu of the bar on a phone, where its buttons have no room: how the thread is shown, its files, its last run.

It opens and closes without a script: a popover of the browser, which Escape and a tap elsewhere close too.
"""

from typing import Final

import reflex as rx
from reflex.event import EventType

from chat_app.ui import browser
from chat_app.ui.parts.base import icon, icon_button
from chat_app.ui.run_dialog import show_last_run
from chat_app.ui.words import t

NAME: Final = "more"


def more() -> rx.Component:
    """Draw the button and what it opens."""
    button = icon_button(
        "ellipsis", t("bar.more"), class_name="only-phone", custom_attrs={"popoverTarget": NAME}
    )
    return rx.fragment(button, _menu())


def _menu() -> rx.Component:
    arrival = browser.order == "arrival"
    full = browser.steps == "full"
    return rx.el.div(
        _item(
            "list-checks",
            rx.cond(arrival, t("order.show.grouped"), t("order.show.arrival")),
            browser.show_in_order(rx.cond(arrival, "", "arrival")),
        ),
        _item("wrench", rx.cond(full, t("tool.compact"), t("tool.full")), browser.toggle_steps()),
        _item("download", t("export.title"), browser.show_dialog("export")),
        rx.cond(~browser.reading, _item("history", t("run.show"), show_last_run())),
        id=NAME,
        class_name="menu bar-menu",
        role="group",
        aria_label=t("bar.more"),
        custom_attrs={"popover": "auto"},
    )


def _item(symbol: str, words: rx.Var[str], act: EventType) -> rx.Component:
    closes = {"popoverTarget": NAME, "popoverTargetAction": "hide"}
    return rx.el.button(
        icon(symbol), words, type="button", class_name="menu-item", on_click=act, custom_attrs=closes
    )
