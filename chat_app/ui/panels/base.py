"""What a panel is: where in the agent's state it looks, how that is read, and how it is drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx
from pydantic import BaseModel

from chat_app.services.panels import PanelSpec

Drawn = Callable[[rx.Var[Any], rx.Var[bool]], rx.Component]
"""Draws a view; the second var says whether its values may be changed now."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One way to look at the state an agent shares.

    `model` types what stands at `pointer` (a JSON Pointer), `view` projects it on the server to the frozen dataclass
    `shape`, and `component` draws that. Without a model the component gets the value as it is. Items of a view that
    have a `key` are marked when they change. `edits` are the pointers at which a person may write; `*` stands for one
    name, `**` at the end for anything below.
    """

    id: str
    title: rx.Var[str] | str
    component: Drawn
    pointer: str = ""
    model: type[BaseModel] | None = None
    view: Callable[[Any], object] | None = None
    shape: type = object
    edits: tuple[str, ...] = ()

    def spec(self) -> PanelSpec:
        """Return what the server needs of it."""
        return PanelSpec(self.id, self.pointer, self.model, self.view, self.edits)
