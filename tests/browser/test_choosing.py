"""Whom a new chat is with: chosen among several agents, remembered, and refused where it is not open."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from tests.support.axe import no_barriers
from tests.support.bare import page as bare_page
from tests.support.chromium import DESKTOP, PHONE, Tab, new_tab
from tests.support.comers import first_link, join
from tests.support.parley import Parley, running_parley
from tests.support.processes import free_port

TOKEN = "a token of the tests"
CHAT = "reflex___state____state.chat_app___state___chat____chat"
LINES = ["Where is my shipment?", "Which pumps fit?"]


def choice(tab: Tab) -> Locator:
    return tab.page.get_by_role("combobox", name="Agent for the new chat")


@pytest.fixture
async def several(tmp_path: Path) -> AsyncIterator[Parley]:
    """Parley on its embedded agent, which takes pictures, and on two of the awkward ones, which declare nothing."""
    port = free_port()
    awkward = f"http://127.0.0.1:{port}/awkward"
    agents = {
        "Order desk": {"url": f"{awkward}/chunks", "suggestions": LINES},
        "Archive": {"url": f"{awkward}/windows-lines", "accepts": ["pdf"]},
    }
    environment = {"PARLEY_AGENTS": json.dumps(agents), "PARLEY_AGENT_ACCEPTS": "image"}
    async with running_parley(tmp_path / "data", port=port, **environment) as running:
        yield running


# ---------------------------------------------------------------- choosing


async def test_a_single_agent_is_named_and_not_chosen(tab: Tab):
    await tab.open()
    await expect(tab.page.get_by_role("heading", name="What should Parley look into?")).to_be_visible()
    await expect(choice(tab)).to_have_count(0)


async def test_a_new_chat_is_with_the_chosen_agent_and_so_are_those_after_it(
    desktop: BrowserContext, several: Parley
):
    tab = await new_tab(desktop, several.url)
    await tab.open()
    await expect(choice(tab).locator("option")).to_have_text(["Parley", "Archive", "Order desk"])
    await expect(choice(tab).locator("option:checked")).to_have_text("Parley")
    await no_barriers(tab)
    await choice(tab).select_option("Order desk")
    await expect(tab.page.get_by_role("heading", name="What should Order desk look into?")).to_be_visible()
    await expect(tab.page.locator(".sug")).to_have_text(LINES)
    await expect(tab.page.get_by_role("textbox", name="Message Order desk")).to_be_editable()
    await tab.page.reload()
    await expect(choice(tab).locator("option:checked")).to_have_text("Order desk")
    await tab.begin_here("Hello")
    await expect(tab.answers).to_have_count(1)
    await expect(tab.page.get_by_text("with Order desk")).to_be_visible()
    await expect(choice(tab)).to_have_count(0)
    await tab.open()
    await choice(tab).select_option("Parley")
    await expect(tab.page.get_by_role("heading", name="What should Parley look into?")).to_be_visible()
    await tab.page.get_by_role("link", name="Hello").click()
    await expect(tab.page.get_by_text("with Order desk")).to_be_visible()
    assert not tab.complaints, tab.complaints


async def test_ux_09_what_can_be_attached_follows_the_chosen_agent(desktop: BrowserContext, several: Parley):
    tab = await new_tab(desktop, several.url)
    await tab.open()
    picker = tab.page.locator("#files")
    await expect(tab.button("Attach a file")).to_be_visible()
    await expect(picker).to_have_attribute("accept", "image/*")
    await picker.set_input_files([{"name": "a.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n"}])
    await expect(tab.page.locator(".chip")).to_contain_text("a.png")
    await choice(tab).select_option("Archive")
    await expect(picker).to_have_attribute("accept", "application/pdf")
    await tab.say("Look at this")
    await expect(tab.page.get_by_role("alert")).to_contain_text("does not take files of this kind")
    await expect(tab.composer).to_have_value("Look at this")
    await choice(tab).select_option("Order desk")
    await expect(tab.button("Attach a file")).to_have_count(0)


async def test_ux_12_suggestions_of_the_chosen_agent_are_reached_by_the_keyboard(
    desktop: BrowserContext, several: Parley
):
    tab = await new_tab(desktop, several.url)
    await tab.open()
    await choice(tab).focus()
    await tab.page.keyboard.press("End")
    await expect(tab.page.locator(".sug")).to_have_text(LINES)
    await choice(tab).focus()
    await tab.page.keyboard.press("Tab")
    await expect(tab.page.get_by_role("button", name=LINES[0])).to_be_focused()
    await tab.page.keyboard.press("Enter")
    await tab.page.wait_for_url(re.compile(r"/t/[0-9a-f-]{36}"))
    await expect(tab.lines).to_have_text([LINES[0]])


async def test_the_choice_fits_a_phone_in_both_themes(browser: Browser, several: Parley):
    for scheme in ("light", "dark"):
        context = await browser.new_context(
            viewport=PHONE, has_touch=True, is_mobile=True, color_scheme=scheme
        )
        tab = await new_tab(context, several.url)
        await tab.open()
        await choice(tab).select_option("Order desk")
        await expect(tab.page.locator(".sug")).to_have_count(2)
        await no_barriers(tab)
        assert await tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        box = await choice(tab).bounding_box()
        assert box is not None
        assert box["height"] >= 44
        await context.close()


# ---------------------------------------------------------------- agents of people


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[Parley]:
    """Parley with accounts, where agents may be at private addresses; its own agent takes a token that is known."""
    environment = {
        "PARLEY_SIGN_IN": "password",
        "PARLEY_PRIVATE_AGENTS": "true",
        "PARLEY_AGENT_TOKEN": TOKEN,
        "PARLEY_AGENT_PACE": "0",
    }
    async with running_parley(tmp_path / "data", **environment) as running:
        yield running


async def admin_page(context: BrowserContext, parley: Parley) -> Page:
    page = await context.new_page()
    await join(page, await first_link(parley), "mira@example.org")
    return page


async def invited(browser: Browser, admin: Page, parley: Parley, name: str) -> tuple[Tab, str]:
    """Let the admin invite somebody who comes in; returns their tab and their id."""
    await admin.goto(f"{parley.url}/admin/people")
    await admin.get_by_role("button", name="Make a link").click()
    link = await admin.get_by_label("Link", exact=True).input_value()
    tab = await new_tab(await browser.new_context(viewport=DESKTOP), parley.url)
    await join(tab.page, link, f"{name}@example.org")
    await admin.goto(f"{parley.url}/admin/people")
    href = await admin.get_by_role("link", name=name).get_attribute("href")
    return tab, str(href).rpartition("/")[2]


async def added(admin: Page, parley: Parley, user: str) -> str:
    """Let the admin add the gateway of the embedded agent under another name, for one person; returns its id."""
    await admin.goto(f"{parley.url}/admin/agents")
    await admin.get_by_role("textbox", name="Name", exact=True).fill("Order desk")
    await admin.get_by_role("textbox", name="Address").fill(f"{parley.url}/agent")
    await admin.get_by_role("textbox", name="Headers").fill(f"Authorization: Bearer {TOKEN}")
    await admin.get_by_role("textbox", name="Rules").fill(
        json.dumps({"use": {"roles": [], "people": [user]}})
    )
    await admin.get_by_role("textbox", name="Suggestions").fill("What time is it here?")
    await admin.get_by_role("checkbox", name="tell_time").check()
    await admin.get_by_role("button", name="Add and test").click()
    await expect(admin.get_by_role("heading", name="Connection test")).to_be_visible()
    await expect(admin.locator(".probe", has_text="One run, start to end")).to_contain_text("Passed")
    return admin.url.rpartition("/")[2].partition("?")[0]


async def cookie_of(tab: Tab) -> str:
    return "; ".join(f"{one['name']}={one['value']}" for one in await tab.page.context.cookies())


async def refusal(parley: Parley, tab: Tab, agent: str) -> list[dict]:
    """Name an agent past the page, as nothing there would; return what came back."""
    async with bare_page(parley.url, await cookie_of(tab)) as opened:
        await opened.call(f"{CHAT}.load", {})
        return await opened.call(f"{CHAT}.choose_agent", {"agent_id": agent})


async def test_an_agent_that_an_admin_adds_is_chosen_by_who_may_and_nobody_else_sees_it(
    browser: Browser, desktop: BrowserContext, guarded: Parley
):
    admin = await admin_page(desktop, guarded)
    aiko, aiko_id = await invited(browser, admin, guarded, "aiko")
    bob, _ = await invited(browser, admin, guarded, "bob")
    agent = await added(admin, guarded, aiko_id)
    await no_barriers(Tab(admin, guarded.url))
    assert TOKEN not in await admin.content()
    await bob.open()
    await expect(bob.page.get_by_role("heading", name="What should Parley look into?")).to_be_visible()
    await expect(choice(bob)).to_have_count(0)
    forged, missing = [
        await refusal(guarded, bob, one) for one in (agent, "019370e0-0000-7000-8000-000000000000")
    ]
    assert "This agent is not open to you" in str(forged)
    assert forged == missing
    await aiko.open()
    await choice(aiko).select_option("Order desk")
    await aiko.page.get_by_role("button", name="What time is it here?").click()
    await aiko.page.wait_for_url(re.compile(r"/t/[0-9a-f-]{36}"))
    await expect(aiko.answers.last).to_be_visible()
    await expect(aiko.page.get_by_text("with Order desk")).to_be_visible()
    # what the admin changes holds at once: no run more, and the chat can still be read
    await admin.get_by_role("button", name="Switch off").click()
    await expect(admin.get_by_role("button", name="Switch on")).to_be_visible()
    await expect(aiko.stop).to_have_count(0)
    await aiko.say("And now?")
    await expect(aiko.page.get_by_role("alert")).to_contain_text("This agent is not open to you")
    await expect(aiko.composer).to_have_value("And now?")
    await aiko.page.reload()
    await expect(aiko.lines).to_have_text(["What time is it here?"])
    await expect(aiko.page.get_by_text("Order desk is not open to you any more")).to_be_visible()
    await aiko.open()
    await expect(choice(aiko)).to_have_count(0)
    await expect(aiko.page.get_by_role("heading", name="What should Parley look into?")).to_be_visible()
    for tab in (aiko, bob):
        assert not tab.complaints, tab.complaints
