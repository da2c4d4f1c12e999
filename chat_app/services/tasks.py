"""The only place that starts tasks: kept until they end, and never silent when they fail."""

import asyncio
from collections.abc import Coroutine

import structlog

_log = structlog.get_logger(__name__)
_running: set[asyncio.Task[None]] = set()


def spawn(work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None]:
    """Start `work` as a task of this process and return it.

    A strong reference is kept until it ends, because the event loop keeps only a weak one. A failure is logged with
    its traceback under `name`; a cancellation is not a failure.
    """
    task = asyncio.create_task(work, name=name)  # noqa: TID251 - this is the place the rule points to
    _running.add(task)
    task.add_done_callback(_ended)
    return task


def _ended(task: asyncio.Task[None]) -> None:
    _running.discard(task)
    if not task.cancelled() and (error := task.exception()):
        _log.error("task_failed", task=task.get_name(), exc_info=error)
