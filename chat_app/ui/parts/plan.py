"""A plan an agent shows as an activity: a check list."""

from dataclasses import dataclass, field
from typing import Final

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts.base import icon
from chat_app.ui.words import match, t

STATUSES: Final = ("todo", "doing", "done", "failed")

# status → class of the line, icon
LOOKS: Final = {
    "todo": ("", "circle-dashed"),
    "doing": ("now", "circle-dot"),
    "done": ("ok", "circle-check"),
    "failed": ("", "circle-slash"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One step of the plan."""

    title: str = ""
    status: str = "todo"


@dataclass(frozen=True, slots=True)
class Steps:
    """The plan as the server reads it."""

    steps: list[Line] = field(default_factory=list)


def plan(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw the steps with their states."""
    return plan_card(row=row.key, part=part.key)


@rx.memo
def plan_card(*, row: rx.Var[str], part: rx.Var[str]) -> rx.Component:
    """Draw the card; a component of its own, because it reads the text of the part."""
    steps = browser.json_of(row, part, Steps).steps
    return rx.el.div(
        rx.el.div(
            icon("list-checks"), rx.el.span(t("activity.plan"), class_name="name"), class_name="plan-h"
        ),
        rx.el.ul(rx.foreach(steps, _line), class_name="checks"),
        class_name="plan-card",
    )


def _line(line: rx.Var[Line], at: rx.Var[int]) -> rx.Component:
    return rx.el.li(
        icon(choose(line.status, {code: look[1] for code, look in LOOKS.items()}, "circle-dashed")),
        rx.el.span(match(line.status, "task", STATUSES, "task.todo"), class_name="sr"),
        rx.el.span(line.title, dir="auto"),
        class_name=choose(line.status, {code: look[0] for code, look in LOOKS.items()}, ""),
        key=at,
    )
