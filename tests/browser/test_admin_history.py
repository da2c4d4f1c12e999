"""What admins look back on in a browser: a thread opened for a reason, its run, the audit, usage, retention."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from chat_app import wiring
from chat_app.data import events, threads
from chat_app.data.records import EventRecord
from chat_app.services.policy import Person
from tests.support.axe import no_barriers
from tests.support.chromium import DESKTOP, PHONE, Tab
from tests.support.site import Site, running_site
from tests.support.things import Things

WORDS = "Where is order 4711?"
REASON = "Ticket 5512"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with running_site(tmp_path / "data") as running:
        yield running


def story(site: Site) -> Things:
    """Give Ada a thread in which her agent asked, with the log of its run."""
    things = site.things(site.person("Ada", "user"), words=WORDS)
    with site.database.transaction() as session:
        first = threads.reserve(session, things.thread, count=3)
        kinds = ("RUN_STARTED", "STATE_DELTA", "RUN_FINISHED")
        log = [
            EventRecord(
                thread=things.thread,
                seq=first + number,
                run=things.run,
                type=kind,
                payload={"type": kind, "token": "s3cret", "note": WORDS},
                at=wiring.now() + timedelta(seconds=number),
            )
            for number, kind in enumerate(kinds)
        ]
        events.append(session, log)
    return things


async def page_of(context: BrowserContext, site: Site, person: Person) -> Page:
    name, _, value = site.cookies[person.id].partition("=")
    await context.add_cookies([{"name": name, "value": value, "url": site.url}])
    return await context.new_page()


async def test_a_thread_is_opened_for_a_reason_and_all_of_it_is_found_in_the_audit(
    desktop: BrowserContext, site: Site, tmp_path: Path
):
    things = story(site)
    page = await page_of(desktop, site, site.person("Mira", "admin"))
    tab = Tab(page, site.url)
    await page.goto(f"{site.url}/admin/runs/{things.run}")
    await expect(page.get_by_text("Ada will see who opened it")).to_be_visible()
    await no_barriers(tab)
    await page.get_by_label("Reason").fill(REASON)
    await page.get_by_role("button", name="Open and record the reason").click()

    await expect(page.get_by_role("heading", name="Run")).to_be_visible()
    payload = page.get_by_role("row", name="STATE_DELTA").locator("pre")
    await expect(payload).to_be_hidden()
    await page.get_by_role("row", name="STATE_DELTA").locator("summary").click()
    await expect(payload).to_contain_text(WORDS)
    await expect(page.get_by_text("s3cret")).to_have_count(0)
    await no_barriers(tab)

    await page.get_by_role("link", name="What the audit says of it").click()
    opened = page.get_by_role("row", name="Opened to read")
    await expect(opened).to_contain_text("Mira")
    await expect(opened).to_contain_text(REASON)
    await no_barriers(tab)
    async with page.expect_download() as taking:
        await page.get_by_role("button", name="Download as CSV").click()
    file = tmp_path / "audit.csv"
    await (await taking.value).save_as(file)
    text = file.read_text()
    assert REASON in text
    assert things.thread in text
    await page.goto(f"{site.url}/admin/audit?kind=audit")
    await expect(page.get_by_role("row", name="Audit downloaded")).to_be_visible()

    await page.get_by_role("button", name="Verify now").click()
    await expect(page.get_by_text("each is as it was written")).to_be_visible()
    await page.get_by_role("link", name="1", exact=True).click()
    await expect(page.get_by_text("This entry is as it was written")).to_be_visible()
    await no_barriers(tab)


async def test_the_pages_are_drawn_without_barriers_in_both_themes_and_sizes(browser: Browser, site: Site):
    things = story(site)
    mira = site.person("Mira", "admin")
    async with site.client(mira) as client:
        await client.post(f"/admin/threads/{things.thread}/open", data={"reason": REASON})
        await client.post("/admin/audit/check")
    places = (
        "threads",
        f"threads/{things.thread}",
        f"runs/{things.run}",
        "audit",
        f"audit/{things.entry}",
        "usage",
        "retention",
    )
    for size in (DESKTOP, PHONE):
        for scheme in ("light", "dark"):
            context = await browser.new_context(viewport=size, color_scheme=scheme)
            page = await page_of(context, site, mira)
            for place in places:
                answer = await page.goto(f"{site.url}/admin/{place}")
                assert answer is not None
                assert answer.ok, place
                await no_barriers(Tab(page, site.url))
                wide = await page.evaluate("document.documentElement.scrollWidth")
                assert wide <= size["width"], (place, size)
            await context.close()


async def swept(page: Page, site: Site) -> None:
    """Wait until the server has looked for what is past its time, as it does when it has started."""
    async with asyncio.timeout(20):
        await page.goto(f"{site.url}/admin/retention")
        while await page.get_by_text("none yet").count():
            await page.goto(f"{site.url}/admin/retention")


async def test_what_is_past_its_time_goes_when_its_number_was_agreed_to(desktop: BrowserContext, site: Site):
    page = await page_of(desktop, site, site.person("Mira", "admin"))
    await swept(page, site)
    things = story(site)
    long_ago = wiring.now() - timedelta(days=365)
    with site.database.transaction() as session:
        threads.delete(session, things.thread, now=long_ago)
    await page.goto(f"{site.url}/admin/retention")
    await page.get_by_label("I know that these threads go for ever: 1").check()
    await no_barriers(Tab(page, site.url))
    await page.get_by_role("button", name="Erase what is past its time").click()
    await expect(page.get_by_text("What was past its time is erased.")).to_be_visible()
    await expect(page.get_by_text("Nothing is past its time.")).to_be_visible()
