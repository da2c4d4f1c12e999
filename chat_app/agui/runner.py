"""Runs the frontend tools of a run beside its stream.

The runner watches events go by and changes none. A call is started when its arguments are complete,
in a job of its own; the reader of the stream picks up what is ready, so that only one side ever feeds
the folds. Every call that was started, or should have been, ends with exactly one answer.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from chat_app.agui.events import (
    Event,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
)
from chat_app.agui.tools import Answer, RunTool, ToolContext, ToolRegistry, execute, failure

STOP_GRACE = 5.0
"""Seconds a cancelled tool may take to clean up."""

NEVER_STARTED = failure("The run was over before the tool started; it was not executed.")
STOPPED = failure("Tool execution failed: it was stopped.")


class _Job:
    """One call: its arguments while they arrive, then the task that works on it."""

    def __init__(self, tool: RunTool[BaseModel], context: ToolContext) -> None:
        self.tool = tool
        self.context = context
        self.arguments: list[str] = []
        self.task: asyncio.Task[None] | None = None
        self.started = False
        self.answered = False


class ToolRunner:
    """The jobs of one run.

    ``is_answered`` says whether a call has its answer already: agents announce a call again when they
    resume, and a tool runs once.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        thread_id: str,
        *,
        run_id: str,
        new_id: Callable[[], str],
        is_answered: Callable[[str], bool],
    ) -> None:
        self._registry = registry
        self._thread_id = thread_id
        self._run_id = run_id
        self._new_id = new_id
        self._is_answered = is_answered
        self._jobs: dict[str, _Job] = {}
        self._ready: deque[ToolMessage] = deque()
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            ToolCallStartEvent: self._open,
            ToolCallArgsEvent: self._extend,
            ToolCallEndEvent: self._start,
            ToolCallResultEvent: self._forget,
        }

    def observe(self, event: Event) -> None:
        """Take note of one event of the stream; a completed call of a held tool is started."""
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)

    def ready(self) -> list[ToolMessage]:
        """Return the answers that came in since the last call, in the order they were ready."""
        found = list(self._ready)
        self._ready.clear()
        return found

    async def join(self) -> None:
        """Wait until every started call has its answer."""
        tasks = self._running()
        if tasks:
            await asyncio.wait(tasks)

    async def stop(self) -> None:
        """Stop what still works and answer for it, also when the caller is cancelled once more."""
        tasks = self._running()
        for task in tasks:
            task.cancel()
        cancelled_again = await _outlast(tasks)
        for job in self._jobs.values():
            if job.task is not None:
                self._finish(job, STOPPED if job.started else NEVER_STARTED)
        if cancelled_again:
            raise asyncio.CancelledError

    def _running(self) -> set[asyncio.Task[None]]:
        return {job.task for job in self._jobs.values() if job.task is not None and not job.task.done()}

    def _open(self, event: ToolCallStartEvent) -> None:
        tool = self._registry.starts_by_itself(event.tool_call_name)
        call_id = event.tool_call_id
        if tool is None or call_id in self._jobs or self._is_answered(call_id):
            return
        self._jobs[call_id] = _Job(tool, ToolContext(self._thread_id, self._run_id, call_id))

    def _extend(self, event: ToolCallArgsEvent) -> None:
        job = self._jobs.get(event.tool_call_id)
        if job is not None and job.task is None:
            job.arguments.append(event.delta)

    def _start(self, event: ToolCallEndEvent) -> None:
        job = self._jobs.get(event.tool_call_id)
        if job is not None and job.task is None:
            # kept in the job, awaited by join() or stop(), and it reports through _finish()
            job.task = asyncio.create_task(self._work(job))  # noqa: TID251

    def _forget(self, event: ToolCallResultEvent) -> None:
        """Drop a call that the agent's side answered itself; what is executed here goes nowhere."""
        job = self._jobs.get(event.tool_call_id)
        if job is not None:
            job.answered = True

    async def _work(self, job: _Job) -> None:
        job.started = True
        try:
            answer = await execute(job.tool, "".join(job.arguments), job.context)
        except asyncio.CancelledError:
            self._finish(job, STOPPED)
            raise
        self._finish(job, answer)

    def _finish(self, job: _Job, answer: Answer) -> None:
        if job.answered:
            return
        job.answered = True
        self._ready.append(answer.message(self._new_id(), job.context.call_id))


async def _outlast(tasks: set[asyncio.Task[None]]) -> bool:
    """Wait for cancelled tasks; return whether the waiting itself was cancelled meanwhile."""
    cancelled = False
    while tasks:
        try:
            await asyncio.wait(tasks, timeout=STOP_GRACE)
        except asyncio.CancelledError:
            cancelled = True
        else:
            break
    return cancelled
