"""What surrounds the conversation: languages, themes, keys, what is said to people who listen."""

import pytest
from playwright.async_api import Browser, expect

from tests.support.chromium import DESKTOP, Tab, new_tab
from tests.support.parley import Parley


async def tab_in(browser: Browser, parley: Parley, locale: str) -> Tab:
    return await new_tab(await browser.new_context(viewport=DESKTOP, locale=locale), parley.url)


@pytest.mark.parametrize(
    ("locale", "words", "direction"), [("de-AT", "Neuer Chat", "ltr"), ("ar-EG", "محادثة جديدة", "rtl")]
)
async def test_ux_65_words_dates_and_direction_follow_the_person(
    browser: Browser, parley: Parley, locale, words, direction
):
    tab = await tab_in(browser, parley, locale)
    await tab.page.goto(parley.url)
    await expect(tab.page.get_by_role("link", name=words)).to_be_visible()
    page = tab.page.locator("html")
    await expect(page).to_have_attribute("dir", direction)
    await expect(page).to_have_attribute("lang", locale[:2])
    assert tab.complaints == []
