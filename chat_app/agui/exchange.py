"""An exchange: a run and the follow-ups that answer its tools, seen from the caller.

It can be awaited for how it ended, or entered for what changes on the way. It does nothing before, and
can be used once.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from types import TracebackType
from typing import Any

from chat_app.agui.errors import UsageError
from chat_app.agui.updates import Done, RunEnd, Update


class Exchange:
    """What ``send``, ``run`` and ``resume`` return.

    Awaiting it gives the ``RunEnd`` of the last run. ``async with exchange as updates`` gives an
    iterator of ``Update`` whose last item, once, is ``Done``. Leaving the block early, or cancelling
    the task that waits, stops the run.

    >>> import asyncio
    >>> from chat_app.agui import CANCELLED_MESSAGE, ReplayTransport, Session
    >>> session = Session(ReplayTransport([{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}] * 2), "t")
    >>> async def glance(exchange: Exchange) -> None:
    ...     async with exchange as updates:
    ...         await anext(updates)
    >>> asyncio.run(glance(session.run()))
    >>> session.end.message == CANCELLED_MESSAGE
    True
    """

    def __init__(self, start: Callable[[], AsyncGenerator[Update, None]]) -> None:
        self._start: Callable[[], AsyncGenerator[Update, None]] | None = start
        self._updates: AsyncGenerator[Update, None] | None = None

    def __await__(self) -> Generator[Any, None, RunEnd]:
        return self._end().__await__()

    async def __aenter__(self) -> AsyncIterator[Update]:
        if self._start is None:
            raise UsageError("An exchange is used once; call send, run or resume again.")
        self._updates, self._start = self._start(), None
        return self._updates

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._updates is not None, "entered before"
        await self._updates.aclose()

    async def _end(self) -> RunEnd:
        last: Update | None = None
        async with self as updates:
            async for update in updates:
                last = update
        assert isinstance(last, Done), "an exchange that is not stopped ends with Done"
        return last.end
