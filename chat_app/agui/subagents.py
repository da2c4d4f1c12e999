"""The registry of subagent invocations: who was announced, under whom, and how each stands.

Invocations outlive runs: one that was suspended and is announced again is the same row. Tags alone,
without these events, group messages but make no row.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from chat_app.agui.events import (
    Event,
    RunErrorEvent,
    RunFinishedEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
)
from chat_app.agui.updates import SubagentChanged, SubagentStatus


@dataclass(frozen=True, slots=True)
class Subagent:
    """One invocation of a subagent; ``name`` is the id when nobody announced it.

    >>> registry = SubagentRegistry()
    >>> registry.apply(SubagentStartedEvent(subagent_run_id="s", name="checker"))[0].status.value
    'running'
    >>> found: Subagent = registry.get("s")
    >>> found.name, found.parent_id
    ('checker', None)
    """

    subagent_run_id: str
    name: str
    status: SubagentStatus
    description: str | None = None
    parent_id: str | None = None
    parent_call_id: str | None = None
    parent_message_id: str | None = None
    result: JsonValue = None
    interrupt_ids: tuple[str, ...] = ()
    message: str | None = None
    code: str | None = None


class SubagentRegistry:
    """Folds the subagents' own events; everything else leaves it as it is."""

    def __init__(self) -> None:
        self._rows: dict[str, Subagent] = {}

    def __iter__(self) -> Iterator[Subagent]:
        return iter(self._rows.values())

    def get(self, subagent_run_id: str) -> Subagent | None:
        """Return the invocation of this id."""
        return self._rows.get(subagent_run_id)

    def apply(self, event: Event) -> tuple[SubagentChanged, ...]:
        """Fold an event and return what changed."""
        match event:
            case SubagentStartedEvent():
                return (self._start(event),)
            case SubagentFinishedEvent():
                return (self._finish(event),)
            case SubagentErrorEvent():
                known = self._known(event.subagent_run_id)
                failed = replace(known, status=SubagentStatus.FAILED, message=event.message, code=event.code)
                return (self._set(failed),)
            case RunFinishedEvent() | RunErrorEvent():
                return tuple(self._abandon())
            case _:
                return ()

    def _start(self, event: SubagentStartedEvent) -> SubagentChanged:
        before = self._rows.get(event.subagent_run_id)
        resumed = before is not None and before.status is SubagentStatus.SUSPENDED
        row = Subagent(
            event.subagent_run_id,
            event.name,
            SubagentStatus.RUNNING,
            event.description,
            event.parent_subagent_run_id,
            event.parent_tool_call_id,
            event.parent_message_id,
        )
        return replace(self._set(row), resumed=resumed)

    def _finish(self, event: SubagentFinishedEvent) -> SubagentChanged:
        known = self._known(event.subagent_run_id)
        if event.outcome is not None and event.outcome.type == "suspended":
            ids = tuple(event.outcome.interrupt_ids or ())
            return self._set(replace(known, status=SubagentStatus.SUSPENDED, interrupt_ids=ids))
        return self._set(replace(known, status=SubagentStatus.FINISHED, result=event.result))

    def _abandon(self) -> Iterator[SubagentChanged]:
        """Abort what the end of a run leaves running: nobody can say how it went."""
        for row in list(self._rows.values()):
            if row.status is SubagentStatus.RUNNING:
                yield self._set(replace(row, status=SubagentStatus.ABORTED))

    def _known(self, run_id: str) -> Subagent:
        return self._rows.get(run_id) or Subagent(run_id, run_id, SubagentStatus.RUNNING)

    def _set(self, row: Subagent) -> SubagentChanged:
        self._rows[row.subagent_run_id] = row
        return SubagentChanged(row.subagent_run_id, row.status)
