"""The tools that Parley itself offers to agents; an admin says which of them an agent gets.

Add one: a module with a function that makes it, and a line in `TOOLS`.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from chat_app.agui import AskTool, FrontendTool, RunTool
from chat_app.tools.ask_person import ask_person
from chat_app.tools.tell_time import tell_time

__all__ = ["TOOLS", "offered"]

Made = RunTool[Any] | AskTool

TOOLS: Final[Mapping[str, Callable[[Callable[[], datetime]], Made]]] = {
    "ask_person": ask_person,
    "tell_time": tell_time,
}
"""Makes each tool, by name; a clock is handed in."""


def offered(names: Iterable[str], now: Callable[[], datetime]) -> tuple[FrontendTool, ...]:
    """Return the tools of these names, in the order of `TOOLS`; a name of none is left out."""
    wanted = frozenset(names)
    return tuple(make(now) for name, make in TOOLS.items() if name in wanted)
