"""Tells open tabs when their sign-in is over, or their roles are others than when they came.

An end may come from anywhere: another tab, another process, an admin, the terminal, the clock. So one query a second
asks about every sign-in that has a tab open here; what ends in this process is told at once.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime

import structlog

from chat_app.data import auth_sessions
from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.services.tasks import spawn

_log = structlog.get_logger(__name__)

EVERY_SECONDS = 1.0


class Tab:
    """One open tab: `over` is set when it must go; `out` says that its sign-in has ended, not only changed."""

    def __init__(self, sign_in: str, roles: Sequence[str]) -> None:
        """Watch the sign-in of a tab that came with these roles."""
        self.sign_in = sign_in
        self.roles = tuple(roles)
        self.over = asyncio.Event()
        self.out = False

    def tell(self, *, out: bool) -> None:
        """Let the tab go."""
        self.out = self.out or out
        self.over.set()


class Watch:
    """The tabs that are open in this process."""

    def __init__(
        self, database: Database, *, now: Callable[[], datetime], every: float = EVERY_SECONDS
    ) -> None:
        """Ask `database` every so many seconds."""
        self._database = database
        self._now = now
        self._every = every
        self._tabs: set[Tab] = set()
        self._due = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def tab(self, sign_in: str, roles: Sequence[str]) -> Iterator[Tab]:
        """Watch a tab for as long as it is open."""
        tab = Tab(sign_in, roles)
        self._tabs.add(tab)
        try:
            yield tab
        finally:
            self._tabs.discard(tab)

    def end(self, sign_in: str) -> None:
        """Tell the tabs of a sign-in that has just ended."""
        for tab in [one for one in self._tabs if one.sign_in == sign_in]:
            tab.tell(out=True)

    def look_now(self) -> None:
        """Ask at once: something has just changed."""
        self._due.set()

    def start(self) -> None:
        """Ask from now on."""
        self._task = spawn(self._run(), name="sign-in-watch")

    async def stop(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def look(self) -> None:
        """Ask once, and tell who has to go."""
        tabs = list(self._tabs)
        if not tabs:
            return
        held = await asyncio.to_thread(self._living, {tab.sign_in for tab in tabs})
        for tab in tabs:
            roles = held.get(tab.sign_in)
            if roles != tab.roles:
                tab.tell(out=roles is None)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._every):
                    await self._due.wait()
            self._due.clear()
            try:
                await self.look()
            except DataError as error:
                _log.warning("watch_waits", reason=str(error))

    def _living(self, ids: set[str]) -> dict[str, tuple[str, ...]]:
        with self._database.reading() as session:
            return auth_sessions.living(session, ids, now=self._now())
