"""The pieces of a turn: text, reasoning, tool calls and activities, and what they are drawn with.

`PARTS` names the view of every kind of part; an unknown kind is drawn as an activity nobody knows.
"""

from collections.abc import Callable, Mapping
from typing import Final

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui.parts.activity import activity
from chat_app.ui.parts.customs import customs
from chat_app.ui.parts.plan import plan
from chat_app.ui.parts.reasoning import reasoning
from chat_app.ui.parts.surface import consent, surface
from chat_app.ui.parts.text import text
from chat_app.ui.parts.tool import tool

PartView = Callable[[rx.Var[Row], rx.Var[Part]], rx.Component]

PARTS: Final[Mapping[str, PartView]] = {
    "text": text,
    "reasoning": reasoning,
    "tool": tool,
    "activity": activity,
    "plan": plan,
    "surface": surface,
    "consent": consent,
    "customs": customs,
}


def part_view(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw one part of `row` by its kind."""
    return rx.match(
        part.kind, *[(kind, view(row, part)) for kind, view in PARTS.items()], activity(row, part)
    )
