"""The pure half of a run: raw frames in, verified and expanded events out, in the protocol's order.

::

    frame → boundary → enforcement → chunk expansion → verifier → events for the folds

One `Pipeline` reads one stream, that is one exchange with the agent, which may hold several runs.
Each stage is a small synchronous machine of its own; nothing here awaits, folds or sends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from chat_app.agui.boundary import Boundary
from chat_app.agui.chunks import ChunkExpander
from chat_app.agui.enforcement import Enforcer
from chat_app.agui.errors import OutOfOrder
from chat_app.agui.events import Event, WireEvent
from chat_app.agui.order import Mode
from chat_app.agui.surrogates import HalfJoiner, scrub_frame
from chat_app.agui.updates import Diagnostic
from chat_app.agui.verify import Verifier
from chat_app.agui.versions import version_concern


@dataclass(frozen=True, slots=True)
class Reading:
    """How strictly a peer is read.

    ``lenient_shapes`` reads nulls as absent and lets early reasoning messages call themselves an
    assistant's, as long as the run declares no protocol version.
    """

    mode: Mode
    lenient_shapes: bool = False


STRICT: Final = Reading(Mode.STRICT)
"""The protocol to the letter: what a peer of today is held to."""

TOLERANT: Final = Reading(Mode.TOLERANT, lenient_shapes=True)
"""Strict where a mistake would change the meaning of a run, mending where real servers slip."""


class Pipeline:
    """Reads the frames of one stream.

    >>> pipeline = Pipeline(STRICT, report=print, new_id=lambda: "made-here")
    >>> [event.type.value for event in pipeline.feed({"type": "RUN_ERROR", "message": "closed"})]
    ['RUN_ERROR']
    """

    def __init__(
        self, reading: Reading, *, report: Callable[[Diagnostic], None], new_id: Callable[[], str]
    ) -> None:
        self._reading = reading
        self._report = report
        self._boundary = Boundary(new_id, report, role_shim=reading.lenient_shapes)
        self._enforcer = Enforcer(report, drop_nulls=reading.lenient_shapes)
        self._chunks = ChunkExpander()
        self._verifier = Verifier(reading.mode, report)
        self._halves = HalfJoiner()

    def feed(self, raw: dict[str, JsonValue]) -> tuple[Event, ...]:
        """Return the events that one frame brings, in order; often one, sometimes none.

        Diagnostics are reported before the events they are about.

        Raises:
            BadEvent: a described field is malformed.
            OutOfOrder: the event breaks a rule that this reading insists on.
        """
        if raw["type"] == "RUN_STARTED":
            self._hear_version(raw.get("protocolVersion"))
        event = self._enforcer.enforce(self._boundary.upgrade(scrub_frame(raw)))
        return () if event is None else self._verified(self._expanded(event))

    def finish(self) -> tuple[Event, ...]:
        """Close what chunks left open and return the ends; not for a stream that was cut."""
        return self._verified(self._chunks.finish())

    def _expanded(self, event: WireEvent) -> tuple[Event, ...]:
        try:
            return self._chunks.feed(event)
        except OutOfOrder as error:
            if self._reading.mode in {Mode.STRICT, Mode.TOLERANT}:
                raise
            reported = error if self._reading.mode is Mode.REPORT else None
            self._report(Diagnostic("out-of-order", error.message, error.event_type, error=reported))
            return ()

    def _verified(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        if len(events) == 1:
            admitted = self._verifier.admit(events[0])
        else:
            admitted = tuple(item for event in events for item in self._verifier.admit(event))
        if len(admitted) == 1:
            return self._halves.feed(admitted[0])
        return tuple(item for event in admitted for item in self._halves.feed(event))

    def _hear_version(self, declared: JsonValue) -> None:
        lenient = self._reading.lenient_shapes and declared is None
        self._enforcer.drop_nulls = self._boundary.role_shim = lenient
        if isinstance(declared, str) and (concern := version_concern(declared)):
            self._report(Diagnostic("version", concern, "RUN_STARTED", "/protocolVersion"))


__all__ = ["STRICT", "TOLERANT", "Mode", "Pipeline", "Reading"]
