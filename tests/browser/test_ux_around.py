"""What surrounds the conversation: sizes, themes, keys, what is said to people who listen, languages, stillness."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Response, expect

from tests.browser.test_chat import GUIDE, LAST_WORDS, REFUND
from tests.support.axe import no_barriers
from tests.support.chromium import DESKTOP, PHONE, Tab, new_tab
from tests.support.parley import Parley, running_parley

SMALL = {"width": 360, "height": 640}
TARGET_PX = 44
PAGES = {
    "/": "What should",
    "/t/00000000-0000-7000-8000-000000000000": "There is no such thread",
    "/nowhere": "There is no such thread",
    "/account": "Your account",
}
MOST_SCRIPT = 350_000
LANGUAGES = [("de-AT", "Neuer Chat", "ltr"), ("ar-EG", "محادثة جديدة", "rtl")]

# Every control a finger is meant for, that is on screen and smaller than it should be; a link in running text may be.
SMALL_TARGETS = f"""() => {{
  const shown = {{ opacityProperty: true, visibilityProperty: true }};
  const grown = (one) => {{
    const over = getComputedStyle(one, "::after");
    return over.content !== "none" && over.position === "absolute" ? -2 * Math.min(0, parseFloat(over.top) || 0) : 0;
  }};
  return [...document.querySelectorAll("button, a[href], input, select, summary, textarea")]
    .filter((one) => one.checkVisibility(shown) && !one.closest(".prose, .sr, .skip"))
    .filter((one) => one.getBoundingClientRect().width > 0)
    .filter((one) => one.getBoundingClientRect().height + grown(one) < {TARGET_PX} - 0.5)
    .map((one) => `${{one.outerHTML.slice(0, 120)}} ${{one.getBoundingClientRect().height}}`);
}}"""
FIRST_SCHEME = """addEventListener("DOMContentLoaded", () => {
  window.__first = getComputedStyle(document.documentElement).colorScheme;
})"""
IN_A_DIALOG = """(() => {
  const at = document.activeElement;
  return !at || at === document.body || Boolean(at.closest("dialog"));
})()"""
LISTEN = """() => {
  window.said = [];
  const heard = (records) => records.forEach(({ target }) => {
    const region = (target.nodeType === 1 ? target : target.parentElement)?.closest("[role=status]");
    if (region?.matches("p.sr")) window.said.push(region.textContent);
  });
  new MutationObserver(heard).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
# What browsers call the cumulative layout shift: the worst run of shifts, of five seconds at most, without a pause of
# one second.
WATCH_SHIFTS = """window.moved = 0;
let first = 0, last = 0, sum = 0;
const note = (one) => {
  if (one.hadRecentInput) return;
  const at = one.startTime;
  if (at - last > 1_000 || at - first > 5_000) { first = at; sum = 0; }
  last = at;
  sum += one.value;
  window.moved = Math.max(window.moved, sum);
};
new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["360x640", "390x844"])
async def test_ux_61_a_small_phone_shows_everything_without_scrolling_sideways(
    browser: Browser, parley: Parley, size: dict
):
    context = await browser.new_context(viewport=size, has_touch=True, is_mobile=True)
    tab = await new_tab(context, parley.url)
    await tab.begin(REFUND)
    await expect(tab.button("Approve")).to_be_enabled()
    assert await tab.page.evaluate(OVERFLOW) <= 0
    assert await tab.page.evaluate(SMALL_TARGETS) == []
    await expect(tab.composer).to_be_in_viewport()
    # what the keyboard of a phone leaves of the screen; the page is told to shrink with it
    await tab.page.set_viewport_size({"width": size["width"], "height": size["height"] - 260})
    await tab.composer.focus()
    await expect(tab.composer).to_be_in_viewport(ratio=1)
    await tab.page.set_viewport_size(size)
    threads = tab.page.get_by_role("navigation", name="Threads")
    await expect(threads).to_be_hidden()
    await tab.button("Show threads").click()
    await expect(threads).to_be_visible()
    assert await tab.page.evaluate(OVERFLOW) <= 0
    assert tab.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("contrast", ["no-preference", "more"])
async def test_ux_62_each_theme_is_there_at_once_and_can_be_read(
    browser: Browser, parley: Parley, scheme: str, contrast: str
):
    context = await browser.new_context(viewport=DESKTOP, color_scheme=scheme, contrast=contrast)
    tab = await new_tab(context, parley.url)
    await tab.page.add_init_script(FIRST_SCHEME)
    await tab.begin(REFUND)
    await expect(tab.button("Approve")).to_be_enabled()
    assert scheme in await tab.page.evaluate("window.__first")
    await no_barriers(tab)
    for name in ("Settings", "Export"):
        await tab.button(name).click()
        await expect(tab.page.get_by_role("dialog", name=name)).to_be_visible()
        await no_barriers(tab)
        await tab.page.keyboard.press("Escape")
    await tab.page.keyboard.press("Control+/")
    await expect(tab.page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    await no_barriers(tab)
    assert tab.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_ux_62_pages_without_a_chat_can_be_read_too(browser: Browser, parley: Parley, scheme: str):
    tab = await new_tab(await browser.new_context(viewport=DESKTOP, color_scheme=scheme), parley.url)
    for path, shown in PAGES.items():
        await tab.page.goto(f"{parley.url}{path}")
        await expect(tab.page.get_by_role("heading", name=shown).last).to_be_visible()
        await no_barriers(tab)


async def test_ux_62_contrast_and_density_are_kept_and_are_there_before_the_first_paint(tab: Tab):
    await tab.open()
    await tab.button("Settings").click()
    await tab.button("High").click()
    await tab.button("Compact").click()
    await tab.page.reload(wait_until="commit")
    await tab.page.wait_for_selector("body", state="attached")
    page = tab.page.locator("html")
    assert await page.get_attribute("data-contrast") == "more"
    assert await page.get_attribute("data-density") == "compact"


async def test_ux_63_keys_reach_everything_and_a_dialog_gives_the_keyboard_back(tab: Tab):
    await tab.begin(f"{GUIDE} quickly")
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await expect(tab.stop).to_have_count(0)
    settings = tab.button("Settings")
    await settings.focus()
    await tab.page.keyboard.press("Enter")
    dialog = tab.page.get_by_role("dialog", name="Settings")
    await expect(dialog).to_be_visible()
    for _ in range(30):
        await tab.page.keyboard.press("Tab")
        assert await tab.page.evaluate(IN_A_DIALOG)
    await tab.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(settings).to_be_focused()
    await tab.page.keyboard.press("k")
    await expect(tab.page.locator(".transcript article").last).to_be_focused()
    outline = await tab.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    await tab.page.keyboard.press("/")
    await expect(tab.composer).to_be_focused()
    await expect(tab.composer).to_have_value("")
    await tab.page.keyboard.press("n")
    await expect(tab.composer).to_have_value("n")


async def test_ux_63_what_is_begun_right_after_a_dialog_closes_keeps_the_keyboard(tab: Tab):
    await tab.open()
    await tab.button("Settings").click()
    dialog = tab.page.get_by_role("dialog", name="Settings")
    await expect(dialog).to_be_visible()
    # as a person does who is faster than the page, which hears of the closing a moment later
    await tab.page.evaluate("""() => {
      document.querySelector("dialog[open]").close();
      document.querySelector("#composer").focus();
    }""")
    await expect(tab.page.locator("dialog[aria-label=Settings] > *")).to_have_count(0)
    await expect(tab.composer).to_be_focused()


async def test_ux_63_the_keys_are_listed_and_can_be_switched_off(tab: Tab):
    await tab.open()
    await tab.button("Settings").focus()
    await tab.page.keyboard.press("?")
    keys = tab.page.get_by_role("dialog", name="Keyboard")
    await expect(keys).to_contain_text("New chat")
    await keys.get_by_role("button", name="Switch keys off").click()
    await tab.page.keyboard.press("Escape")
    await tab.button("Settings").focus()
    await tab.page.keyboard.press("?")
    await tab.page.keyboard.press("b")
    await expect(keys).to_be_hidden()
    await expect(tab.page.get_by_role("navigation", name="Threads")).to_be_visible()
    await tab.reload()
    await tab.page.keyboard.press("Control+/")
    await expect(keys).to_be_hidden()


async def test_ux_64_an_answer_is_said_once_when_it_is_whole(tab: Tab):
    await tab.open()
    await tab.page.evaluate(LISTEN)
    await tab.say(f"{GUIDE} quickly")
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await expect(tab.stop).to_have_count(0)
    await tab.page.wait_for_function("() => window.said.length > 0")
    said = [text for text in await tab.page.evaluate("window.said") if text]
    assert len(said) == 1
    assert "A bicycle travels well" in said[0]
    await expect(tab.log).to_have_attribute("aria-live", "off")


async def test_ux_64_nothing_moves_for_who_wants_it_still(browser: Browser, parley: Parley):
    context = await browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    tab = await new_tab(context, parley.url)
    await tab.begin(f"{GUIDE} slowly")
    await expect(tab.stop).to_be_visible()
    moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
    assert await tab.page.evaluate(moving) == 0
    assert (
        await tab.page.evaluate("getComputedStyle(document.querySelector('.scroll')).scrollBehavior")
        == "auto"
    )
    await tab.stop.click()


@pytest.mark.parametrize(("locale", "words", "direction"), LANGUAGES)
async def test_ux_65_words_dates_and_direction_follow_the_person(
    browser: Browser, parley: Parley, locale: str, words: str, direction: str
):
    tab = await tab_in(browser, parley, locale)
    await tab.page.goto(parley.url)
    link = tab.page.get_by_role("link", name=words)
    await expect(link).to_be_visible()
    page = tab.page.locator("html")
    await expect(page).to_have_attribute("dir", direction)
    await expect(page).to_have_attribute("lang", locale[:2])
    width = await tab.page.evaluate("innerWidth")
    box = await link.bounding_box()
    assert box is not None
    assert (box["x"] > width / 2) is (direction == "rtl")
    assert await tab.page.evaluate(OVERFLOW) <= 0
    await no_barriers(tab)
    assert tab.complaints == []


async def test_ux_65_a_reader_of_german_never_sees_english(browser: Browser, parley: Parley):
    tab = await tab_in(browser, parley, "de-DE")
    await tab.page.add_init_script(
        """(() => {
          window.seen = [];
          const look = () => {
            const shown = document.querySelector(".skip ~ .app .side-link .grow");
            if (shown?.checkVisibility({ visibilityProperty: true })) window.seen.push(shown.textContent);
            requestAnimationFrame(look);
          };
          look();
        })()"""
    )
    await tab.page.goto(parley.url)
    await expect(tab.page.get_by_role("link", name="Neuer Chat")).to_be_visible()
    await tab.page.wait_for_function("() => window.seen.length > 3")
    assert set(await tab.page.evaluate("window.seen")) == {"Neuer Chat"}


PLURALS = [
    ("de-AT", "Gilt für genau diese 5 Werte.", r"Heute, \d+\. "),
    ("ar-EG", "يشمل هذه القيم الـ٥ وحدها.", "اليوم, "),
]


@pytest.mark.parametrize(("locale", "covers", "day"), PLURALS)
async def test_ux_65_plurals_numbers_and_days_are_written_as_the_language_does(
    browser: Browser, parley: Parley, locale: str, covers: str, day: str
):
    tab = await tab_in(browser, parley, locale)
    await tab.open()
    box = tab.page.locator("#composer")
    await box.fill(REFUND)
    await box.press("Enter")
    await expect(tab.log).to_contain_text(covers)
    await expect(tab.log).to_contain_text(re.compile(day))
    await no_barriers(tab)
    assert tab.complaints == []


TOO_OFTEN = [
    ("en-GB", "That was too often", r"Try again in [\d,]+ s\."),
    ("de-AT", "Das war zu oft", r"Versuchen Sie es in [\d.\s]+ Sekunden noch einmal\."),
    ("ar-EG", "كان ذلك كثيرًا", r"حاول مجددًا بعد \S+ ثانية\."),
]


@pytest.mark.parametrize(("locale", "title", "detail"), TOO_OFTEN)
async def test_ux_65_what_went_wrong_is_said_in_the_language_with_its_numbers(
    browser: Browser, tmp_path: Path, locale: str, title: str, detail: str
):
    async with running_parley(tmp_path / "data", PARLEY_RUN_LIMIT="1 per hour") as parley:
        tab = await tab_in(browser, parley, locale)
        await tab.open()
        box = tab.page.locator("#composer")
        await box.fill("Echo: one")
        await box.press("Enter")
        await expect(tab.answers).to_have_text(["one"])
        await expect(tab.page.locator(".working")).to_have_count(0)
        await box.fill("Echo: two")
        await box.press("Enter")
        alert = tab.page.get_by_role("alert")
        await expect(alert).to_contain_text(title)
        await expect(alert).to_contain_text(re.compile(detail))
        await expect(box).to_have_value("Echo: two")
        assert tab.complaints == []


async def test_ux_65_a_language_that_was_chosen_is_remembered(tab: Tab):
    await tab.open()
    await tab.button("Settings").click()
    await tab.button("Deutsch").click()
    await expect(tab.page.get_by_role("link", name="Neuer Chat")).to_be_visible()
    await tab.reload()
    await expect(tab.page.get_by_role("link", name="Neuer Chat")).to_be_visible()
    await tab.button("Einstellungen").click()
    await tab.button("Wie der Browser").click()
    await expect(tab.page.get_by_role("link", name="New chat")).to_be_visible()


async def test_ux_66_a_whole_conversation_is_quiet_and_nothing_jumps(desktop: BrowserContext, parley: Parley):
    tab = await new_tab(desktop, parley.url)
    failed: list[str] = []
    tab.page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    tab.page.on("requestfailed", lambda request: failed.append(request.url))
    await tab.page.add_init_script(WATCH_SHIFTS)
    await tab.begin(f"{GUIDE} quickly")
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await expect(tab.stop).to_have_count(0)
    await tab.say(REFUND)
    await expect(tab.button("Approve")).to_be_enabled()
    await tab.button("Approve").click()
    await expect(tab.log).to_contain_text("Approved")
    await expect(tab.stop).to_have_count(0)
    assert await tab.page.evaluate("window.moved") <= 0.1
    assert failed == []
    assert tab.complaints == []


async def test_the_script_of_a_first_visit_stays_small(tab: Tab):
    scripts: list[bytes] = []

    async def weigh(answer: Response) -> None:
        if answer.request.resource_type == "script":
            scripts.append(gzip.compress(await answer.body(), 6))

    tab.page.on("response", weigh)
    await tab.open()
    await tab.page.wait_for_load_state("networkidle")
    assert sum(map(len, scripts)) <= MOST_SCRIPT


async def test_a_printed_thread_has_every_row_and_nothing_to_click(tab: Tab):
    await tab.begin(f"{GUIDE} quickly")
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await tab.page.emulate_media(media="print")
    await expect(tab.composer).to_be_hidden()
    await expect(tab.page.get_by_role("navigation", name="Threads")).to_be_hidden()
    await expect(tab.log.get_by_text(re.compile("again sooner"))).to_be_visible()


async def tab_in(browser: Browser, parley: Parley, locale: str) -> Tab:
    return await new_tab(await browser.new_context(viewport=DESKTOP, locale=locale), parley.url)
