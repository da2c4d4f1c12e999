"""Acts on what other processes wake this one about: shows it to who is here, and looks after runs that are here.

Wakes of one thread that come while it is being looked at are answered by one more look. A database that is away makes
them wait; nothing else is lost with them, for the data is in SQL.
"""

import asyncio

import structlog

from chat_app.data.errors import DataError
from chat_app.services.bus import EVERYTHING, Wake
from chat_app.services.hub import LiveHub
from chat_app.services.supervisor import Supervisor
from chat_app.services.tasks import spawn
from chat_app.services.threads import Threads

_log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0


class Relay:
    """Hears wakes and acts on them, a round at a time."""

    def __init__(
        self, hub: LiveHub, threads: Threads, supervisor: Supervisor, *, retry: float = RETRY_SECONDS
    ) -> None:
        """Act on the parts of this process; wait `retry` seconds while the database is away."""
        self._hub = hub
        self._threads = threads
        self._supervisor = supervisor
        self._retry = retry
        self._waiting: dict[Wake, None] = {}
        self._due = asyncio.Event()
        self._failed = False
        self._task: asyncio.Task[None] | None = None
        self._acting: list[asyncio.Task[None]] = []

    def hear(self, wakes: frozenset[Wake]) -> None:
        """Note wakes; never waits."""
        self._waiting.update(dict.fromkeys(wakes))
        self._due.set()

    def start(self) -> None:
        """Act from now on."""
        self._task = spawn(self._run(), name="relay")

    async def stop(self) -> None:
        """Act no more; what is being looked at is finished."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task, *self._acting])

    async def _run(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            wakes, self._waiting = list(self._waiting), {}
            # tasks of their own: one that breaks is logged, and the others go on
            self._acting = [spawn(self._act(wake), name="relay-act") for wake in wakes]
            await asyncio.wait(self._acting)
            if self._failed:
                self._failed = False
                await asyncio.sleep(self._retry)  # the database cannot wake us

    async def _act(self, wake: Wake) -> None:
        try:
            if wake == EVERYTHING:
                await self._look_at_everything()
            else:
                await self._look_at(wake)
        except DataError as error:
            _log.warning("relay_waits", reason=str(error))
            self._failed = True
            self.hear(frozenset({EVERYTHING}))

    async def _look_at(self, wake: Wake) -> None:
        if not wake.owner:
            await self._hub.refresh(wake.thread, whole=False)
            return
        if self._supervisor.drives(wake.thread):
            await self._supervisor.look()
        await self._threads.show(wake.owner, wake.thread)

    async def _look_at_everything(self) -> None:
        await self._supervisor.look()
        for thread_id in self._hub.followed():
            await self._hub.refresh(thread_id)
        for person in self._hub.listed():
            await self._threads.show_list(person)
