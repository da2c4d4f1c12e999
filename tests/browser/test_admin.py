"""Admins look after threads and people: reading for a reason its owner sees, inviting, keeping out."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.support.axe import no_barriers
from tests.support.chromium import DESKTOP, PHONE, Tab, new_tab
from tests.support.comers import first_link, join
from tests.support.parley import Parley, running_parley


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[Parley]:
    """Parley with accounts, and nobody in it yet."""
    async with running_parley(tmp_path / "data", PARLEY_SIGN_IN="password") as running:
        yield running


async def admin_page(context: BrowserContext, parley: Parley) -> Page:
    page = await context.new_page()
    await join(page, await first_link(parley), "mira@example.org")
    await page.get_by_role("link", name="Admin").click()
    await expect(page.get_by_role("heading", name="Admin")).to_be_visible()
    return page


async def invited(browser: Browser, page: Page, parley: Parley) -> Tab:
    """Let the admin invite somebody who comes in; returns their tab."""
    await page.goto(f"{parley.url}/admin/people")
    await page.get_by_role("button", name="Make a link").click()
    link = await page.get_by_label("Link", exact=True).input_value()
    await no_barriers(Tab(page, parley.url))
    tab = await new_tab(await browser.new_context(viewport=DESKTOP), parley.url)
    await join(tab.page, link, "aiko@example.org")
    return tab


async def test_an_admin_reads_with_a_reason_and_the_owner_sees_it(
    browser: Browser, desktop: BrowserContext, guarded: Parley
):
    page = await admin_page(desktop, guarded)
    aiko = await invited(browser, page, guarded)
    await aiko.begin("Hello")
    await page.get_by_role("link", name="Threads").click()
    await no_barriers(Tab(page, guarded.url))
    await page.get_by_role("link", name="Hello").click()
    await expect(page.get_by_text("will see who opened it")).to_be_visible()
    await no_barriers(Tab(page, guarded.url))
    await page.get_by_label("Reason").fill("Ticket 5512")
    await page.get_by_role("button", name="Open and record the reason").click()
    await expect(page.get_by_text("Hello", exact=True).first).to_be_visible()
    told = aiko.page.get_by_text("Viewed by mira, because: Ticket 5512")
    await expect(told).to_be_visible()
    await no_barriers(aiko)


async def test_who_is_kept_out_is_out_at_once(browser: Browser, desktop: BrowserContext, guarded: Parley):
    page = await admin_page(desktop, guarded)
    aiko = await invited(browser, page, guarded)
    await page.goto(f"{guarded.url}/admin/people")
    await page.get_by_role("link", name="aiko").click()
    await no_barriers(Tab(page, guarded.url))
    await page.get_by_role("button", name="Keep out").click()
    await expect(page.get_by_text("Kept out")).to_be_visible()
    await aiko.page.wait_for_url(re.compile(r"/sign-in\?back="))


async def test_the_pages_are_drawn_in_both_themes_and_sizes(
    browser: Browser, desktop: BrowserContext, guarded: Parley
):
    state = await (await admin_page(desktop, guarded)).context.storage_state()
    for size in (DESKTOP, PHONE):
        for scheme in ("light", "dark"):
            context = await browser.new_context(viewport=size, color_scheme=scheme, storage_state=state)
            page = await context.new_page()
            for place in ("threads", "people"):
                await page.goto(f"{guarded.url}/admin/{place}")
                await no_barriers(Tab(page, guarded.url))
                wide = await page.evaluate("document.documentElement.scrollWidth")
                assert wide <= size["width"], (place, size)
            await context.close()


async def test_an_agent_is_added_by_its_address_and_tried(desktop: BrowserContext, guarded: Parley):
    page = await admin_page(desktop, guarded)
    await page.get_by_role("link", name="Agents").click()
    await no_barriers(Tab(page, guarded.url))
    await page.get_by_role("textbox", name="Name", exact=True).fill("Orders")
    await page.get_by_role("textbox", name="Address").fill(f"{guarded.url}/awkward/echo")
    await page.get_by_role("button", name="Add and test").click()
    await expect(page.get_by_role("heading", name="Connection test")).to_be_visible()
    await expect(page.get_by_text("is not at a public address")).to_be_visible()
    await no_barriers(Tab(page, guarded.url))
