"""The small document everybody may see of the agent, and how it travels: once whole, then as differences.

The agent's own part are six fields at the top; the state of the application stands under ``app``. Deltas are
computed from the document that was last sent, so they are right by construction and need no log.
"""

import logging
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Final, Protocol, TypeAlias, assert_never

import jsonpatch
from ag_ui.core import StateDeltaEvent, StateSnapshotEvent
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from chat_app.agent.sse import compact_json
from chat_app.agent.turn_events import (
    AppStateChanged,
    ModeChanged,
    PermissionRequest,
    PlanUpdated,
    StateChanged,
    StateEvent,
    UiResolved,
    Usage,
    UsageUpdated,
)

logger = logging.getLogger(__name__)

APP: Final = "app"
IDLE: Final = "idle"
RUNNING: Final = "running"
WAITING: Final = "waiting"

StateLine: TypeAlias = StateSnapshotEvent | StateDeltaEvent


class Projection(BaseModel):
    """What is seen of the agent. ``app`` is not part of the document before an application has a state."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)

    mode: str = "chat"
    model: str = ""
    plan: list[JsonValue] = Field(default_factory=list)
    pending_permission: dict[str, JsonValue] | None = None
    status: str = IDLE
    usage: dict[str, int] = Field(default_factory=dict)
    app: JsonValue = None

    def document(self) -> dict[str, JsonValue]:
        """Give the document as it travels, sharing nothing with this record."""
        without = set() if APP in self.model_fields_set else {APP}
        return self.model_dump(mode="json", by_alias=True, exclude=without)

    def having(self, **fields: JsonValue) -> "Projection":
        """Give the projection with these fields replaced."""
        return self.model_copy(update=fields)


class ProjectionStore(Protocol):
    """Keeps the document of each conversation between its turns."""

    async def load_projection(self, thread_id: str) -> JsonValue:
        """Give the document kept last; None when there is none."""


async def initial_projection(store: ProjectionStore, thread_id: str, *, default: Projection) -> Projection:
    """Read the projection a conversation was left with; the default for a new one (S32).

    A document that an other version of the agent wrote, and this one cannot read, counts as none.
    """
    stored = await store.load_projection(thread_id)
    if stored is None:
        return default
    try:
        return Projection.model_validate(stored)
    except ValidationError:
        logger.warning("The kept projection of thread %s cannot be read; it starts anew.", thread_id)
        return default


def advanced(before: Projection, event: StateEvent) -> Projection:
    """Give the projection after an event."""
    match event:
        case StateChanged(status, model):
            return before.having(status=status or before.status, model=model or before.model)
        case ModeChanged(mode):
            return before.having(mode=mode)
        case PlanUpdated(plan):
            return before.having(plan=deepcopy(list(plan)))
        case UsageUpdated(usage):
            return before.having(usage={**before.usage, **_added(before.usage, usage)})
        case AppStateChanged(app):
            return before.having(app=deepcopy(app))
        case PermissionRequest() | UiResolved():
            return _permitted(before, event)
        case _ as never:
            assert_never(never)


def _added(before: Mapping[str, int], spent: Usage) -> dict[str, int]:
    """Add what was spent to the counts. One that never was anything but nothing stays absent."""
    now = {"inputTokens": spent.input_tokens, "outputTokens": spent.output_tokens}
    return {name: before.get(name, 0) + count for name, count in now.items() if count}


def _permitted(before: Projection, event: PermissionRequest | UiResolved) -> Projection:
    if isinstance(event, PermissionRequest):
        asked = {**deepcopy(dict(event.detail)), "id": event.id, "tool": event.tool}
        return before.having(pending_permission=asked)
    pending = before.pending_permission
    if pending is None or pending.get("id") != event.id:
        return before
    return before.having(pending_permission=None)


class SharedState:
    """The projection of one connection, and the document its client holds."""

    def __init__(self, projection: Projection) -> None:
        self.projection = projection
        self._sent: dict[str, JsonValue] | None = None

    def snapshot(self) -> StateSnapshotEvent:
        """Send the document whole; it is the base of the deltas from here on (S22, S23)."""
        self._sent = self.projection.document()
        return StateSnapshotEvent(snapshot=self._sent)

    def apply(self, event: StateEvent) -> Iterator[StateLine]:
        """Advance the projection and send what changed: nothing, a minimal delta, or the document.

        The document goes out when the client holds none yet (S24), or when the delta would be longer than
        the document itself (R62).
        """
        self.projection = advanced(self.projection, event)
        if self._sent is None:
            yield self.snapshot()
            return
        document = self.projection.document()
        delta = jsonpatch.make_patch(self._sent, document).patch
        if not delta:
            return
        if len(compact_json(delta)) > len(compact_json(document)):
            yield self.snapshot()
            return
        self._sent = document
        yield StateDeltaEvent(delta=delta)
