"""The same chat with an agent written in another framework, served by its own project's code."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.chromium import DESKTOP, Tab, new_tab
from tests.support.parley import running_parley
from tests.support.processes import free_port, running

pytestmark = pytest.mark.live


@pytest.fixture
async def joinery(browser: Browser, tmp_path: Path) -> AsyncIterator[Tab]:
    """A tab on a Parley that talks to the pydantic-ai example."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/agent"
    async with (
        running(["examples/pydantic_ai_agent.py", "--port", str(port)], port=port),
        running_parley(tmp_path / "data", PARLEY_AGENT_URL=address, PARLEY_AGENT_NAME="Joinery") as parley,
    ):
        tab = await new_tab(await browser.new_context(viewport=DESKTOP), parley.url)
        yield tab
        assert not tab.complaints, tab.complaints


async def test_it_chats_and_calls_its_tool(joinery: Tab):
    await joinery.begin("how many hinges are in stock?")
    await expect(joinery.answers.last).to_contain_text("112 hinges")
    await expect(joinery.page.locator(".step .st")).to_have_text("Done")
    await expect(joinery.page.get_by_role("heading", name="Joinery")).to_be_visible()
    await joinery.say("hello")
    await expect(joinery.answers.last).to_contain_text("written with pydantic-ai")


async def test_it_asks_before_it_orders_and_is_told_yes(joinery: Tab):
    await joinery.begin("order 40 hinges")
    await joinery.button("Approve").click()
    await expect(joinery.page.locator(".ask")).to_contain_text("Approved")
    await expect(joinery.answers.last).to_contain_text("Ordered 40 hinges")
    await expect(joinery.page.locator(".step .st").last).to_have_text("Done")


async def test_it_asks_before_it_orders_and_is_told_no(joinery: Tab):
    await joinery.begin("order 40 hinges")
    await joinery.button("Reject").click()
    await joinery.page.get_by_label("Why not?").fill("Too many.")
    await joinery.button("Reject").click()
    await expect(joinery.page.locator(".ask")).to_contain_text("Rejected")
    await expect(joinery.page.locator(".step .st").last).to_have_text("Rejected")
    await expect(joinery.composer).to_be_enabled()
