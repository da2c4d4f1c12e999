"""The tools that Parley itself offers to agents; an admin says which of them an agent gets.

Add one: a module with a function that makes it, and a line in `TOOLS`. A package outside this repository adds its own
by `chat_app.extend.add_tool`.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from chat_app.agui import AskTool, FrontendTool, RunTool
from chat_app.tools.ask_person import ask_person
from chat_app.tools.tell_time import tell_time

__all__ = ["TOOLS", "Clock", "MakeTool", "add", "known", "offered"]

Clock = Callable[[], datetime]
MakeTool = Callable[[Clock], RunTool[Any] | AskTool]

TOOLS: Final[Mapping[str, MakeTool]] = {"ask_person": ask_person, "tell_time": tell_time}
"""Makes each tool of this repository, by its name; a clock is handed in."""

_added: dict[str, MakeTool] = {}


def known() -> Mapping[str, MakeTool]:
    """Return what makes each tool there is: `TOOLS`, and those that packages outside this repository have added."""
    return MappingProxyType({**TOOLS, **_added})


def add(name: str, make: MakeTool) -> None:
    """Offer this tool too; called before the server starts.

    Raises:
        ValueError: there is a tool of this name.
    """
    if name in known():
        raise ValueError(f"there is a tool {name!r} already")
    _added[name] = make


def offered(names: Iterable[str], now: Clock) -> tuple[FrontendTool, ...]:
    """Return the tools of these names, in the order of `known`; a name of none is left out."""
    wanted = frozenset(names)
    return tuple(make(now) for name, make in known().items() if name in wanted)
