"""Views of single tools, by the tool's name; a tool without one is drawn by content (`ui/parts/tool.py`).

A view draws what a call amounts to; arguments and result stay below it, as they are. Add one: a file here, a line in
`TOOLS`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import reflex as rx

from chat_app.services.rows import Part, Row
from chat_app.ui.tools.order import order

ToolView = Callable[[rx.Var[Row], rx.Var[Part]], rx.Component]

TOOLS: Final[Mapping[str, ToolView]] = {
    "look_up_order": order,
}

_added: dict[str, ToolView] = {}


def views() -> Mapping[str, ToolView]:
    """Return every view of a tool: `TOOLS`, and those that packages outside this repository have added."""
    return MappingProxyType({**TOOLS, **_added})


def add(name: str, view: ToolView) -> None:
    """Draw calls of the tool called `name` with this view too; called before the page is built.

    Raises:
        ValueError: the tool has a view already.
    """
    if name in views():
        raise ValueError(f"the tool {name!r} has a view already")
    _added[name] = view


def tool_view(row: rx.Var[Row], part: rx.Var[Part]) -> rx.Component:
    """Draw the view of the part's tool; nothing where it has none."""
    drawn = [(name, view(row, part)) for name, view in views().items()]
    return rx.match(part.name, *drawn, rx.fragment()) if drawn else rx.fragment()
