"""The only place that starts tasks: kept until they end, and never silent when they fail."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

import structlog

T = TypeVar("T")

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


async def unbroken(work: Coroutine[object, object, T], *, name: str) -> T:
    """Return what `work` returns; when who waits is cancelled, it goes on to its end all the same."""
    done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    spawn(_told(work, done), name=name)
    return await done


async def _told(work: Coroutine[object, object, T], done: asyncio.Future[T]) -> None:
    try:
        result = await work
    except Exception as error:
        if done.cancelled():
            raise  # nobody waits for it any more: it is logged where it was started
        done.set_exception(error)
    else:
        if not done.cancelled():
            done.set_result(result)
