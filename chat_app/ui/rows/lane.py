"""A subagent: a card with a line of its own, in which its text, calls and subagents stand apart from others'.

Lanes stand in lanes three deep; what is deeper is drawn in the third, each row named for its subagent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.parts import part_view
from chat_app.ui.parts.base import icon
from chat_app.ui.rows.frame import agent_article
from chat_app.ui.words import match, t

# status → class of the icon, class of the word
LOOKS: Final = {
    "running": ("live", "st-live"),
    "finished": ("", ""),
    "suspended": ("wait", "st-wait"),
    "failed": ("danger", "st-danger"),
    "aborted": ("", ""),
}


@dataclass(frozen=True, slots=True)
class LaneRow(Row):
    """A row as it stands in a lane; `within` names the subagent of one that is drawn in another's."""

    within: str = ""


def lane(row: rx.Var[Row], person: rx.Var[str], agent: rx.Var[str]) -> rx.Component:
    """Draw a subagent of the agent itself."""
    del person
    return agent_article(row, agent, rx.el.div(_step(row, lane_one), class_name="parts"))


@rx.memo
def lane_one(*, lane: rx.Var[str]) -> rx.Component:
    """Draw what stands in a lane of the transcript."""
    return _rows(lane, 1, lambda row: _step(row, lane_two))


@rx.memo
def lane_two(*, lane: rx.Var[str]) -> rx.Component:
    """Draw what stands in a lane within a lane."""
    return _rows(lane, 2, lambda row: _step(row, lane_three))


@rx.memo
def lane_three(*, lane: rx.Var[str]) -> rx.Component:
    """Draw what stands in the third lane, and everything deeper."""
    return _rows(lane, 3, _flat)


@rx.memo
def lane_parts(*, row: rx.Var[LaneRow]) -> rx.Component:
    """Draw the parts of a subagent's row; drawn again only when its record changed."""
    return rx.el.div(
        rx.cond(row.within, rx.el.p(t("lane.in", name=row.within), class_name="hint")),
        rx.foreach(row.parts, lambda part: rx.fragment(part_view(row, part), key=part.key)),
        class_name="parts",
    )


def _rows(lane: rx.Var[str], depth: int, nested: Callable[[rx.Var[LaneRow]], rx.Component]) -> rx.Component:
    def drawn(row: rx.Var[LaneRow]) -> rx.Component:
        own = lane_parts(row=row)
        return rx.fragment(rx.cond(row.kind == "lane", nested(row), own), key=row.key)

    return rx.el.div(rx.foreach(browser.lane_rows(lane, depth, LaneRow), drawn), class_name="lane-body")


def _step(row: rx.Var[Row], body: Callable[..., rx.Component]) -> rx.Component:
    part = row.parts[0]
    return browser.Step.create(
        _summary(part),
        rx.el.div(_outcome(part), body(lane=part.key)),
        name=row.key,
        live=(part.status == "running") | (part.status == "suspended"),
        failed=part.status == "failed",
        class_name="lane",
    )


def _summary(part: rx.Var[Part]) -> rx.Component:
    return rx.el.summary(
        rx.el.span(icon("bot"), class_name="node " + _look(part, 0)),
        rx.el.span(browser.title(part.name), class_name="name", dir="auto"),
        rx.el.span(t("lane"), class_name="tag"),
        rx.el.span(part.text, class_name="sum cut", dir="auto"),
        _status(part),
        rx.el.span(browser.lasted(part.started, part.ended), class_name="dur"),
        icon("chevron-right", small=True, extra="chev i-flip"),
    )


def _status(part: rx.Var[Part]) -> rx.Component:
    return rx.el.span(
        match(part.status, "lane", tuple(LOOKS), "lane.aborted"), class_name="st " + _look(part, 1)
    )


def _look(part: rx.Var[Part], field: int) -> rx.Var[str]:
    return choose(part.status, {code: look[field] for code, look in LOOKS.items()}, "")


def _outcome(part: rx.Var[Part]) -> rx.Component:
    failed = rx.el.div(
        icon("circle-x"), rx.el.div(browser.Result.create(text=part.result)), class_name="problem"
    )
    given = rx.el.div(
        rx.el.div(t("lane.result"), class_name="part-h"),
        browser.Result.create(text=part.result),
        class_name="part",
    )
    return rx.cond(part.result != "", rx.cond(part.status == "failed", failed, given))


def _flat(row: rx.Var[LaneRow]) -> rx.Component:
    """Draw a subagent that is too deep for a lane of its own: a line, under which its rows follow."""
    part = row.parts[0]
    return rx.el.div(
        rx.el.span(icon("bot"), class_name="node"),
        rx.el.span(browser.title(part.name), class_name="name", dir="auto"),
        rx.cond(row.within, rx.el.span(t("lane.in", name=row.within), class_name="muted")),
        _status(part),
        class_name="step-line",
    )
