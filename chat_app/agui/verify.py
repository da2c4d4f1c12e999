"""The verifier: checks each event against the rules of order, and does what the mode says.

It remembers what is open in the current run and who opened it; messages, state and their folding are
none of its business. Tables and modes are in `order`, attribution is in `owners`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, assert_never, cast

from chat_app.agui.errors import OutOfOrder
from chat_app.agui.events import (
    Event,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
)
from chat_app.agui.order import (
    AFTER_THE_END,
    CLOSERS,
    EASED,
    ITEMS,
    PASSED_WHEN_EASED,
    PHASES,
    STEP,
    Act,
    Family,
    Mode,
    Phase,
)
from chat_app.agui.owners import Owners, owner_name
from chat_app.agui.updates import Diagnostic

Key: TypeAlias = tuple[str | None, str]
"""An open item: for steps the owner and the name, for everything else the owner that opened it and the id."""

_Boundary: TypeAlias = RunStartedEvent | RunFinishedEvent | RunErrorEvent

# Types are compared, not tested with isinstance: on pydantic classes that costs more than a rule.
_BOUNDARIES: frozenset[type[Event]] = frozenset({RunStartedEvent, RunFinishedEvent, RunErrorEvent})


@dataclass(frozen=True, slots=True)
class _Violation:
    rule: str
    reason: str


class Verifier:
    """Judges the events of one stream in order.

    >>> from chat_app.agui.events import TextMessageEndEvent
    >>> verifier = Verifier(Mode.STRICT, report=print)
    >>> verifier.admit(TextMessageEndEvent(message_id="m"))
    Traceback (most recent call last):
    chat_app.agui.errors.OutOfOrder: A stream begins with RUN_STARTED or RUN_ERROR, not TEXT_MESSAGE_END
    """

    def __init__(self, mode: Mode, report: Callable[[Diagnostic], None]) -> None:
        self._mode = mode
        self._report = report
        self._phase = Phase.START
        self._thread_id: str | None = None
        self._run = _Run("")

    def admit(self, event: Event) -> tuple[Event, ...]:
        """Return what may go on: the event, nothing, or the event after the ends it lacked.

        Raises:
            OutOfOrder: the event breaks a rule that this mode insists on; nothing was recorded of it.
        """
        violation = self._judge(event)
        if violation is None:
            self._record(event)
            return (event,)
        return self._treat(violation, event)

    # ------------------------------------------------------------ judging

    def _judge(self, event: Event) -> _Violation | None:
        if self._phase is not Phase.ACTIVE or type(event) is RunStartedEvent:
            rule, places = PHASES[self._phase]
            return None if type(event) in places else _misplaced(rule, event)
        if type(event) is RunFinishedEvent:
            return self._run.judge_finish(event)
        return self._run.judge(event)

    # ------------------------------------------------------------ recording

    def _record(self, event: Event) -> None:
        if type(event) in _BOUNDARIES:
            self._record_boundary(cast("_Boundary", event))
        self._run.record(event)

    def _record_boundary(self, event: _Boundary) -> None:
        if isinstance(event, RunStartedEvent):
            self._note_thread(event.thread_id, "A run")
            self._run = _Run(event.run_id)
        elif isinstance(event, RunFinishedEvent):
            self._note_thread(event.thread_id, "RUN_FINISHED")
            self._note_run(event.run_id)
        self._phase = PHASES[self._phase][1].get(type(event), self._phase)

    def _note_thread(self, thread_id: str, what: str) -> None:
        if self._thread_id not in {None, thread_id}:
            words = f"{what} names threadId {thread_id!r}; so far the stream was on {self._thread_id!r}"
            self._report(Diagnostic("boundary-id", words, path="/threadId"))
        self._thread_id = thread_id

    def _note_run(self, run_id: str) -> None:
        if run_id != self._run.run_id:
            words = f"RUN_FINISHED names runId {run_id!r}; the run that started is {self._run.run_id!r}"
            self._report(Diagnostic("boundary-id", words, "RUN_FINISHED", "/runId"))

    # ------------------------------------------------------------ what a violation does

    def _treat(self, violation: _Violation, event: Event) -> tuple[Event, ...]:
        error = OutOfOrder(violation.rule, event.type.value, violation.reason)
        match self._mode:
            case Mode.STRICT:
                raise error
            case Mode.REPORT:
                return self._reported(error, event)
            case Mode.OFF:
                self._record(event)
                return (event,)
            case Mode.TOLERANT:
                if violation.rule not in EASED:
                    raise error
                return self._eased(error, event)
            case _:
                assert_never(self._mode)

    def _reported(self, error: OutOfOrder, event: Event) -> tuple[Event, ...]:
        # What trails a finished run changes nothing any more: it is noted, and is no error of a run.
        late = error.rule in AFTER_THE_END
        noted = None if late else error
        self._report(Diagnostic("out-of-order", error.message, error.event_type, error=noted))
        if late or not isinstance(event, RunFinishedEvent | RunErrorEvent):
            return ()
        self._record(event)
        return (event,)

    def _eased(self, error: OutOfOrder, event: Event) -> tuple[Event, ...]:
        if isinstance(event, RunFinishedEvent):
            return self._tidied(event)
        self._report(Diagnostic("out-of-order", error.message, error.event_type))
        return (event,) if type(event) in PASSED_WHEN_EASED else ()

    def _tidied(self, event: RunFinishedEvent) -> tuple[Event, ...]:
        ends = tuple(self._run.ends())
        for noun, name in self._run.open_items():
            words = f"RUN_FINISHED came while {noun} {name!r} was open; it was closed"
            self._report(Diagnostic("out-of-order", words, "RUN_FINISHED"))
        self._record(event)
        return (*ends, event)


class _Run:
    """What is open in one run, and whose it is."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self._open: dict[Family, dict[str | Key, str | None]] = {family: {} for family, _ in ITEMS.values()}
        self._owners = Owners()
        self._subagents: dict[str, bool] = {}  # id → still active

    # ------------------------------------------------------------ judging

    def judge(self, event: Event) -> _Violation | None:
        if act := ITEMS.get(type(event)):
            family, what = act
            if violation := self._judge_item(event, family, what):
                return violation
        elif isinstance(event, SubagentStartedEvent):
            return self._judge_subagent(event)
        elif isinstance(event, SubagentFinishedEvent | SubagentErrorEvent):
            return self._judge_subagent_end(event)
        conflict = self._owners.conflict(event)
        return _Violation("PV11", f"{event.type.value}: {conflict}") if conflict else None

    def _judge_item(self, event: Event, family: Family, act: Act) -> _Violation | None:
        key = _key(event, family)
        is_open = key in self._open[family]
        if is_open is not (act is Act.OPEN):
            return None
        name, noun = getattr(event, family.key), family.noun
        if act is Act.OPEN:
            return _Violation(family.rule, f"{event.type.value}: {noun} {name!r} is open already")
        return _Violation(
            family.rule, f"{event.type.value}: no {noun} {name!r} is open{self._elsewhere(key, family)}"
        )

    def _elsewhere(self, key: str | Key, family: Family) -> str:
        """Say who holds a step of that name, when it is not the one who finishes it."""
        if family is not STEP:
            return ""
        owner, name = cast("Key", key)
        others = [held for held, step in cast("list[Key]", list(self._open[STEP])) if step == name]
        return f" under {owner_name(owner)}, only under {owner_name(others[0])}" if others else ""

    def _judge_subagent(self, event: SubagentStartedEvent) -> _Violation | None:
        run_id, parent = event.subagent_run_id, event.parent_subagent_run_id
        if run_id in self._subagents:
            state = "active already" if self._subagents[run_id] else "over; its id names one invocation"
            return _Violation("PV10", f"SUBAGENT_STARTED: subagent {run_id!r} is {state}")
        if parent is not None and parent not in self._subagents:
            return _Violation("PV10", f"SUBAGENT_STARTED: parentSubagentRunId {parent!r} was never started")
        return None

    def _judge_subagent_end(self, event: SubagentFinishedEvent | SubagentErrorEvent) -> _Violation | None:
        if self._subagents.get(event.subagent_run_id):
            return None
        return _Violation("PV10", f"{event.type.value}: no subagent {event.subagent_run_id!r} is active")

    def judge_finish(self, event: RunFinishedEvent) -> _Violation | None:
        if repeated := _repeated_interrupts(event):
            return _Violation(
                "PV13", f"RUN_FINISHED asks twice under one interrupt id: {', '.join(repeated)}"
            )
        left = [f"{noun} {name!r}" for noun, name in self.open_items()]
        return _Violation("PV9", f"RUN_FINISHED came while open: {', '.join(left)}") if left else None

    # ------------------------------------------------------------ recording

    def record(self, event: Event) -> None:
        if act := ITEMS.get(type(event)):
            family, what = act
            if what is Act.OPEN:
                self._open[family][_key(event, family)] = getattr(event, "subagent_run_id", None)
            elif what is Act.CLOSE:
                self._open[family].pop(_key(event, family), None)
            else:
                return
        elif isinstance(event, SubagentStartedEvent):
            self._subagents[event.subagent_run_id] = True
        elif isinstance(event, SubagentFinishedEvent | SubagentErrorEvent):
            self._subagents[event.subagent_run_id] = False
        self._owners.record(event)

    # ------------------------------------------------------------ what is open

    def open_items(self) -> Iterator[tuple[str, str]]:
        """Yield what is open as noun and name."""
        for family, items in self._open.items():
            for key in items:
                yield family.noun, key if isinstance(key, str) else key[1]
        for run_id, active in self._subagents.items():
            if active:
                yield "subagent", run_id

    def ends(self) -> Iterator[Event]:
        """Yield the events that end the open items; how a subagent ended nobody can say for it."""
        for family, items in self._open.items():
            for key in items:
                owner, name = key if isinstance(key, tuple) else (None, key)
                tag = {} if owner is None else {"subagent_run_id": owner}
                yield CLOSERS[family](**{family.key: name}, **tag)


def _key(event: Event, family: Family) -> str | Key:
    name: str = getattr(event, family.key)
    return (getattr(event, "subagent_run_id", None), name) if family is STEP else name


def _repeated_interrupts(event: RunFinishedEvent) -> list[str]:
    if event.outcome is None or event.outcome.type != "interrupt":
        return []
    counts = Counter(interrupt.id for interrupt in event.outcome.interrupts)
    return [name for name, count in counts.items() if count > 1]


_PLACES = {
    "PV1": "A stream begins with RUN_STARTED or RUN_ERROR, not {}",
    "PV2": "{} came while a run is still active",
    "PV3": "The run has already finished with RUN_FINISHED; {} has no place after it",
    "PV4": "The run has already failed with RUN_ERROR; {} has no place after it",
}


def _misplaced(rule: str, event: Event) -> _Violation:
    return _Violation(rule, _PLACES[rule].format(event.type.value))
