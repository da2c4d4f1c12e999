"""Chunk expansion: shorthand events become the start, content and end they stand for.

Each owner (the parent agent, or one subagent invocation) has a lane, and a lane holds at most one
open item. What opens, continues and closes a lane is the protocol's (basic/patterns/streaming);
the events that close are in two tables below. A stream that ends gets no end from here by itself.
"""

from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias, cast

from chat_app.agui.errors import OutOfOrder
from chat_app.agui.events import (
    ChunkEvent,
    CustomEvent,
    Event,
    MessagesSnapshotEvent,
    ReasoningEndEvent,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    WireEvent,
)

RULE = "PV12"

Kind: TypeAlias = Literal["text", "tool", "reasoning"]

_CLOSES_OWN_LANE: frozenset[type[Event]] = frozenset(
    {
        TextMessageStartEvent,
        TextMessageContentEvent,
        TextMessageEndEvent,
        ToolCallStartEvent,
        ToolCallArgsEvent,
        ToolCallEndEvent,
        ToolCallResultEvent,
        StateSnapshotEvent,
        StateDeltaEvent,
        CustomEvent,
        StepStartedEvent,
        StepFinishedEvent,
        ReasoningStartEvent,
        ReasoningEndEvent,
        ReasoningMessageStartEvent,
        ReasoningMessageContentEvent,
        ReasoningMessageEndEvent,
        SubagentFinishedEvent,
        SubagentErrorEvent,
    }
)
_CLOSES_ALL_LANES: frozenset[type[Event]] = frozenset(
    {RunStartedEvent, RunFinishedEvent, RunErrorEvent, MessagesSnapshotEvent}
)


@dataclass(frozen=True, slots=True)
class _Family:
    """What differs between the three kinds: names, and the events a chunk stands for."""

    kind: Kind
    id_field: str
    needed: tuple[str, ...]
    opener: tuple[str, ...]
    start: type[Event]
    content: type[Event]
    end: type[Event]

    @property
    def id_name(self) -> str:
        return _wire(self.id_field)


_FAMILIES: dict[type[ChunkEvent], _Family] = {
    TextMessageChunkEvent: _Family(
        "text",
        "message_id",
        ("message_id",),
        ("role", "name"),
        TextMessageStartEvent,
        TextMessageContentEvent,
        TextMessageEndEvent,
    ),
    ToolCallChunkEvent: _Family(
        "tool",
        "tool_call_id",
        ("tool_call_id", "tool_call_name"),
        ("tool_call_name", "parent_message_id"),
        ToolCallStartEvent,
        ToolCallArgsEvent,
        ToolCallEndEvent,
    ),
    ReasoningMessageChunkEvent: _Family(
        "reasoning",
        "message_id",
        ("message_id",),
        (),
        ReasoningMessageStartEvent,
        ReasoningMessageContentEvent,
        ReasoningMessageEndEvent,
    ),
}

_ASSUMED: dict[str, object] = {"role": "assistant"}
"""What an opener means by leaving a field out."""


@dataclass(frozen=True, slots=True)
class _Item:
    """The item a lane holds: its id, what its first chunk established, and whose it is."""

    family: _Family
    item_id: str
    opener: dict[str, object]
    owner: str | None

    def address(self, tag: str | None = None) -> dict[str, Any]:
        owner = tag or self.owner
        return {self.family.id_field: self.item_id} | (
            {"subagent_run_id": owner} if owner is not None else {}
        )


class ChunkExpander:
    """Expands the chunks of one stream; everything else passes, after the ends it calls for."""

    def __init__(self) -> None:
        self._lanes: dict[str | None, _Item] = {}

    def feed(self, event: WireEvent) -> tuple[Event, ...]:
        """Return the events that ``event`` stands for, in order.

        Raises:
            OutOfOrder: a chunk has no place: it lacks what a first chunk needs, contradicts the one that
                opened its item, or could continue several. Nothing has changed then.
        """
        family = _FAMILIES.get(type(event))  # type: ignore[arg-type] # an event of no family is not found
        if family is not None:
            return self._expand(cast("ChunkEvent", event), family)
        plain = cast("Event", event)
        return (*self._ends_before(plain), plain) if self._lanes else (plain,)

    def finish(self) -> tuple[Event, ...]:
        """Close what is open and return the ends. A cut stream gets none, so do not call this for one."""
        return self._close(tuple(self._lanes))

    # ------------------------------------------------------------ closing

    def _ends_before(self, event: Event) -> tuple[Event, ...]:
        if type(event) in _CLOSES_ALL_LANES:
            return self.finish()
        if type(event) in _CLOSES_OWN_LANE:
            return self._close((getattr(event, "subagent_run_id", None),))
        return ()

    def _close(self, owners: tuple[str | None, ...]) -> tuple[Event, ...]:
        held = [item for owner in owners if (item := self._lanes.pop(owner, None))]
        return tuple(_made(item.family.end, item.address()) for item in held)

    # ------------------------------------------------------------ expanding

    def _expand(self, chunk: ChunkEvent, family: _Family) -> tuple[Event, ...]:
        item_id = cast("str | None", getattr(chunk, family.id_field))
        owner = self._lane_of(chunk, item_id, family)
        item = self._lanes.get(owner)
        if item is not None and item.family is family and item_id in {None, item.item_id}:
            _refuse_contradiction(chunk, item)
            return _content(chunk, item, opening=False)
        return self._open(chunk, family, owner)

    def _lane_of(self, chunk: ChunkEvent, item_id: str | None, family: _Family) -> str | None:
        tag = chunk.subagent_run_id
        if item_id is None:
            return self._unnamed_lane(chunk, family) if tag is None else tag
        for owner, item in self._lanes.items():
            if item.family is family and item.item_id == item_id:
                if tag not in {None, owner}:
                    _refuse(
                        chunk, f"{family.id_name} {item_id!r} belongs to {_who(owner)}, not to {_who(tag)}"
                    )
                return owner
        return tag

    def _unnamed_lane(self, chunk: ChunkEvent, family: _Family) -> str | None:
        """Return the lane of a chunk with neither id nor tag: the parent's, or the only one that fits."""
        fitting = [owner for owner, item in self._lanes.items() if item.family is family]
        if None in fitting or not fitting:
            return None
        if len(fitting) > 1:
            _refuse(chunk, f"it names neither {family.id_name} nor subagentRunId, and could continue several")
        return fitting[0]

    def _open(self, chunk: ChunkEvent, family: _Family, owner: str | None) -> tuple[Event, ...]:
        for field in family.needed:
            if getattr(chunk, field) is None:
                _refuse(chunk, f"the first one of an item must have a {_wire(field)}")
        opener = {field: _established(chunk, field) for field in family.opener}
        item = _Item(family, getattr(chunk, family.id_field), opener, owner)
        ends = self._close((owner,))
        self._lanes[owner] = item
        start = _made(family.start, item.address() | _opening(item), chunk)
        return (*ends, start, *_content(chunk, item, opening=True))


def _opening(item: _Item) -> dict[str, object]:
    role: dict[str, object] = {"role": "reasoning"} if item.family.kind == "reasoning" else {}
    return {name: value for name, value in item.opener.items() if value is not None} | role


def _content(chunk: ChunkEvent, item: _Item, *, opening: bool) -> tuple[Event, ...]:
    """Return the content event of a chunk, if it says anything.

    Metadata alone needs a carrier only where no start carries it; a raw event always needs one.
    """
    if chunk.delta is None and chunk.raw_event is None and (opening or chunk.metadata is None):
        return ()
    fields = item.address(chunk.subagent_run_id) | {"delta": chunk.delta or ""}
    if chunk.raw_event is not None:
        fields["raw_event"] = chunk.raw_event
    return (_made(item.family.content, fields, chunk),)


def _made(model: type[Event], fields: dict[str, Any], chunk: ChunkEvent | None = None) -> Event:
    if chunk is not None and chunk.metadata is not None:
        fields["metadata"] = dict(chunk.metadata)
    return model(**fields)


def _established(chunk: ChunkEvent, field: str) -> object:
    given = getattr(chunk, field)
    return _ASSUMED.get(field) if given is None else given


def _refuse_contradiction(chunk: ChunkEvent, item: _Item) -> None:
    """Refuse a continuation that repeats an opening field with another value.

    Raises:
        OutOfOrder: the two differ; that the opener left the field out counts as a value.
    """
    for field, established in item.opener.items():
        given = getattr(chunk, field)
        if given is not None and given != established:
            _refuse(
                chunk,
                f"{_wire(field)} {given!r} does not match the {established!r} that"
                f" {item.family.id_name} {item.item_id!r} opened with",
            )


def _refuse(chunk: ChunkEvent, reason: str) -> NoReturn:
    raise OutOfOrder(RULE, chunk.type.value, f"{chunk.type.value} cannot be expanded: {reason}")


def _who(owner: str | None) -> str:
    return "the parent agent" if owner is None else f"subagent {owner!r}"


def _wire(field: str) -> str:
    first, *rest = field.split("_")
    return first + "".join(word.title() for word in rest)
