"""What is on its way to one client: bounded for who writes, batched for who sends."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import anyio

LIMIT: Final = 256

_Item = TypeVar("_Item")


class Outbox(Generic[_Item]):
    """A queue with one writer and one sender, both on the same event loop.

    Putting never waits, so that what closes a run can be put from a ``finally`` block, even while it is being
    cancelled. A writer asks for :meth:`room` between its puts; that is what makes a slow client slow the
    agent down instead of filling the memory. Nothing is ever dropped: a queue that is full is squeezed.

    Args:
        squeeze: Makes a batch shorter without changing what it says.
        limit: Items after which writers wait.
        window: Seconds the sender waits for more after the first item, unless the queue is full or closed before.
    """

    def __init__(
        self, *, squeeze: Callable[[Sequence[_Item]], list[_Item]], limit: int = LIMIT, window: float = 0
    ) -> None:
        self._squeeze = squeeze
        self._limit = limit
        self._window = window
        self._items: list[_Item] = []
        self._closed = False
        self._filled = asyncio.Event()
        self._urgent = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()

    @property
    def closed(self) -> bool:
        """True once the writer has said its last word, sent or not."""
        return self._closed

    def put(self, item: _Item) -> None:
        """Append one item."""
        self._items.append(item)
        self._filled.set()
        if len(self._items) >= self._limit:
            self._items = self._squeeze(self._items)
            self._full()

    def _full(self) -> None:
        if len(self._items) >= self._limit:
            self._has_room.clear()
            self._urgent.set()

    def close(self) -> None:
        """Say that nothing follows; the sender still gets what is queued."""
        self._closed = True
        self._filled.set()
        self._urgent.set()

    async def room(self) -> None:
        """Wait until fewer items than the limit are queued. Always gives other tasks a turn."""
        await asyncio.sleep(0)
        await self._has_room.wait()

    async def take(self) -> list[_Item]:
        """Wait for items and take all of them at once; nothing when closed and drained."""
        await self._filled.wait()
        if self._window > 0:
            with anyio.move_on_after(self._window):
                await self._urgent.wait()
        return self.drain()

    def drain(self) -> list[_Item]:
        """Take what is queued now without waiting."""
        batch, self._items = self._squeeze(self._items), []
        self._has_room.set()
        if not self._closed:
            self._filled.clear()
            self._urgent.clear()
        return batch
