"""Frames on their way to one client: bounded for who writes, batched for who sends."""

import asyncio
from collections import deque
from typing import Final

LIMIT: Final = 256


class Outbox:
    """A queue of frames with one writer and one sender, both on the same event loop.

    Putting never waits, so that what closes a run can be put from a ``finally`` block, even while it is being
    cancelled. A writer asks for :meth:`room` between its puts; that is what makes a slow client slow the
    agent down instead of filling the memory.
    """

    def __init__(self, *, limit: int = LIMIT) -> None:
        self._limit = limit
        self._frames: deque[bytes] = deque()
        self._closed = False
        self._filled = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()

    @property
    def closed(self) -> bool:
        """True once the writer has said its last word, sent or not."""
        return self._closed

    def put(self, frame: bytes) -> None:
        """Append one frame."""
        self._frames.append(frame)
        self._filled.set()
        if len(self._frames) >= self._limit:
            self._has_room.clear()

    def close(self) -> None:
        """Say that nothing follows; the sender still gets what is queued."""
        self._closed = True
        self._filled.set()

    async def room(self) -> None:
        """Wait until fewer frames than the limit are queued. Always gives other tasks a turn."""
        await asyncio.sleep(0)
        await self._has_room.wait()

    async def take(self) -> bytes:
        """Wait for frames and take all of them at once; empty bytes when closed and drained."""
        await self._filled.wait()
        return self.drain()

    def drain(self) -> bytes:
        """Take what is queued now without waiting."""
        batch = b"".join(self._frames)
        self._frames.clear()
        self._has_room.set()
        if not self._closed:
            self._filled.clear()
        return batch
