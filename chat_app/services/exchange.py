"""One exchange, driven from its first event to its last commit.

The session is built from SQL, runs against the agent, and is dropped afterwards. Whatever happens on the way (a stop,
a lost connection, an agent that breaks the protocol, a fault of our own), the run is closed, what arrived is kept,
and the exchange ends with one last commit.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

import structlog
from ag_ui.core import RunErrorEvent, RunStartedEvent
from pydantic import JsonValue

from chat_app.agui import (
    CANCELLED,
    CLIENT_ERROR,
    Cancelled,
    Diagnostic,
    Event,
    Failed,
    Idle,
    Interrupt,
    Interrupted,
    LocalMessage,
    LogEntry,
    ResumeEntry,
    RowChange,
    RunEnd,
    Running,
    RunParams,
    Session,
    Success,
    ToolCallPart,
    expires_at,
)
from chat_app.data.records import ExchangeKind, InterruptRecord, RunRecord, RunStatus, ThreadMark
from chat_app.services.agents import Peer
from chat_app.services.batch import ClosedRun
from chat_app.services.digest import fingerprint
from chat_app.services.hub import Channel
from chat_app.services.journal import Journal
from chat_app.services.problems import INTERNAL, code_of
from chat_app.services.recorder import Ground, Recorder

_log = structlog.get_logger(__name__)

SERVER_RESTART = "SERVER_RESTART"
REASONS = {
    CANCELLED: "Run cancelled",
    SERVER_RESTART: "The server restarted before the answer was complete",
    INTERNAL: "Parley could not keep the answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an exchange has to do, read from SQL in one transaction.

    `entries` are the answers it carries: those of the decision that started it, or those owed from a failed run.
    `finished` says that the log already holds how its run ended.
    """

    ground: Ground
    kind: ExchangeKind
    wire_thread: str
    log: list[LogEntry]
    pending: tuple[Interrupt, ...]
    entries: tuple[ResumeEntry, ...]
    finished: bool
    peer: Peer


@dataclass(frozen=True, slots=True)
class Makers:
    """The clock and the id maker, handed in."""

    now: Callable[[], datetime]
    new_id: Callable[[], str]


class Exchange:
    """Drives one exchange. `stop` and the end of the process reach it as a cancellation of its task."""

    def __init__(self, work: Work, channel: Channel, journal: Journal, makers: Makers) -> None:
        """Prepare the session and its recorder; nothing is sent yet."""
        self._work = work
        self._journal = journal
        self._makers = makers
        self._id = work.ground.exchange
        self._reason = CANCELLED
        self._closing = False
        self._runs = 0
        self._counted: Counter[str] = Counter()
        resuming = work.kind == "resume"
        self._session: Session[JsonValue] = Session.restore(
            work.peer.transport,
            work.wire_thread,
            work.log,
            pending=work.pending,
            owed=() if resuming else work.entries,
            profile=work.peer.profile,
            on_event=self._heard,
            on_local=self._spoke,
            on_diagnostic=self._noted,
            now=makers.now,
        )
        self._before = self._session.end
        self._recorder = Recorder(
            work.ground, self._session.reducer, channel, now=makers.now, new_id=makers.new_id
        )

    def stop_as(self, reason: str) -> bool:
        """Say why the coming cancellation comes; returns False when the run is over and only its commit is left."""
        if not self._closing:
            self._reason = reason
        return not self._closing

    async def run(self, lost: Callable[[], None]) -> bool:
        """Run to the end and commit it; `lost` is called when the exchange is somebody else's or cannot be written.

        Returns whether everything was committed.
        """
        refused: list[str] = []

        def refuse() -> None:
            refused.append(self._id)
            lost()

        self._journal.add(self._id, self._recorder, refuse)
        try:
            await self._commit(await self._end())
        finally:
            self._journal.remove(self._id)
        return not refused

    async def close_as(self, reason: str) -> bool:
        """Close an exchange that will not run (any more): by what its log says, else as failed for `reason`.

        Returns False when that could not be written: it belongs to another worker now, or was refused for good.
        """
        self._reason = reason
        refused: list[str] = []
        self._journal.add(self._id, self._recorder, lambda: refused.append(self._id))
        try:
            await self._commit(self._said() or self._abandon(REASONS[reason], reason))
        finally:
            self._journal.remove(self._id)
        return not refused

    def _said(self) -> RunEnd | None:
        """Return how the run ended if the log holds it: the process died between the end and its commit."""
        run = self._session.transcript.run
        return run if self._work.finished and not isinstance(run, Idle | Running) else None

    async def _commit(self, end: RunEnd) -> None:
        self._closing = True
        self._close(end)
        await self._journal.finish(self._id)

    async def _end(self) -> RunEnd:
        params = RunParams(run_id=self._work.ground.run.wire_run_id)
        try:
            if self._work.kind == "resume":
                return await self._session.resume(self._work.entries, params)
            return await self._session.run(params)
        except asyncio.CancelledError:
            return self._stopped()
        except Exception:  # noqa: BLE001 - the boundary: a fault of ours ends this run, never the process
            _log.exception("exchange_broke", exchange=self._id)
            return self._abandon("Parley failed while it talked to the agent.", INTERNAL)

    def _stopped(self) -> RunEnd:
        task = asyncio.current_task()
        assert task is not None  # it was just cancelled
        task.uncancel()  # the cancellation was the message; closing the run is the answer to it
        end = self._session.end
        ended_now = end is not None and end is not self._before  # else it was stopped before it had begun
        return end if end and ended_now else self._abandon(REASONS[self._reason], self._reason)

    def _abandon(self, message: str, code: str) -> Failed:
        event = RunErrorEvent(message=message, code=code)
        self._heard(event, self._session.reducer.apply(event))
        return Failed(self._recorder.run.wire_run_id, message, code)

    # ------------------------------------------------------------ hearing

    def _heard(self, event: Event, changes: tuple[RowChange, ...]) -> None:
        if isinstance(event, RunStartedEvent):
            self._started()
        if isinstance(event, RunErrorEvent) and event.code == CANCELLED and self._reason != CANCELLED:
            event = event.model_copy(update={"code": self._reason, "message": REASONS[self._reason]})
        boundary = self._recorder.record(event, changes)
        self._journal.noted(self._id, boundary=boundary)

    def _spoke(self, message: LocalMessage, changes: tuple[RowChange, ...]) -> None:
        self._journal.noted(self._id, boundary=self._recorder.record(message, changes))

    def _noted(self, diagnostic: Diagnostic) -> None:
        """Count a warning by its code, for whoever looks after the agent."""
        self._counted[diagnostic.code] += 1
        _log.debug("diagnostic", exchange=self._id, code=diagnostic.code, path=diagnostic.path)

    def _started(self) -> None:
        """A stream may carry several runs; each after the first gets a row of its own."""
        self._runs += 1
        if self._runs > 1 and self._session.end is not None:
            before = self._recorder.run
            self._close_run(self._session.end, ())
            self._recorder.open_run(
                RunRecord(
                    id=self._makers.new_id(),
                    exchange=self._id,
                    thread=before.thread,
                    wire_run_id=f"{before.wire_run_id}#{self._runs}",
                    started=self._makers.now(),
                )
            )

    # ------------------------------------------------------------ closing

    def _close(self, end: RunEnd) -> None:
        asked = end.interrupts if isinstance(end, Interrupted) else ()
        self._close_run(end, tuple(map(self._asked, asked)))
        state = (self._session.raw_state,) if self._session.state_seen else None
        self._recorder.end(_mark(_status(end), self._failure(end)[0]), state)

    def _close_run(self, end: RunEnd, interrupts: tuple[InterruptRecord, ...]) -> None:
        status = _status(end)
        code, message, problem = self._failure(end)
        said = status in ("failed", "cancelled")
        self._recorder.close_run(
            ClosedRun(
                run=self._recorder.run.id,
                status=status,
                at=self._makers.now(),
                error_code=code,
                error_message=message,
                diagnostics=self._diagnostics(problem),
                note_position=self._recorder.next_position() if said else None,
                interrupts=interrupts,
            )
        )

    def _failure(self, end: RunEnd) -> tuple[str | None, str | None, str | None]:
        if not isinstance(end, Failed):
            return None, None, None
        if end.code == CANCELLED and self._reason != CANCELLED:
            return self._reason, REASONS[self._reason], None
        return end.code, end.message, code_of(end) if end.code == CLIENT_ERROR else None

    def _diagnostics(self, problem: str | None) -> JsonValue:
        counts: dict[str, JsonValue] = dict(self._counted)
        return {"problem": problem, "counts": counts} if problem or counts else None

    def _asked(self, interrupt: Interrupt) -> InterruptRecord:
        call = self._call(interrupt.tool_call_id)
        return InterruptRecord(
            id=self._makers.new_id(),
            thread=self._recorder.run.thread,
            run=self._recorder.run.id,
            wire_id=interrupt.id,
            position=self._recorder.next_position(),
            reason=interrupt.reason,
            message=interrupt.message,
            tool_call=interrupt.tool_call_id,
            tool_name=call.name if call else None,
            args=call.args if call else None,
            response_schema=interrupt.response_schema,
            expires_at=expires_at(interrupt),
            metadata=interrupt.metadata,
            args_digest=fingerprint(call.args) if call else None,
            created=self._makers.now(),
        )

    def _call(self, call_id: str | None) -> ToolCallPart | None:
        parts = (part for message in reversed(self._session.transcript.messages) for part in message.parts)
        calls = (part for part in parts if isinstance(part, ToolCallPart) and part.wire_id == call_id)
        return next(calls, None)


def _status(end: RunEnd) -> RunStatus:
    match end:
        case Success():
            return "success"
        case Interrupted():
            return "interrupted"
        case Cancelled():
            return "cancelled"
        case Failed():
            return "failed"
        case _:
            assert_never(end)


def _mark(status: RunStatus, code: str | None) -> ThreadMark:
    """Return how the thread list marks a thread after such a run; one that a person stopped needs no mark."""
    if status == "interrupted":
        return "waiting"
    return "failed" if status == "failed" and (code or "").upper() != CANCELLED else ""
