"""The real page on a server that a test plays: only `/api/live` is answered by the test, and one Parley serves all."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from chat_app.services.panels import Panels
from chat_app.services.rows import Part, Row, Run, Thread
from tests.support.chromium import DESKTOP, Tab, chromium
from tests.support.parley import running_parley

THREAD = "0190a2b4-0000-7000-8000-000000000001"
AT = "2026-11-30T12:00:00+00:00"
IDLE = Run()
Json = dict[str, object]


def text(key: str, said: str = "", **fields: object) -> Part:
    return Part(key=key, kind="text", text=said, **fields)


def line(key: str, position: int, said: str) -> Row:
    return Row(key=key, kind="user", position=position, at=AT, parts=[text("t", said)])


def turn(key: str, position: int, *parts: Part) -> Row:
    return Row(key=key, kind="turn", position=position, at=AT, head=True, parts=list(parts))


def slim(record: Row | Part) -> Json:
    """Return the record as it travels when the browser has its texts already."""
    made = asdict(record)
    for part in made.get("parts", [made]):
        del part["text"]
    return made


@dataclass
class Server:
    """Plays the server of one page: keeps what the browser asked, sends what the test says."""

    page: Page
    asked: list[Json] = field(default_factory=list)
    sockets: list[WebSocketRoute] = field(default_factory=list)
    refusing: bool = False
    epoch: str = ""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def attach(self) -> None:
        await self.page.route_web_socket(re.compile(r"/api/live$"), self._open)

    async def _open(self, socket: WebSocketRoute) -> None:
        if self.refusing:
            await socket.close()
            return
        socket.on_message(self._heard)
        self.sockets.append(socket)
        self.send({"threads": [asdict(Thread(id=THREAD, title="The first", updated=AT))]})

    def _heard(self, message: str | bytes) -> None:
        self.asked.append(json.loads(message))
        self._news.set()

    def send(self, *frames: Json) -> None:
        for frame in frames:
            self.sockets[-1].send(json.dumps(frame))

    def snapshot(
        self, *rows: Row, run: Run = IDLE, older: bool = False, cursor: str = "epoch-1:0", at: object = None
    ) -> None:
        self.epoch = cursor.partition(":")[0]
        held = {"rows": [asdict(row) for row in rows], "older": older, "run": asdict(run)}
        more = {"cursor": cursor, "at": at, "panels": Panels().snapshot()}
        self.send({"t": THREAD, "snapshot": held | more})

    def ops(self, number: int, *ops: list[object]) -> None:
        self.send({"e": self.epoch[-4:], "n": number, "ops": list(ops)})

    async def heard(self, count: int) -> Json:
        """Return the browser's message number `count`, waiting for it."""
        async with asyncio.timeout(10):
            while len(self.asked) < count:
                self._news.clear()
                await self._news.wait()
        return self.asked[count - 1]

    async def counter(self, name: str) -> int:
        return await self.page.evaluate("name => window.__parley[name]", name)


@dataclass(frozen=True)
class Stage:
    """One Parley and one Chromium for all tests of a file; each test gets a context of its own."""

    browser: Browser
    url: str

    async def new_context(self, **options: object) -> BrowserContext:
        return await self.browser.new_context(**{"viewport": DESKTOP, **options})

    async def new_tab(self, **options: object) -> Tab:
        """Open a tab on the real server."""
        context = await self.new_context(**options)
        return Tab(await context.new_page(), self.url)

    async def new_server(self, *, clock: bool = False, **options: object) -> Server:
        """Open a page of its own on the thread's address and wait until it has asked, hears and knows its person."""
        context = await self.new_context(**options)
        page = await context.new_page()
        if clock:
            await page.clock.install()
        playing = Server(page)
        await playing.attach()
        await page.goto(f"{self.url}/t/{THREAD}")
        await playing.heard(1)
        await page.wait_for_function("() => window.__parley?.opens > 0")
        await expect(page.locator(".side-foot .avatar")).to_have_text(re.compile(r"\S"))
        return playing


@asynccontextmanager
async def new_stage(data: Path, **environment: str) -> AsyncIterator[Stage]:
    async with running_parley(data, **environment) as parley, chromium() as browser:
        yield Stage(browser, parley.url)
