"""One exchange, driven from its first event to its last commit.

The session is built from SQL, runs against the agent, and is dropped afterwards. Whatever happens on the way (a stop,
a lost connection, an agent that breaks the protocol, a fault of our own), the run is closed, what arrived is kept,
and the exchange ends with one last commit.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

import structlog
from ag_ui.core import RunErrorEvent, RunFinishedEvent, RunStartedEvent, StateDeltaEvent, StateSnapshotEvent
from pydantic import JsonValue
from structlog.contextvars import bind_contextvars

from chat_app import agui
from chat_app.agui import (
    CANCELLED,
    CLIENT_ERROR,
    Cancelled,
    Diagnostic,
    Done,
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
    ToolMessage,
)
from chat_app.data.records import ExchangeKind, InterruptRecord, RunRecord, RunStatus, ThreadMark
from chat_app.services.agents import Peer
from chat_app.services.answers import CallAnswer
from chat_app.services.asking import Asker, answers_of, consents_of
from chat_app.services.batch import ClosedRun
from chat_app.services.hub import Channel
from chat_app.services.journal import Journal
from chat_app.services.recorder import Ground, Recorder
from chat_app.services.run_codes import INTERNAL, code_of
from chat_app.services.working import Working

_log = structlog.get_logger(__name__)

SERVER_RESTART = "SERVER_RESTART"
BREATH = 64
"""Changes of one answer after which the others of the process get their turn, however fast they come."""
REASONS = {
    CANCELLED: "Run cancelled",
    SERVER_RESTART: "The server restarted before the answer was complete",
    INTERNAL: "Parley could not keep the answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an exchange has to do, read from SQL in one transaction.

    `entries` and `calls` are the answers it carries, to questions and to calls of ours: those of the decision that
    started it, or those owed from a failed run. `finished` says that the log already holds how its run ended,
    `stopping` that a person stopped it before it began.
    """

    ground: Ground
    kind: ExchangeKind
    wire_thread: str
    log: list[LogEntry]
    pending: tuple[Interrupt, ...]
    entries: tuple[ResumeEntry, ...]
    finished: bool
    peer: Peer
    calls: tuple[CallAnswer, ...] = ()
    stopping: bool = False


@dataclass(frozen=True, slots=True)
class Makers:
    """The clock and the id maker, handed in; `raw` keeps what is kept for nobody but a reader of the log."""

    now: Callable[[], datetime]
    new_id: Callable[[], str]
    raw: bool = False


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
        self._working = Working()
        self._spoke_of_state = False
        self._counted: Counter[str] = Counter()
        self._waiting: list[InterruptRecord] = []
        self._settled: list[InterruptRecord] = []
        self._session: Session[JsonValue] = Session.restore(
            work.peer.transport,
            work.wire_thread,
            work.log,
            pending=work.pending,
            owed=() if self._resumes else work.entries,
            tools=work.peer.tools,
            profile=work.peer.profile,
            on_event=self._heard,
            on_local=self._spoke,
            on_diagnostic=self._noted,
            now=makers.now,
        )
        self._before = self._session.end
        self._recorder = Recorder(
            work.ground, self._session.reducer, channel, now=makers.now, new_id=makers.new_id, raw=makers.raw
        )

    @property
    def stopping(self) -> bool:
        """Whether a person stopped it before it began."""
        return self._work.stopping

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
        bind_contextvars(run=self._work.ground.run.id)
        _log.info("run_started", kind=self._work.kind)

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
        _log.info("run_ended", status=_status(end))
        await self._journal.finish(self._id)

    async def _end(self) -> RunEnd:
        params = RunParams(run_id=self._work.ground.run.wire_run_id)
        try:
            await self._tell()
            if self._resumes:
                return await _followed(self._session.resume(self._work.entries, params))
            return await _followed(self._session.run(params))
        except asyncio.CancelledError:
            return self._stopped()
        except Exception:  # noqa: BLE001 - the boundary: a fault of ours ends this run, never the process
            _log.exception("exchange_broke", exchange=self._id)
            return self._abandon("Parley failed while it talked to the agent.", INTERNAL)

    @property
    def _resumes(self) -> bool:
        return self._work.kind == "resume" and bool(self._work.entries)

    async def _tell(self) -> None:
        """Answer the calls that waited for a person; what the log holds already is not said again."""
        waiting = {answer.call: answer for answer in self._work.calls if not self._is_answered(answer.call)}
        for call, answer in waiting.items():
            if answer.perform:
                await self._session.perform(call)
            else:
                self._session.push_message(
                    ToolMessage(
                        id=f"{self._work.ground.run.wire_run_id}-answer-{call}",
                        role="tool",
                        tool_call_id=call,
                        content=answer.content,
                        error=answer.content if answer.refused else None,
                    )
                )

    def _is_answered(self, call: str) -> bool:
        return call not in self._session.asked_calls

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
        self._show(event)
        if isinstance(event, RunFinishedEvent):
            self._asked()

    def _show(self, event: Event) -> None:
        """Show followers what is no row: the state, and what the run is at."""
        if isinstance(event, StateSnapshotEvent | StateDeltaEvent):
            self._spoke_of_state = True
            self._recorder.hear_state(self._session.raw_state)
        if self._working.hear(event):
            self._recorder.show_work(*self._working.now)

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
            self._close_run(self._session.end)
            self._recorder.open_run(
                RunRecord(
                    id=self._makers.new_id(),
                    exchange=self._id,
                    thread=before.thread,
                    wire_run_id=f"{before.wire_run_id}#{self._runs}",
                    started=self._makers.now(),
                    branch=before.branch,
                )
            )

    # ------------------------------------------------------------ closing

    def _close(self, end: RunEnd) -> None:
        if self._work.finished:  # the process died between the last event and its commit
            self._asked()
        self._settled += self._waiting
        self._close_run(end)
        had = self._spoke_of_state or isinstance(end, Success | Interrupted)
        # an agent that was never reached has not had what people changed
        state = (self._session.raw_state,) if self._session.state_seen and had else None
        mark = "waiting" if self._waiting else _mark(_status(end), self._failure(end)[0])
        self._recorder.end(mark, state)

    def _asked(self) -> None:
        """Note what the run that has just finished asks; it goes on without what an earlier one of the stream asked."""
        now = self._makers.now()
        self._settled += [replace(one, status="superseded", settled_at=now) for one in self._waiting]
        asker = Asker(
            session=self._session,
            run=self._recorder.run,
            consents=consents_of(self._work.peer.tools),
            answers=answers_of(self._work.peer.tools),
            place=self._recorder.next_position,
            now=self._makers.now,
            new_id=self._makers.new_id,
        )
        self._waiting = list(asker.questions(self._session.interrupts, self._session.asked_calls))

    def _close_run(self, end: RunEnd) -> None:
        run, settled, self._settled = self._recorder.run.id, self._settled, []
        waits = any(one.run == run for one in self._waiting)
        status = "interrupted" if waits and isinstance(end, Success) else _status(end)
        code, message, problem = self._failure(end)
        said = status in ("failed", "cancelled")
        self._recorder.close_run(
            ClosedRun(
                run=run,
                status=status,
                at=self._makers.now(),
                error_code=code,
                error_message=message,
                usage=self._used(end),
                diagnostics=self._diagnostics(problem),
                note_position=self._recorder.next_position() if said else None,
                interrupts=tuple(settled),
            )
        )

    def _failure(self, end: RunEnd) -> tuple[str | None, str | None, str | None]:
        if not isinstance(end, Failed):
            return None, None, None
        if end.code == CANCELLED and self._reason != CANCELLED:
            return self._reason, REASONS[self._reason], None
        return end.code, end.message, code_of(end) if end.code == CLIENT_ERROR else None

    def _used(self, end: RunEnd) -> JsonValue:
        """Return what the agent says the run used, one entry per model; None when it says nothing."""
        entries = self._session.usage.run(end.run_id)
        return [entry.model_dump(mode="json", by_alias=True, exclude_none=True) for entry in entries] or None

    def _diagnostics(self, problem: str | None) -> JsonValue:
        counts: dict[str, JsonValue] = dict(self._counted)
        return {"problem": problem, "counts": counts} if problem or counts else None


async def _followed(answering: agui.Exchange) -> RunEnd:
    """Return how an answer ends; a flood of events lets the streams of others go on in between."""
    end: RunEnd | None = None
    since = 0
    async with answering as updates:
        async for update in updates:
            since += 1
            if since % BREATH == 0:
                await asyncio.sleep(0)
            if isinstance(update, Done):
                end = update.end
    assert end is not None, "an answer that is not stopped ends with Done"
    return end


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
    return "failed" if status == "failed" and (code or "").upper() != CANCELLED else ""
