"""The ordinary day: send, stream, reload, second tab, stop, approve, reject."""

import asyncio
import re

from playwright.async_api import BrowserContext, expect

from tests.support.chromium import Tab, new_tab
from tests.support.parley import Parley

GUIDE = "Write a guide to packing a bicycle for a flight"
LAST_WORDS = "You will want it again sooner than you think."
REFUND = "Refund order T-1042"


async def test_a_line_is_answered_and_both_stay(tab: Tab):
    await tab.begin(f"{GUIDE} quickly")
    await expect(tab.lines).to_have_text([f"{GUIDE} quickly"])
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await expect(tab.page.locator(".prose table")).to_have_count(1)
    await expect(tab.stop).to_have_count(0)
    await tab.page.reload()
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await expect(tab.lines).to_have_count(1)


async def test_a_reload_in_mid_answer_finds_the_answer_complete(tab: Tab):
    await tab.begin(GUIDE)
    await expect(tab.answers.last).to_contain_text("Pack")
    await tab.page.reload()
    await expect(tab.stop).to_be_visible()
    await expect(tab.log).to_contain_text(LAST_WORDS, timeout=60_000)
    await expect(tab.stop).to_have_count(0)
    live = await tab.log.inner_text()
    await tab.page.reload()
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await expect(tab.log).to_have_text(live, use_inner_text=True)  # names and older rows come a moment later


async def test_a_second_tab_sees_the_same_while_it_streams(tab: Tab, desktop: BrowserContext, parley: Parley):
    path = await tab.begin(f"{GUIDE} quickly")
    other = await new_tab(desktop, parley.url)
    await other.open(path)
    for seen in (tab, other):
        await expect(seen.log).to_contain_text(LAST_WORDS)
        await expect(seen.stop).to_have_count(0)
    assert await other.answers.all_inner_texts() == await tab.answers.all_inner_texts()
    assert not other.complaints


async def test_an_approval_survives_a_reload_and_its_yes_is_carried_out(tab: Tab):
    await tab.begin(REFUND)
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.reload()
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.button("Approve").click()
    await expect(tab.page.locator(".ask")).to_contain_text("Approved")
    await expect(tab.page.locator(".step .st").last).to_have_text("Done")
    await expect(tab.composer).to_be_enabled()


async def test_a_rejection_reaches_the_agent_with_its_reason(tab: Tab):
    await tab.begin(REFUND)
    await expect(tab.button("Reject")).to_be_enabled()
    await tab.button("Reject").click()
    await tab.page.get_by_label("Why not?").fill("The customer called: it was found.")
    await tab.button("Reject").click()
    await expect(tab.page.locator(".ask")).to_contain_text("Rejected")
    await expect(tab.page.locator(".step .st").last).to_have_text("Rejected")
    await expect(tab.answers.last).to_contain_text("it was found")


async def test_two_enters_send_one_line(tab: Tab):
    await tab.open()
    await tab.composer.fill("Echo: once")
    await asyncio.gather(tab.composer.press("Enter"), tab.composer.press("Enter"))
    await expect(tab.answers).to_have_count(1)
    await expect(tab.lines).to_have_text(["Echo: once"])


async def test_the_thread_list_names_a_thread_by_its_first_line(tab: Tab):
    await tab.begin("Echo: about hinges")
    listed = tab.page.get_by_role("navigation", name="Threads").get_by_role("link")
    await expect(listed).to_have_text([re.compile("Echo: about hinges")])
    await tab.button("New chat").or_(tab.page.get_by_role("link", name="New chat")).first.click()
    await expect(tab.lines).to_have_count(0)
    await listed.first.click()
    await expect(tab.lines).to_have_text(["Echo: about hinges"])
