"""A real Chromium, and what a person does with the chat page, in words."""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, Route, async_playwright, expect

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 10_000

expect.set_options(timeout=PATIENCE_MS)


def executable() -> str | None:
    """Return the Chromium to use; None lets Playwright take the one it installed."""
    named = os.environ.get("PARLEY_CHROMIUM")
    return (
        named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    )


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable(), args=list(FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


@dataclass
class Tab:
    """One tab on the chat page; what its console complained about is kept."""

    page: Page
    base: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(f"pageerror: {error}"))

    def _heard(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            self.complaints.append(f"console: {getattr(message, 'text', '')}")

    # ------------------------------------------------------------ what a person does

    async def open(self, path: str = "/") -> None:
        """Open a page of the chat and wait until it hears: it is drawn, and can be written to, a moment before."""
        await self.page.goto(f"{self.base}{path}")
        await self._hears()

    async def reload(self) -> None:
        """Load the page anew and wait until it hears."""
        await self.page.reload()
        await self._hears()

    async def _hears(self) -> None:
        await expect(self.page.locator("#composer")).to_be_editable()
        await self.page.wait_for_function("() => window.__parley?.opens > 0")
        # named by the first answer of the server's state: the page has come alive, and keys reach it
        await expect(self.page.locator(".side-foot .avatar")).to_have_text(re.compile(r"\S"))

    async def say(self, text: str) -> None:
        await self.composer.fill(text)
        await self.send.click()

    async def begin(self, text: str) -> str:
        """Open a new chat, send its first line and return the path of the thread it made."""
        await self.open()
        return await self.begin_here(text)

    async def begin_here(self, text: str) -> str:
        """Send the first line of the new chat that is open, and return the path of the thread it made."""
        await self.say(text)
        await self.page.wait_for_url(re.compile(r"/t/[0-9a-f-]{36}"))
        await expect(self.log).to_be_visible()  # the address changes a moment before the page does
        return self.path

    # ------------------------------------------------------------ what a person sees

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.base)

    @property
    def composer(self) -> Locator:
        return self.page.get_by_role("textbox", name=re.compile("message", re.IGNORECASE))

    @property
    def send(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^Send"))

    @property
    def stop(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^Stop"))

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log")

    @property
    def answers(self) -> Locator:
        return self.page.locator("article.turn-agent .prose")

    @property
    def lines(self) -> Locator:
        return self.page.locator("article.turn-user .said")

    @property
    def notes(self) -> Locator:
        return self.page.locator(".note")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}"))


async def new_tab(context: BrowserContext, base: str) -> Tab:
    return Tab(await context.new_page(), base)


async def held_back(page: Page) -> asyncio.Event:
    """Keep every script of the page waiting until the event is set, as on a slow line."""
    go = asyncio.Event()

    async def wait(route: Route) -> None:
        await go.wait()
        await route.continue_()

    await page.route(re.compile(r"/assets/.*\.js"), wait)
    return go


needs_chromium = pytest.mark.skipif(
    executable() is None, reason="no Chromium found: set PARLEY_CHROMIUM or install one"
)
