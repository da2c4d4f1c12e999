"""Several workers, any proxy: what users of others report as lost sessions, 400s and answers that never come."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.chromium import DESKTOP, Tab, chromium, needs_chromium, new_tab
from tests.support.fault_agent import FaultAgent, fault_agent
from tests.support.parley import Parley, running_parley
from tests.support.round_robin import RoundRobin, round_robin

pytest_plugins = ("tests.support.databases", "tests.support.redis")
pytestmark = [pytest.mark.browser, pytest.mark.faults, needs_chromium]


@dataclass
class House:
    """Two workers on one database, a proxy that takes turns between them, an agent, and two tabs of one person."""

    workers: tuple[Parley, Parley]
    proxy: RoundRobin
    agent: FaultAgent
    tabs: tuple[Tab, Tab]


@pytest.fixture
async def house(tmp_path: Path, fresh_url, redis_url: str) -> AsyncIterator[House]:
    database = fresh_url("postgresql")
    async with AsyncExitStack() as stack:
        proxy = await stack.enter_async_context(round_robin())
        agent = await stack.enter_async_context(fault_agent())
        settings = {
            "PARLEY_DATABASE_URL": database,
            "PARLEY_REDIS_URL": redis_url,
            "PARLEY_PUBLIC_URL": proxy.url,
            "PARLEY_AGENT_URL": agent.url,
            "PARLEY_AWKWARD_AGENT": "false",
        }
        workers = [
            await stack.enter_async_context(running_parley(tmp_path / name, **settings))
            for name in ("one", "other")
        ]
        proxy.over([worker.port for worker in workers])
        browser = await stack.enter_async_context(chromium())
        context = await browser.new_context(viewport=DESKTOP)
        tabs = [await new_tab(context, proxy.url) for _ in range(2)]
        yield House(tuple(workers), proxy, agent, tuple(tabs))


async def test_g_two_workers_behind_a_round_robin_proxy_show_one_conversation(house: House):
    one, other = house.tabs
    path = await one.begin("short")
    await other.open(path)
    for tab in house.tabs:
        await expect(tab.log).to_contain_text("word19")
    await other.say("stream")
    for tab in house.tabs:
        await expect(tab.lines).to_have_count(2)
        await expect(tab.answers.last).to_contain_text("word30")
    await one.stop.click()
    for tab in house.tabs:
        await expect(tab.notes).to_contain_text("Stopped")
    await one.page.reload()
    await expect(one.lines).to_have_count(2)
    assert await one.answers.all_inner_texts() == await other.answers.all_inner_texts()
    assert {worker.port for worker in house.workers} <= set(house.proxy.used)


async def test_two_workers_killed_in_turn_during_an_approval_lose_nothing(house: House):
    tab, _ = house.tabs
    await tab.begin("ask me")
    await expect(tab.button("Approve")).to_be_visible()
    for worker in house.workers:
        await worker.kill()
        await tab.page.reload()
        await expect(tab.button("Approve")).to_be_visible()
        await worker.start()
    await tab.button("Approve").click()
    await expect(tab.log).to_contain_text("word9")
    assert len(house.agent.resumes) == 1
    await tab.page.reload()
    await expect(tab.lines).to_have_count(1)
    await expect(tab.button("Approve")).to_have_count(0)
