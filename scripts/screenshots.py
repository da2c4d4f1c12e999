"""Pictures of the main pages for docs/images, from the real page with the demo agent: `make screenshots`.

Each picture is one short conversation, played in a Chromium with the size, theme and language it names. What depends
on the day (times, ids) is as it falls.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, ViewportSize, async_playwright, expect

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.chromium import DESKTOP, FLAGS, PHONE, Tab, executable, new_tab  # noqa: E402 - needs the root
from tests.support.parley import running_parley  # noqa: E402

IMAGES: Final = ROOT / "docs" / "images"
WITHIN_MS: Final = 30_000


async def a_chat(tab: Tab) -> None:
    """Play a long answer with a table and code, and then a tool."""
    await tab.begin("Write a guide to packing a bicycle for a flight quickly")
    await at_rest(tab)


async def an_approval(tab: Tab) -> None:
    """Play up to the question that needs a decision."""
    await tab.begin("Refund order T-1042")
    await expect(tab.button("Approve")).to_be_enabled(timeout=WITHIN_MS)


async def an_inbox(tab: Tab) -> None:
    """Play two questions, and show where they wait."""
    for line in ("Refund order T-1077 within 20 minutes", "Book a repair slot"):
        await tab.begin(line)
        await expect(tab.page.locator(".ask")).to_be_visible(timeout=WITHIN_MS)
    await tab.page.goto(f"{tab.base}/approvals")
    await expect(tab.button("Approve")).to_be_enabled(timeout=WITHIN_MS)


async def a_panel(tab: Tab) -> None:
    """Play what fills the board that agent and person share."""
    await tab.begin("Plan the workshop day")
    await at_rest(tab)
    panel = tab.button("Show panel")
    if await panel.is_visible():
        await panel.click()


async def at_rest(tab: Tab) -> None:
    """Wait until nothing runs."""
    await expect(tab.answers.first).to_be_visible(timeout=WITHIN_MS)
    await expect(tab.stop).to_have_count(0, timeout=WITHIN_MS)


@dataclass(frozen=True, slots=True)
class Picture:
    """One file: what is played, on which screen, by which light, in which language."""

    name: str
    play: Callable[[Tab], Awaitable[None]]
    phone: bool = False
    dark: bool = False
    locale: str = "en-GB"


PICTURES: Final = (
    Picture("chat", a_chat),
    Picture("chat-dark", a_chat, dark=True),
    Picture("approval", an_approval),
    Picture("panel", a_panel),
    Picture("inbox", an_inbox),
    Picture("phone", an_approval, phone=True),
    Picture("phone-dark", a_chat, phone=True, dark=True),
)


async def take(browser: Browser, base: str, picture: Picture) -> None:
    """Play one picture and write its file."""
    size = PHONE if picture.phone else DESKTOP
    context = await browser.new_context(
        viewport=ViewportSize(width=size["width"], height=size["height"]),
        color_scheme="dark" if picture.dark else "light",
        device_scale_factor=2 if picture.phone else 1,
        is_mobile=picture.phone,
        has_touch=picture.phone,
        locale=picture.locale,
        reduced_motion="reduce",
    )
    tab = await new_tab(context, base)
    await picture.play(tab)
    await tab.page.mouse.move(0, 0)
    await tab.page.screenshot(path=IMAGES / f"{picture.name}.png")
    await context.close()
    print(f"docs/images/{picture.name}.png")


async def main() -> None:
    """Take every picture, or those named on the command line."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    wanted = [picture for picture in PICTURES if not sys.argv[1:] or picture.name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        async with (
            running_parley(Path(folder), PARLEY_AGENT_PACE="0") as parley,
            async_playwright() as playwright,
        ):
            path = os.environ.get("PARLEY_CHROMIUM") or executable()
            browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            for picture in wanted:
                await take(browser, parley.url, picture)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
