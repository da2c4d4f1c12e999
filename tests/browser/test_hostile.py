"""Text from an agent, a tool or a person is data: it never becomes markup, script or a request to a stranger."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest
from playwright.async_api import BrowserContext, expect

from tests.support.chromium import Tab, new_tab
from tests.support.parley import Parley

SCRIPT = "<script>window.__pwned = 1</script><img src=x onerror='window.__pwned = 2'>"


@pytest.fixture
async def watched(desktop: BrowserContext, parley: Parley) -> AsyncIterator[tuple[Tab, list[str]]]:
    """A tab whose requests to anybody but Parley are kept."""
    tab = await new_tab(desktop, parley.url)
    strangers: list[str] = []
    host = f"localhost:{parley.port}"
    tab.page.on("request", lambda asked: None if host in asked.url else strangers.append(asked.url))
    yield tab, strangers
    assert not tab.complaints, tab.complaints


async def test_a_hostile_answer_does_nothing(watched: tuple[Tab, list[str]]):
    tab, strangers = watched
    await tab.begin("Show me a hostile answer quickly")
    await expect(tab.stop).to_have_count(0)
    await expect(tab.answers.last).to_contain_text("<script>")
    page = tab.page
    inside = page.locator("[role=log]")
    for element in ("script", "iframe", "img", "object", "embed", "form", "style"):
        await expect(inside.locator(element)).to_have_count(0)
    hrefs = await inside.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert all(href is None or href.startswith(("http://", "https://", "mailto:")) for href in hrefs), hrefs
    assert await page.evaluate("typeof window.__pwned + typeof window.pwned") == "undefinedundefined"
    assert not [address for address in strangers if not address.startswith(("data:", "blob:"))], strangers


async def test_a_hostile_line_of_a_person_does_nothing(watched: tuple[Tab, list[str]]):
    tab, strangers = watched
    await tab.begin(f"Echo: {SCRIPT}")
    await expect(tab.lines).to_have_text([f"Echo: {SCRIPT}"])
    await expect(tab.answers.last).to_contain_text("onerror")
    await expect(tab.page.get_by_role("navigation", name="Threads")).to_contain_text("<script>")
    assert await tab.page.evaluate("typeof window.__pwned") == "undefined"
    assert not strangers


async def test_an_unknown_thread_is_not_there(desktop: BrowserContext, parley: Parley):
    tab = await new_tab(desktop, parley.url)
    await tab.page.goto(f"{parley.url}/t/01890000-0000-7000-8000-000000000000")
    await expect(tab.page.get_by_text("There is no such thread here.")).to_be_visible()


async def test_another_persons_thread_looks_like_one_that_is_not_there(
    desktop: BrowserContext, parley: Parley
):
    tab = await new_tab(desktop, parley.url)
    path = await tab.begin("Echo: mine")
    await expect(tab.answers).to_contain_text("mine")
    await expect(tab.stop).to_have_count(0)
    await expect(tab.page.locator(".thr.is-run")).to_have_count(0)  # told last, to who is the owner then
    await give_away(parley, path.removeprefix("/t/"))
    await tab.page.reload()
    await expect(tab.page.get_by_text("There is no such thread here.")).to_be_visible()
    await expect(tab.page.get_by_text("Echo: mine")).to_have_count(0)


async def give_away(parley: Parley, thread_id: str) -> None:
    """Make somebody else the owner of a thread, as if it had always been theirs."""
    with closing(sqlite3.connect(parley.data / "parley.db")) as database, database:
        database.execute(
            "INSERT INTO user (id, name, display_name, roles, active, created)"
            " SELECT 'somebody', 'somebody', 'Somebody', roles, active, created FROM user LIMIT 1"
        )
        changed = database.execute("UPDATE thread SET owner = 'somebody' WHERE id = ?", (thread_id,))
        assert changed.rowcount == 1
