"""The page on a desk and on a phone, by day and by night: nothing sticks out, everything has a name."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, expect

from tests.browser.test_chat import GUIDE, LAST_WORDS, REFUND
from tests.support.axe import no_barriers
from tests.support.chromium import DESKTOP, PHONE, Tab, new_tab
from tests.support.parley import Parley

SIZES = {"desktop": DESKTOP, "phone": PHONE}
SCHEMES = ("light", "dark")


@pytest.fixture(params=[(size, scheme) for size in SIZES for scheme in SCHEMES], ids="-".join)
async def dressed(request: pytest.FixtureRequest, browser: Browser, parley: Parley) -> AsyncIterator[Tab]:
    """A tab of every size and theme."""
    size, scheme = request.param
    on_phone = size == "phone"
    context = await browser.new_context(
        viewport=SIZES[size], color_scheme=scheme, has_touch=on_phone, is_mobile=on_phone
    )
    tab = await new_tab(context, parley.url)
    yield tab
    assert not tab.complaints, tab.complaints


async def test_nothing_sticks_out_and_everything_has_a_name(dressed: Tab):
    await dressed.open()
    await assert_tidy(dressed)
    await dressed.begin(f"{GUIDE} quickly")
    await expect(dressed.log).to_contain_text(LAST_WORDS)
    await expect(dressed.stop).to_have_count(0)
    await assert_tidy(dressed)
    await dressed.say(REFUND)
    await expect(dressed.button("Approve")).to_be_enabled()
    await assert_tidy(dressed)


async def assert_tidy(tab: Tab) -> None:
    wide = await tab.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 0, f"the page is {wide} px wider than the screen"
    await no_barriers(tab)


async def test_a_phone_finds_its_threads_in_a_drawer(browser: Browser, parley: Parley):
    context = await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    tab = await new_tab(context, parley.url)
    await tab.begin("Echo: in my pocket")
    threads = tab.page.get_by_role("navigation", name="Threads")
    await expect(threads).to_be_hidden()
    await tab.button("Show threads").click()
    await expect(threads).to_be_visible()
    await expect(threads).to_contain_text("in my pocket")
    await tab.page.keyboard.press("Escape")
    await expect(threads).to_be_hidden()


async def test_the_theme_that_was_chosen_stays_and_never_flashes(browser: Browser, parley: Parley):
    context = await browser.new_context(viewport=DESKTOP, color_scheme="light")
    tab = await new_tab(context, parley.url)
    await tab.open()
    await tab.button("Settings").click()
    await tab.button("Dark").click()
    await tab.page.keyboard.press("Escape")
    await expect(tab.page.locator("html")).to_have_css("color-scheme", "dark")
    first = await context.new_page()
    await first.add_init_script(
        "addEventListener('DOMContentLoaded', () => {"
        " window.__first = getComputedStyle(document.documentElement).colorScheme })"
    )
    await first.goto(parley.url)
    assert await first.evaluate("window.__first") == "dark"
