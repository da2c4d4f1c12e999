"""Notices that something in the inbox changed, once for everybody who looks at it here."""

import asyncio
from collections.abc import Callable

from chat_app.services.hub import Stir
from chat_app.services.tasks import spawn

AT_LEAST_S = 15.0
"""How long a change may go unseen that nobody told of: rules that were edited, time that went by."""
AT_MOST_S = 0.1
"""The least time between two looks."""


class Pulse:
    """One look at the database answers all who wait for the next change."""

    def __init__(
        self, look: Callable[[], str], stir: Stir, *, least: float = AT_LEAST_S, most: float = AT_MOST_S
    ) -> None:
        """Look by `look` (in a worker thread) after something stirred, or after `least` seconds."""
        self._look = look
        self._stir = stir
        self._least = least
        self._most = most
        self._looking: asyncio.Task[None] | None = None
        self._seen = -1
        self._last = 0.0
        self._beats = 0
        self._print = ""

    @property
    def beat(self) -> int:
        """How often everybody was asked to look again."""
        return self._beats

    async def after(self, beat: int) -> None:
        """Return when something may have changed since `beat`."""
        while self._beats == beat:
            if self._looking is None or self._looking.done():
                self._looking = spawn(self._next(), name="inbox-pulse")
            # shielded: who leaves must not end the look of the others
            await asyncio.shield(self._looking)

    async def stop(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    async def _next(self) -> None:
        was_told = await self._stirred()
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self._last + self._most - loop.time())
        self._seen, self._last = self._stir.count, loop.time()
        found = await asyncio.to_thread(self._look)
        if found != self._print or not was_told:
            self._print = found
            self._beats += 1

    async def _stirred(self) -> bool:
        try:
            async with asyncio.timeout(self._least):
                await self._stir.after(self._seen)
        except TimeoutError:
            return False
        return True
