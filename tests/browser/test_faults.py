"""What goes wrong on a bad day: a killed server, a cut socket, an agent that is away or answers nonsense."""

import re
import signal
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, expect

from tests.browser.test_chat import GUIDE, LAST_WORDS, REFUND
from tests.support.chromium import DESKTOP, new_tab
from tests.support.parley import Parley, running_parley
from tests.support.processes import free_port, running
from tests.support.proxy import proxied

pytestmark = pytest.mark.faults

ARTISAN = "examples/pydantic_ai_agent.py"


async def test_a_page_left_open_finds_its_way_back_after_a_kill(desktop: BrowserContext, parley: Parley):
    tab = await new_tab(desktop, parley.url)
    await tab.begin(GUIDE)
    await expect(tab.answers.last).to_contain_text("Pack")
    await parley.kill()
    await expect(tab.page.get_by_text("Connection lost.")).to_be_visible()
    await parley.start()
    await expect(tab.notes).to_contain_text("Interrupted by a server restart", timeout=20_000)
    await expect(tab.page.get_by_text("Connection lost.")).to_have_count(0)


async def test_a_terminated_server_closes_its_runs_and_exits(desktop: BrowserContext, parley: Parley):
    tab = await new_tab(desktop, parley.url)
    await tab.begin("Give me a slow answer")
    await expect(tab.stop).to_be_visible()
    assert await parley.stop() in (0, -signal.SIGTERM)
    await parley.start()
    await tab.page.reload()
    await expect(tab.notes).to_contain_text("Interrupted by a server restart")


async def test_an_open_approval_survives_a_kill(desktop: BrowserContext, parley: Parley):
    tab = await new_tab(desktop, parley.url)
    await tab.begin(REFUND)
    await expect(tab.button("Approve")).to_be_enabled()
    await parley.kill()
    await parley.start()
    await tab.reload()
    await tab.button("Approve").click()
    await expect(tab.page.locator(".ask")).to_contain_text("Approved")
    await expect(tab.page.locator(".step .st").last).to_have_text("Done")


async def test_a_cut_socket_loses_nothing_and_doubles_nothing(browser: Browser, tmp_path: Path):
    port = free_port()
    async with proxied(port) as proxy:
        outside = f"http://localhost:{proxy.port}"
        async with running_parley(tmp_path / "data", port=port, PARLEY_PUBLIC_URL=outside):
            tab = await new_tab(await browser.new_context(viewport=DESKTOP), outside)
            await tab.begin(GUIDE)
            await expect(tab.answers.last).to_contain_text("Pack")
            assert proxy.cut() > 0
            await expect(tab.log).to_contain_text(LAST_WORDS, timeout=60_000)
            streamed = await tab.log.inner_text()
            await expect(tab.stop).to_have_count(0)
            await tab.page.reload()
            await expect(tab.log).to_contain_text(LAST_WORDS)
            assert await tab.answers.last.inner_text() in streamed
            await tab.say("Echo: still here")
            await expect(tab.answers.last).to_contain_text("still here")


async def test_a_send_right_after_a_cut_is_not_lost(browser: Browser, tmp_path: Path):
    port = free_port()
    async with proxied(port) as proxy:
        outside = f"http://localhost:{proxy.port}"
        async with running_parley(tmp_path / "data", port=port, PARLEY_PUBLIC_URL=outside):
            tab = await new_tab(await browser.new_context(viewport=DESKTOP), outside)
            await tab.begin("Echo: before")
            await expect(tab.answers).to_have_count(1)
            assert proxy.cut() > 0
            await tab.composer.fill("Echo: after")
            await expect(tab.send).to_be_enabled()
            await tab.send.click()
            await expect(tab.lines.last.or_(tab.page.get_by_role("alert")).last).to_be_visible()
            await expect(tab.lines).to_have_text(["Echo: before", "Echo: after"], timeout=20_000)


async def test_an_agent_that_is_away_is_named_and_a_retry_reaches_it(browser: Browser, tmp_path: Path):
    port = free_port()
    address = f"http://127.0.0.1:{port}/agent"
    async with running_parley(tmp_path / "data", PARLEY_AGENT_URL=address) as parley:
        tab = await new_tab(await browser.new_context(viewport=DESKTOP), parley.url)
        await tab.begin("how many hinges are in stock?")
        await expect(tab.notes).to_contain_text("could not be reached")
        await expect(tab.lines).to_have_text(["how many hinges are in stock?"])
        async with running([ARTISAN, "--port", str(port)], port=port):
            await tab.button("Try again").click()
            await expect(tab.answers.last).to_contain_text("112 hinges")
        await expect(tab.lines).to_have_count(1)
        assert not tab.complaints


AWKWARD = {
    "html": "What answered is no AG-UI agent",
    "cut": "The connection to the agent was cut",
    "truncated": "The answer ended before it was complete",
    "no-end": "The answer ended before it was complete",
    "no-json": "The agent broke the AG-UI protocol",
    "401": "The agent refused the request.*401.*Not authenticated",
    "429": "The agent refused the request.*429.*7 s",
}


@pytest.mark.parametrize(("behaviour", "words"), AWKWARD.items())
async def test_an_agent_that_answers_nonsense_is_called_by_its_fault(
    browser: Browser, tmp_path: Path, behaviour: str, words: str
):
    port = free_port()
    address = f"http://127.0.0.1:{port}/awkward/{behaviour}"
    async with running_parley(tmp_path / "data", port=port, PARLEY_AGENT_URL=address) as parley:
        tab = await new_tab(await browser.new_context(viewport=DESKTOP), parley.url)
        await tab.begin("hello")
        await expect(tab.notes).to_contain_text(re.compile(words, re.DOTALL))
        await expect(tab.lines).to_have_text(["hello"])
        await expect(tab.composer).to_be_enabled()
