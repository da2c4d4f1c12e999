"""Scripted runs: what tests, demonstrations and recordings use in place of an agent.

A script is the list of frames that answer one run. An exception in it is raised at that point, the way
a connection breaks. A script may also be a function of the run input, which sees the ids of the run.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from typing import TypeAlias

from ag_ui.core import RunAgentInput
from pydantic import BaseModel

from chat_app.agui.errors import TransportError
from chat_app.agui.events import Event, dump_event
from chat_app.agui.transport.base import Frame

ScriptItem: TypeAlias = Frame | Event | Exception
Script: TypeAlias = Iterable[ScriptItem] | Callable[[RunAgentInput], Iterable[ScriptItem]]


class ReplayTransport:
    """Answers the first run with the first script, the second with the second, and so on.

    >>> transport = ReplayTransport([{"type": "RUN_ERROR", "message": "closed on Sundays"}])
    >>> transport.remaining, transport.requests
    (1, ())
    """

    def __init__(self, *scripts: Script) -> None:
        self._scripts = scripts
        self._requests: list[RunAgentInput] = []

    @property
    def requests(self) -> tuple[RunAgentInput, ...]:
        """What was sent so far, oldest first."""
        return tuple(self._requests)

    @property
    def remaining(self) -> int:
        """How many runs can still be answered."""
        return max(0, len(self._scripts) - len(self._requests))

    async def run(self, run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
        """Yield the frames of the next script.

        Raises:
            TransportError: No script is left, or the script says that the connection breaks here.
        """
        number = len(self._requests)
        self._requests.append(run_input)
        if number >= len(self._scripts):
            raise TransportError(f"No script is left for run {number + 1}; there were {len(self._scripts)}.")
        script = self._scripts[number]
        for item in script(run_input) if callable(script) else script:
            yield _played(item)


def _played(item: ScriptItem) -> Frame:
    """Return ``item`` as a frame, or raise it."""
    if isinstance(item, Exception):
        raise item
    return dump_event(item) if isinstance(item, BaseModel) else item
