"""One Chromium per test, and Parley running in a folder of the test's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext

from tests.support.chromium import DESKTOP, PHONE, Tab, chromium, needs_chromium, new_tab
from tests.support.parley import Parley, running_parley


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(needs_chromium)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as opened:
        yield opened


@pytest.fixture
async def desktop(browser: Browser) -> BrowserContext:
    return await browser.new_context(viewport=DESKTOP)


@pytest.fixture
async def phone(browser: Browser) -> BrowserContext:
    return await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncIterator[Parley]:
    """Parley on its embedded agent."""
    async with running_parley(tmp_path / "data") as running:
        yield running


@pytest.fixture
async def tab(desktop: BrowserContext, parley: Parley) -> AsyncIterator[Tab]:
    """A tab on a wide screen; a test that leaves complaints in its console fails."""
    opened = await new_tab(desktop, parley.url)
    yield opened
    assert not opened.complaints, opened.complaints
