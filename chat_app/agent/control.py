"""Pause and cancel, taken at boundaries: between model calls, never inside one (A34, A43)."""

import asyncio


class Control:
    """The switch that whoever watches a turn holds. Cancelling wins over a pause and frees it."""

    def __init__(self) -> None:
        self._cancelled = False
        self._free = asyncio.Event()
        self._free.set()

    @property
    def cancelled(self) -> bool:
        """True once the turn is to end at its next boundary."""
        return self._cancelled

    @property
    def paused(self) -> bool:
        """True while a turn that reaches a boundary waits there."""
        return not self._free.is_set()

    def cancel(self) -> None:
        """End the turn at its next boundary."""
        self._cancelled = True
        self._free.set()

    def pause(self) -> None:
        """Hold the turn at its next boundary. Nothing pauses a cancelled turn."""
        if not self._cancelled:
            self._free.clear()

    def resume(self) -> None:
        """Let a held turn go on."""
        self._free.set()

    async def at_boundary(self) -> bool:
        """Wait while paused; return whether the turn is cancelled."""
        await self._free.wait()
        return self._cancelled
