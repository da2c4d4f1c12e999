"""Chromium as the benchmarks use it: one fresh context per measurement, and what its developer tools tell.

Times in the page are `performance.timeOrigin + performance.now()`, which keeps its pace but may stand a little off
the machine's clock; `clock_offset` says how far, so that times of other processes can be compared.
"""

import gzip
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from common import BenchmarkError
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Response, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OFFSET = """() => {
  const coarse = Date.now();
  let now = coarse;
  while (now === coarse) now = Date.now(); // the edge of a millisecond
  return now - (performance.timeOrigin + performance.now());
}"""


@dataclass  # no slots: Playwright keeps a note on the object whose methods it calls
class Traffic:
    """What the browser has received: per socket the frames and payload bytes, per kind of file the bytes."""

    urls: dict[str, str] = field(default_factory=dict)
    frames: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    transferred: dict[str, float] = field(default_factory=dict)

    def listen(self, tools: CDPSession) -> None:
        """Count from now on."""
        tools.on("Network.webSocketCreated", self._opened)
        tools.on("Network.webSocketFrameReceived", self._frame)
        tools.on("Network.responseReceived", self._response)
        tools.on("Network.loadingFinished", self._finished)
        tools.send("Network.enable")

    def received(self, path: str) -> tuple[int, int]:
        """Return (frames, bytes) that came on the sockets whose address holds `path`."""
        sockets = [request for request, url in self.urls.items() if path in url]
        return sum(self.frames.get(s, 0) for s in sockets), sum(self.bytes.get(s, 0) for s in sockets)

    def _opened(self, event: dict[str, str]) -> None:
        self.urls[event["requestId"]] = event["url"]

    def _frame(self, event: dict) -> None:
        request, frame = event["requestId"], event["response"]
        self.frames[request] = self.frames.get(request, 0) + 1
        self.bytes[request] = self.bytes.get(request, 0) + len(frame["payloadData"].encode())

    def _response(self, event: dict) -> None:
        self.kinds[event["requestId"]] = event["type"]

    def _finished(self, event: dict) -> None:
        kind = self.kinds.get(event["requestId"], "Other")
        self.transferred[kind] = self.transferred.get(kind, 0.0) + event["encodedDataLength"]


@dataclass(frozen=True, slots=True)
class Tab:
    """A page in a context of its own, with what is known of its traffic."""

    page: Page
    tools: CDPSession
    traffic: Traffic

    def now(self) -> float:
        """Return the time by the page's clock, in ms since the epoch."""
        now: float = self.page.evaluate("() => performance.timeOrigin + performance.now()")
        return now

    def clock_offset(self) -> float:
        """Return what to add to times of the page to get times of the machine, in ms."""
        offset: float = self.page.evaluate(OFFSET)
        return offset

    def heap_mb(self) -> float:
        """Return the size of the page's JavaScript heap after a collection."""
        self.tools.send("HeapProfiler.collectGarbage")
        return self.page.evaluate("() => performance.memory.usedJSHeapSize") / 1e6


def chromium() -> str:
    """Return the path of the browser: PARLEY_CHROMIUM or one on PATH.

    Raises:
        BenchmarkError: there is none.
    """
    path = os.environ.get("PARLEY_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
    if not path:
        raise BenchmarkError("No Chromium was found; set PARLEY_CHROMIUM to one.")
    return path


@contextmanager
def started() -> Iterator[Browser]:
    """Run Chromium for the length of the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def fresh_tab(browser: Browser, *, script: str = "") -> Iterator[Tab]:
    """Open an empty tab with an empty cache; `script` runs first on every page it opens."""
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        if script:
            context.add_init_script(script)
        page, traffic = context.new_page(), Traffic()
        tools = context.new_cdp_session(page)
        traffic.listen(tools)
        yield Tab(page, tools, traffic)
    finally:
        context.close()


def gzipped_scripts(browser: Browser, url: str) -> tuple[int, int]:
    """Return (files, bytes) of the scripts a first visit loads, each compressed by gzip as a proxy would do."""
    with fresh_tab(browser) as tab:
        responses: list[Response] = []
        tab.page.on("response", lambda one: responses.append(one))  # noqa: PLW0108 - Playwright marks what it calls
        tab.page.goto(url, wait_until="networkidle")
        scripts = [one for one in responses if one.request.resource_type == "script" and one.ok]
        return len(scripts), sum(len(gzip.compress(one.body(), 6)) for one in scripts)
