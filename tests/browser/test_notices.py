"""Telling people outside the page: an admin's webhooks, and the browser's own notifications."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.axe import no_barriers
from tests.support.chromium import DESKTOP, PHONE, Tab
from tests.support.mail import Mailbox, mail_server
from tests.support.office import Office, open_office

HERE = "/admin/notifications"
DESK = """
window.__hidden = false; window.__notes = [];
Object.defineProperty(document, "hidden", { get: () => window.__hidden });
window.Notification = class {
  static permission = "%s";
  static requestPermission = async () => { Notification.permission = "%s"; return Notification.permission; };
  constructor(title, options) { this.title = title; this.options = options; window.__notes.push(this); }
  close() { this.closed = true; }
};
"""
"""A desk that shows notifications, for a browser that has none: what was shown is kept, and a test clicks on it."""


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    async with mail_server() as box:
        yield box


@pytest.fixture
async def office(tmp_path: Path, box: Mailbox) -> AsyncIterator[Office]:
    """Parley with accounts and a mail server."""
    mail = {
        "PARLEY_MAIL_HOST": "127.0.0.1",
        "PARLEY_MAIL_PORT": str(box.port),
        "PARLEY_MAIL_SECURITY": "none",
        "PARLEY_MAIL_FROM": "parley@example.org",
    }
    async with open_office(tmp_path / "data", **mail) as office:
        yield office


async def on_the_desk(tab: Tab, *, before: str = "default", after: str = "granted") -> None:
    await tab.page.add_init_script(DESK % (before, after))


async def notes(page: Page) -> list[str]:
    return await page.evaluate("window.__notes.map((note) => JSON.stringify(note))")


async def noted(page: Page) -> None:
    """Wait until a notification was shown. The page's policy allows no function made of words to wait by."""
    async with asyncio.timeout(30):
        while not await notes(page):  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.05)


async def settings(page: Page) -> None:
    await page.get_by_role("button", name="Settings").click()


async def test_an_admin_adds_tries_and_removes_a_webhook_and_no_secret_stays(office: Office):
    mira = await office.enter("Mira", "admin")
    page = mira.page
    await page.goto(f"{office.parley.url}{HERE}")
    await no_barriers(mira)
    await page.get_by_label("Name", exact=True).fill("Chat")
    await page.get_by_label("Address").fill("http://127.0.0.1:9/in/s3cret")
    await page.get_by_role("button", name="Add and show the secret").click()
    secret = await page.get_by_label("Secret", exact=True).input_value()
    assert secret.startswith("whsec_")
    await no_barriers(mira)
    await page.get_by_role("button", name="Test: Chat").click()
    await expect(page.get_by_text("Not at a public address, so nothing was posted.").first).to_be_visible()
    await no_barriers(mira)
    shown = await page.content()
    assert secret not in shown
    assert "s3cret" not in shown
    await page.get_by_role("button", name="Remove: Chat").click()
    await expect(page.get_by_text("There is none yet.")).to_be_visible()
    log = office.parley.log.read_text()
    assert secret not in log
    assert "s3cret" not in log


async def test_mail_reaches_a_person_until_they_turn_it_off(office: Office, box: Mailbox):
    mira = await office.enter("Mira", "admin")
    page = mira.page
    await page.goto(f"{office.parley.url}/admin/people")
    await page.get_by_role("link", name="Mira").click()
    await page.get_by_label("Mail address").fill("mira@example.org")
    await page.locator("#mail + form").get_by_role("button", name="Save").click()
    await page.goto(f"{office.parley.url}{HERE}")
    await page.get_by_role("button", name="Send me a test").click()
    await expect(page.get_by_text("Test: Taken.")).to_be_visible()
    (letter,) = box.letters
    assert (letter["To"], letter["Subject"]) == ("mira@example.org", "Parley: This is a test")
    await page.goto(f"{office.parley.url}/account")
    await no_barriers(mira)
    await page.get_by_role("button", name="Send me no more mail").click()
    await expect(page.get_by_text("Saved. No more mail.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_the_page_fits_in_both_themes_and_sizes(office: Office, size, scheme):
    mira = await office.enter("Mira", "admin", size=size, color_scheme=scheme)
    page = mira.page
    await page.goto(f"{office.parley.url}{HERE}")
    await page.get_by_label("Name", exact=True).fill("A webhook with a rather long name that has to break")
    await page.get_by_label("Address").fill("http://127.0.0.1:9/in")
    await page.get_by_role("button", name="Add and show the secret").click()
    await page.get_by_role("button", name=re.compile("^Test: A webhook")).click()
    await no_barriers(mira)
    assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]


async def test_a_notification_comes_while_the_tab_is_hidden_and_holds_no_word_of_the_chat(office: Office):
    una = await office.enter("Una", "user")
    await on_the_desk(una)
    await una.open()
    await settings(una.page)
    switch = una.page.get_by_role("checkbox", name="Browser notifications")
    await expect(switch).not_to_be_checked()
    assert await notes(una.page) == []
    await switch.click()
    await expect(switch).to_be_checked()
    await no_barriers(una)
    await una.page.get_by_role("button", name="Close").click()
    await una.page.evaluate("window.__hidden = true")
    await una.begin_here("Refund order T-1042")
    await noted(una.page)
    (note,) = map(json.loads, await notes(una.page))
    assert note["title"] == "Parley: a question waits for you"
    assert "T-1042" not in json.dumps(note)


async def test_a_click_on_it_leads_through_the_page(office: Office):
    una = await office.enter("Una", "user")
    await on_the_desk(una, before="granted")
    await una.open()
    await una.page.evaluate("localStorage.setItem('parley.notify', 'on')")
    await una.open()
    await una.page.evaluate("window.__hidden = true")
    path = await una.begin_here("Refund order T-1042")
    await noted(una.page)
    await una.page.get_by_role("link", name="Approvals").click()
    await una.page.wait_for_url("**/approvals")
    await una.page.evaluate("window.__notes[0].onclick()")
    await una.page.wait_for_url(f"**{path}")
    assert await una.page.evaluate("window.__notes[0].closed")


async def test_what_the_browser_forbids_is_said_and_stays_off(office: Office):
    una = await office.enter("Una", "user")
    await on_the_desk(una, after="denied")
    await una.open()
    await settings(una.page)
    await expect(una.page.get_by_text("When this tab is hidden")).to_be_visible()
    switch = una.page.get_by_role("checkbox", name="Browser notifications")
    await switch.click()
    await expect(una.page.get_by_text("The browser forbids them for this page.")).to_be_visible()
    await expect(switch).not_to_be_checked()
    await no_barriers(una)


async def test_a_real_browser_that_allows_them_is_still_asked_by_a_click(office: Office):
    una = await office.enter("Una", "user", permissions=["notifications"])
    await una.open()
    assert await una.page.evaluate("Notification.permission") == "granted"
    await settings(una.page)
    switch = una.page.get_by_role("checkbox", name="Browser notifications")
    await expect(switch).not_to_be_checked()
    await switch.click()
    await expect(switch).to_be_checked()
    await switch.click()
    await expect(switch).not_to_be_checked()
