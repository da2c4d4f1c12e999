"""The transcript in arrival order: a line for everything that came, calls and their results under one number."""

from typing import Final

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.words import match, t

# kind → icon
LOOKS: Final = {
    "said": "message-square",
    "text": "waypoints",
    "reasoning": "brain",
    "activity": "activity",
    "asked": "hand",
    "decided": "user-check",
    "ended": "circle-stop",
}
NUMBERED: Final = {"call": "wrench", "result": "check"}
UNKNOWN: Final = "braces"


def order_switch() -> rx.Component:
    """Draw the choice between grouped rows and arrival order."""
    return rx.el.div(
        _choice("", t("order.grouped")),
        _choice("arrival", t("order.arrival")),
        class_name="seg not-phone",
        role="group",
        aria_label=t("order.label"),
    )


def in_order() -> rx.Component:
    """Draw the log of the open thread."""
    return rx.el.ol(rx.foreach(browser.entries, _line), class_name="arrivals")


def _choice(name: str, label: rx.Var[str]) -> rx.Component:
    return rx.el.button(
        label,
        type="button",
        aria_pressed=rx.cond(browser.order == name, "true", "false"),
        on_click=browser.show_in_order(name),
    )


def _line(entry: rx.Var[browser.Entry]) -> rx.Component:
    at = rx.el.time(browser.clock_seconds(entry.at), date_time=entry.at, title=browser.exact(entry.at))
    return rx.el.li(
        at,
        icon(choose(entry.kind, {**LOOKS, **NUMBERED}, UNKNOWN)),
        rx.el.span(_kind(entry), class_name="tag"),
        rx.el.div(_body(entry), class_name="grow"),
        key=entry.key,
        class_name="arrival",
        custom_attrs={"data-kind": entry.kind},
    )


def _kind(entry: rx.Var[browser.Entry]) -> rx.Component:
    number = entry.call.to_string()
    return rx.match(
        entry.kind,
        ("call", t("order.call", number=number)),
        ("result", t("order.result", number=number)),
        match(entry.kind, "order", tuple(LOOKS), "order.activity"),
    )


def _body(entry: rx.Var[browser.Entry]) -> rx.Component:
    text = browser.Plain.create(row=entry.row, part=entry.part, class_name="wrapped")
    named = rx.el.bdi(entry.name, class_name="raw")
    return rx.match(
        entry.kind,
        ("call", rx.fragment(named, " ", browser.Summary.create(row=entry.row, part=entry.part))),
        ("result", rx.fragment(named, " ", browser.Result.create(text=entry.result))),
        ("asked", named),
        ("decided", rx.fragment(named, " ", rx.el.span(entry.status))),
        ("ended", rx.el.bdi(entry.status, class_name="mono")),
        rx.fragment(rx.cond(entry.name != "", named), text),
    )
