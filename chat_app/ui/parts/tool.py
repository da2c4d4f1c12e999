"""A tool call: one line that opens to its arguments and its result."""

from typing import Final

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.tools import tool_view
from chat_app.ui.words import match, t

# status → icon, class of the icon, class of the word. A finished call is grey: success is the normal case.
LOOKS: Final = {
    "preparing": ("circle-dashed", "live", "st-live"),
    "running": ("loader-circle", "live turns", "st-live"),
    "waiting": ("hand", "wait", "st-wait"),
    "done": ("check", "", ""),
    "failed": ("circle-x", "danger", "st-danger"),
    "denied": ("ban", "danger", "st-danger"),
    "cancelled": ("circle-slash", "", ""),
    "expired": ("timer-off", "", ""),
}


def _look(status: rx.Var[str], field: int) -> rx.Var[str]:
    return choose(status, {code: look[field] for code, look in LOOKS.items()}, LOOKS["done"][field])


def _is_live(status: rx.Var[str]) -> rx.Var[bool]:
    return (status == "preparing") | (status == "running")


def _summary(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    duration = rx.cond(
        _is_live(part.status) & (part.started != ""),
        browser.Elapsed.create(since=part.started),
        rx.el.span(browser.lasted(part.started, part.ended)),
    )
    return rx.el.summary(
        rx.el.span(icon(_look(part.status, 0)), class_name="node " + _look(part.status, 1)),
        rx.el.span(browser.title(part.name), class_name="name", dir="auto"),
        rx.el.bdi(part.name, class_name="raw rawname"),
        browser.Summary.create(row=row.key, part=part.key),
        rx.el.span(
            match(part.status, "tool", tuple(LOOKS), "tool.done"), class_name="st " + _look(part.status, 2)
        ),
        rx.el.span(duration, class_name="dur"),
        icon("chevron-right", small=True, extra="chev i-flip"),
    )


def _arguments(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    live = part.status == "preparing"
    label = rx.cond(live, t("tool.arguments.live"), t("tool.arguments"))
    return rx.el.div(
        rx.el.div(label, class_name="part-h"),
        browser.Arguments.create(row=row.key, part=part.key, live=live),
        class_name="part",
    )


def _result(part: rx.Var[Part]) -> rx.Component:
    failed = rx.el.div(
        icon("circle-x"),
        rx.el.div(
            rx.el.b(t("tool.failed.title")), " ", browser.Result.create(text=part.result, files=part.files)
        ),
        class_name="problem",
    )
    returned = rx.el.div(
        rx.el.div(t("tool.result"), class_name="part-h"),
        browser.Result.create(text=part.result, files=part.files),
        class_name="part",
    )
    return rx.cond(
        part.status == "failed", failed, rx.cond((part.result != "") | (part.files.length() > 0), returned)
    )


def tool(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw a call: its line, and inside it what was asked and what came back."""
    return browser.Step.create(
        _summary(row, part),
        rx.el.div(tool_view(row, part), _result(part), _arguments(row, part), class_name="step-body"),
        name=f"{row.key}/{part.key}",
        live=_is_live(part.status),
        failed=part.status == "failed",
    )
