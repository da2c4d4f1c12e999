"""Who follows what in this process: threads with their frames, and people with their thread lists.

The hub adds to the pure `LiveThread` what needs an event loop: when to publish and whom to wake. The first change
after a pause goes out at once; what follows waits for a window that grows with the number of threads streaming, so
the page feels immediate and a busy process sends fewer, bigger frames.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from weakref import WeakValueDictionary

from pydantic import JsonValue

from chat_app.services.live import LiveThread
from chat_app.services.panels import Panels, PanelSpec
from chat_app.services.rows import View
from chat_app.services.tail import Look, Seen, Tail, show

STREAMS_PER_WINDOW = 12
PANEL_SECONDS = 0.25
"""The least time between two changes of the panels of a thread."""

Recall = Callable[[str], list[tuple[JsonValue, str]]]
"""Reads earlier states of a thread, newest first, each with its time. Called in a worker thread."""


class Channel:
    """One live thread and its followers."""

    def __init__(self, live: LiveThread, window: Callable[[], float]) -> None:
        """Publish `live` at most once per `window()` seconds after the first change."""
        self.live = live
        self.tail: Tail | None = None
        self.users = 0
        self.followers = 0
        self.owners = 0
        self._window = window
        self._wake = asyncio.Event()
        self._due: asyncio.TimerHandle | None = None
        self._published = float("-inf")
        self._panels_due: asyncio.TimerHandle | None = None
        self._panels_shown = float("-inf")

    @property
    def streaming(self) -> bool:
        """Whether a publication is due."""
        return self._due is not None

    def changed(self) -> None:
        """Publish soon: at once after a pause, else when the window is over; panels at most four times a second."""
        if self.live.panels.dirty and self._panels_due is None:
            loop = asyncio.get_running_loop()
            due = max(loop.time(), self._panels_shown + PANEL_SECONDS)
            self._panels_due = loop.call_at(due, self._show_panels)
        if self._due is None and self.live.dirty:
            loop = asyncio.get_running_loop()
            self._due = loop.call_at(max(loop.time(), self._published + self._window()), self._publish)

    async def follow(self, cursor: str, *, owner: bool = True) -> AsyncGenerator[str, None]:
        """Yield frames from `cursor` on, for ever: first a snapshot unless the cursor is one of ours.

        `owner` says whether it is the thread's owner who has it before them.
        """
        self.followers += 1
        self.owners += owner
        try:
            async with aclosing(self._frames(cursor)) as frames:
                async for frame in frames:  # pragma: no branch - they never end by themselves
                    yield frame
        finally:
            self.followers -= 1
            self.owners -= owner

    async def _frames(self, cursor: str) -> AsyncGenerator[str, None]:
        number = self.live.number_of(cursor)
        if number is None:
            number, text = self._snapshot()
            yield text
        while True:
            wake = self._wake
            step = self._step(number)
            if step is None:
                await wake.wait()
            else:
                number, text = step
                yield text

    def _step(self, number: int) -> tuple[int, str] | None:
        try:
            return self.live.since(number)
        except KeyError:
            return self._snapshot()

    def _snapshot(self) -> tuple[int, str]:
        step = self.live.snapshot()
        self._wake_all()
        return step

    def _show_panels(self) -> None:
        self._panels_due = None
        self._panels_shown = asyncio.get_running_loop().time()
        self.live.show_panels()
        self.changed()

    def _publish(self) -> None:
        self._due = None
        self._published = asyncio.get_running_loop().time()
        self.live.publish()
        self._wake_all()

    def _wake_all(self) -> None:
        self._wake.set()
        self._wake = asyncio.Event()


class UserFeed:
    """The thread-list changes one open tab has not been sent yet, newest per thread."""

    def __init__(self) -> None:
        """Start with nothing to send."""
        self._frames: dict[str, str] = {}
        self._wake = asyncio.Event()

    def push(self, key: str, frame: str) -> None:
        """Send `frame` next, instead of an unsent one for the same `key`."""
        self._frames.pop(key, None)
        self._frames[key] = frame
        self._wake.set()

    async def frames(self) -> AsyncGenerator[str, None]:
        """Yield frames as they come, for ever."""
        while True:
            await self._wake.wait()
            while self._frames:
                yield self._frames.pop(next(iter(self._frames)))
            self._wake.clear()


class Stir:
    """Tells whoever waits that something was shown here, of any thread."""

    def __init__(self) -> None:
        """Begin with nothing to tell."""
        self.count = 0
        self._event = asyncio.Event()

    def tell(self) -> None:
        """Wake those who wait."""
        self.count += 1
        self._event.set()
        self._event = asyncio.Event()

    async def after(self, count: int) -> None:
        """Return when something was told since `count`."""
        while self.count == count:
            await self._event.wait()


class LiveHub:
    """The channels and feeds of this process.

    A channel lives while somebody uses it: a follower, or the run that changes it.
    """

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        look: Look,
        *,
        window: float,
        window_max: float,
        new_epoch: Callable[[], str],
        panels: Sequence[PanelSpec] = (),
        recall: Recall = lambda thread: [],  # noqa: ARG005 - nothing is remembered
    ) -> None:
        """Read threads by `look`; window bounds in seconds; show state in `panels`, earlier ones by `recall`."""
        self._look = look
        self._panels = panels
        self._recall = recall
        self._new_epoch = new_epoch
        self._window_bounds = (window, window_max)
        self._channels: dict[str, Channel] = {}
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._feeds: dict[str, set[UserFeed]] = {}
        self.stir = Stir()

    @asynccontextmanager
    async def use(self, thread_id: str) -> AsyncIterator[Channel]:
        """Hold the channel of a thread, reading it from SQL when nobody else holds it."""
        channel = await self._opened(thread_id)
        channel.users += 1
        try:
            yield channel
        finally:
            channel.users -= 1
            if not channel.users:
                self._channels.pop(thread_id, None)

    def channel(self, thread_id: str) -> Channel | None:
        """Return the channel when somebody uses it."""
        return self._channels.get(thread_id)

    @contextmanager
    def feed(self, user_id: str) -> Iterator[UserFeed]:
        """Hold a new feed of one person's thread list."""
        feed = UserFeed()
        self._feeds.setdefault(user_id, set()).add(feed)
        try:
            yield feed
        finally:
            self._feeds[user_id].discard(feed)
            if not self._feeds[user_id]:
                del self._feeds[user_id]

    def push(self, user_id: str, key: str, frame: str) -> None:
        """Send `frame` to every open tab of a person."""
        for feed in self._feeds.get(user_id, ()):
            feed.push(key, frame)

    def followed(self) -> list[str]:
        """Return the threads that somebody follows here."""
        return [thread_id for thread_id, channel in self._channels.items() if channel.followers]

    def listed(self) -> list[str]:
        """Return the people whose thread lists are open here."""
        return list(self._feeds)

    async def refresh(self, thread_id: str, *, whole: bool = True) -> None:
        """Show followers what SQL holds now; rows a live run is writing are left to it.

        Without `whole`, only what the log of a run on another worker has grown by.
        """
        async with self.turn(thread_id):
            if channel := self._channels.get(thread_id):
                self._show(channel, await asyncio.to_thread(self._look, thread_id, channel.tail, whole))

    async def settle(self, thread_id: str) -> None:
        """Give the rows a run wrote back to SQL, which holds them now.

        It waits for a reading that is under way: what was read before the run's last commit must not be shown over it.
        """
        async with self.turn(thread_id):
            if channel := self._channels.get(thread_id):
                channel.live.writing.clear()
                channel.live.panels.writing = False

    async def _opened(self, thread_id: str) -> Channel:
        async with self.turn(thread_id):
            if thread_id not in self._channels:
                seen = await asyncio.to_thread(self._look, thread_id, None, True)
                view = seen.view or View()
                panels = Panels(self._panels, view.held)
                if panels.unread:
                    panels.recall(await asyncio.to_thread(self._recall, thread_id))
                live = LiveThread(thread_id, self._new_epoch(), view, panels)
                self._channels[thread_id] = Channel(live, self._window)
                self._show(self._channels[thread_id], seen)
            return self._channels[thread_id]

    def _show(self, channel: Channel, seen: Seen) -> None:
        show(seen, channel.live, channel.tail)
        channel.tail = seen.tail
        channel.changed()

    def turn(self, thread_id: str) -> asyncio.Lock:
        """Return the lock under which a thread is read and shown: what is read later is never shown earlier."""
        return self._reading.setdefault(thread_id, asyncio.Lock())

    def _window(self) -> float:
        shortest, longest = self._window_bounds
        busy = sum(channel.streaming for channel in self._channels.values())
        return min(longest, shortest * (1 + busy // STREAMS_PER_WINDOW))
