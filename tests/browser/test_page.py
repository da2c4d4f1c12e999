"""What a person expects of the page itself: drafts, keys, big texts, themes, a phone, a keyboard, a screen reader."""

import asyncio
import re

import pytest
from playwright.async_api import BrowserContext, Locator, expect

from tests.support.axe import no_barriers
from tests.support.chromium import Tab, new_tab
from tests.support.parley import Parley

MANY = 20_000
LONG_TASK_MS = 2_000
"""Far above what it takes (about 0.3 s), far below what it took before the box measured nothing."""


async def test_twenty_thousand_lines_are_taken_in_without_a_long_pause(
    desktop: BrowserContext, parley: Parley
):
    await desktop.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = await new_tab(desktop, parley.url)
    await tab.open()
    page = tab.page
    await page.evaluate(
        """count => {
          window.pauses = [];
          new PerformanceObserver((list) => list.getEntries().forEach((each) => window.pauses.push(each.duration)))
            .observe({ entryTypes: ["longtask"] });
          return navigator.clipboard.writeText(Array.from({ length: count }, (_, i) => `line ${i}`).join("\\n"));
        }""",
        MANY,
    )
    await expect(tab.button("Attach a file")).to_be_visible()
    await tab.composer.press("ControlOrMeta+v")
    await tab.button("Paste as text").click()
    await page.wait_for_function("() => document.getElementById('composer').value.length > 200000")
    await expect(tab.send).to_be_enabled()
    assert max([0, *await page.evaluate("window.pauses")]) < LONG_TASK_MS


async def test_a_theme_is_kept_and_is_there_before_the_first_paint(tab: Tab):
    await tab.open()
    await tab.button("Settings").click()
    await tab.button("Dark").click()
    await tab.page.keyboard.press("Escape")
    await expect(tab.page.locator("html")).to_have_class(re.compile(r"\bdark\b"))
    await tab.page.reload(wait_until="commit")
    await tab.page.wait_for_selector("body", state="attached")
    assert "dark" in await tab.page.evaluate("document.documentElement.className")


async def test_the_skip_link_takes_the_keyboard_to_the_message_box(tab: Tab):
    await tab.open()
    await tab.page.get_by_role("link", name="Skip to the message box").focus()
    await tab.page.keyboard.press("Enter")
    await expect(tab.composer).to_be_focused()
    assert tab.path == "/"


async def test_a_card_can_be_decided_by_keys_and_not_at_once(tab: Tab):
    await tab.begin("Refund order T-1042")
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.page.locator("[data-question]").focus()
    why = tab.page.get_by_label("Why not?")
    await strike(tab, "r", why)
    await expect(why).to_be_focused()
    await tab.page.keyboard.press("Escape")
    await expect(tab.button("Approve")).to_be_visible()
    await expect(tab.page.locator("[data-question]")).to_be_visible()
    await tab.page.locator("[data-question]").focus()
    await strike(tab, "a", tab.page.locator(".ask", has_text="Approved"))


async def strike(tab: Tab, key: str, effect: Locator) -> None:
    """Press a key until it is heard: a card that was just entered hears none."""
    async with asyncio.timeout(10):
        while not await effect.is_visible():
            await tab.page.keyboard.press(key)


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_a_thread_with_an_approval(tab: Tab, scheme: str):
    await tab.page.emulate_media(color_scheme=scheme)
    await tab.begin("Refund order T-1042")
    await expect(tab.button("Approve")).to_be_enabled()
    await no_barriers(tab)


async def test_on_a_phone_the_threads_are_a_drawer_and_nothing_scrolls_sideways(
    phone: BrowserContext, parley: Parley
):
    tab = await new_tab(phone, parley.url)
    await tab.begin("Echo: from a phone")
    await expect(tab.answers).to_have_count(1)
    assert not await tab.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    threads = tab.page.get_by_role("navigation", name="Threads")
    await expect(threads).to_be_hidden()
    await tab.button("Show threads").click()
    await expect(threads).to_be_visible()
    assert await tab.page.locator("main").evaluate("main => main.inert")
    await no_barriers(tab)
    await tab.page.keyboard.press("Escape")
    await expect(threads).to_be_hidden()
    await expect(tab.button("Show threads")).to_be_focused()
    assert not tab.complaints


async def test_a_letter_typed_as_a_card_appears_goes_to_the_message_box_and_decides_nothing(tab: Tab):
    await tab.begin("Refund order T-1042")
    await tab.composer.click()
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.page.keyboard.type("and then", delay=60)
    await expect(tab.composer).to_have_value("and then")
    await expect(tab.button("Approve")).to_be_enabled()


async def test_a_key_struck_on_the_way_into_a_card_decides_nothing(tab: Tab):
    await tab.begin("Refund order T-1042")
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.composer.click()
    await tab.page.evaluate(
        """() => {
          const question = document.querySelector("[data-question]");
          question.focus();
          question.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
        }"""
    )
    await expect(tab.button("Approve")).to_be_enabled()


@pytest.mark.parametrize("path", ["/t/%E0%A4%A", "/t/%ff", "/nope", "/t/a/b"])
async def test_an_address_that_names_nothing_says_so_and_leads_back(tab: Tab, path: str):
    loads: list[str] = []
    tab.page.on("framenavigated", lambda frame: loads.append(frame.url))
    await tab.page.goto(f"{tab.base}{path}")
    await expect(tab.page.get_by_text("There is no such thread here.")).to_be_visible()
    assert len(loads) < 4
    await tab.page.wait_for_function("() => window.__reflex")  # set once the page has come alive
    tab.complaints.clear()  # the browser complains of a 404 of its own accord
    await tab.page.get_by_role("link", name="New chat").last.click()
    await expect(tab.composer).to_be_editable()


async def test_a_line_that_was_taken_is_not_called_unsent_in_another_thread(tab: Tab):
    await tab.begin("Echo: other thread")
    await expect(tab.answers).to_have_count(1)
    first = await tab.begin("Echo: first thread")
    await expect(tab.answers).to_have_count(1)
    await tab.say("Give me a slow answer")
    await tab.page.get_by_role("link", name=re.compile("other thread")).click()
    await expect(tab.lines).to_have_text(["Echo: other thread"])
    await tab.composer.fill("Echo: and here")
    await expect(tab.send).to_be_enabled()
    kept = f"parley.draft.{first.removeprefix('/t/')}"
    await tab.page.wait_for_function("kept => !localStorage.getItem(kept)", arg=kept)  # the line was taken
    await tab.page.goto(f"{tab.base}{first}")
    await expect(tab.lines).to_have_text(["Echo: first thread", "Give me a slow answer"])
    await expect(tab.composer).to_have_value("")
