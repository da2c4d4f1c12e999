"""axe finds nothing in any state of the chat: cards, menus, dialogs and panels, in both themes, wide and on a phone."""

import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from tests.support.axe import no_barriers
from tests.support.chromium import DESKTOP, PHONE, Tab
from tests.support.played import Stage, new_stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCREENS = {"wide": DESKTOP, "phone": PHONE}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with new_stage(tmp_path_factory.mktemp("barriers"), PARLEY_AGENT_PACE="0") as opened:
        yield opened


def looks() -> Iterator[object]:
    for screen in SCREENS:
        for theme in ("light", "dark"):
            yield pytest.param((screen, theme), id=f"{screen}-{theme}")


@pytest_asyncio.fixture(loop_scope="module", params=looks())
async def tab(stage: Stage, request: pytest.FixtureRequest) -> AsyncIterator[Tab]:
    screen, theme = request.param
    phone = {"is_mobile": True, "has_touch": True} if screen == "phone" else {}
    opened = await stage.new_tab(viewport=SCREENS[screen], color_scheme=theme, **phone)
    yield opened
    assert not opened.complaints, opened.complaints
    await opened.page.context.close()


def is_phone(tab: Tab) -> bool:
    return (tab.page.viewport_size or DESKTOP)["width"] == PHONE["width"]


async def looked_at(tab: Tab, shown: Locator) -> None:
    """Wait until something stands there, and look for barriers."""
    await expect(shown).to_be_visible()
    await no_barriers(tab)


async def bar(tab: Tab, name: str, in_menu: str = "") -> None:
    """Press a button of the bar; on a phone it is in a menu."""
    if is_phone(tab):
        await tab.button("More").click()
        await looked_at(tab, tab.button(in_menu or name))
    await tab.button(in_menu or name if is_phone(tab) else name).click()


async def at_rest(tab: Tab) -> None:
    await expect(tab.answers.first).to_be_visible()
    await expect(tab.stop).to_have_count(0)


async def threads_shown(tab: Tab) -> None:
    if is_phone(tab):
        await tab.button("Show threads").click()
    await expect(tab.page.get_by_role("navigation", name="Threads")).to_be_visible()


async def test_no_barrier_in_a_card_however_it_stands(tab: Tab):
    card = tab.page.locator(".ask")
    await tab.begin("Refund order T-1042")
    await expect(tab.button("Approve")).to_be_enabled()
    await looked_at(tab, card)
    await tab.button("Reject").click()
    await looked_at(tab, tab.page.get_by_label("Why not?"))
    await tab.page.keyboard.press("Escape")
    await tab.button("Edit first").click()
    await tab.page.get_by_label("Amount").fill("99")
    await looked_at(tab, tab.button("Approve with 1 change"))
    await tab.button("JSON").click()
    await looked_at(tab, tab.page.get_by_role("textbox", name="JSON"))
    await tab.button("Approve with 1 change").click()
    await looked_at(tab, card.get_by_role("list", name="Record"))
    await at_rest(tab)
    await tab.page.locator("details.step summary").first.click()
    await looked_at(tab, tab.page.locator(".step-body").first)


async def test_no_barrier_in_a_batch_and_in_a_form(tab: Tab):
    await tab.begin("Plan a guided tour")
    cards = tab.page.locator(".ask")
    await expect(cards).to_have_count(3)
    await no_barriers(tab)
    await cards.nth(0).get_by_label("Day").fill("2026-12-24")
    await cards.nth(0).get_by_label("How many people").fill("13")
    await looked_at(tab, cards.nth(0).get_by_text("Enter 12 or less."))
    await cards.nth(0).get_by_label("How many people").fill("3")
    await cards.nth(0).get_by_role("button", name="Answer").click()
    await looked_at(tab, cards.nth(0).get_by_role("button", name="Change"))


async def test_no_barrier_in_what_an_answer_offers(tab: Tab):
    await tab.begin("Compare the bicycles of three makers")
    await at_rest(tab)
    for summary in await tab.page.locator("[role=log] summary").all():
        await summary.click()
    await no_barriers(tab)
    await tab.button("Details").last.click()
    await looked_at(tab, tab.page.locator(".receipt"))
    await tab.button("Good answer").last.click()
    await tab.button("Add a comment").last.click()
    await looked_at(tab, tab.page.get_by_role("textbox", name="What was good or bad about it?"))
    await tab.page.keyboard.press("Escape")
    await bar(tab, "In order", "Show in order of arrival")
    await looked_at(tab, tab.page.locator(".arrivals"))


async def test_no_barrier_in_any_dialog(tab: Tab):
    await tab.begin("Echo: a word")
    await at_rest(tab)
    await bar(tab, "Export")
    await looked_at(tab, tab.page.get_by_role("dialog", name="Export"))
    await tab.page.keyboard.press("Escape")
    await bar(tab, "Run details")
    await looked_at(tab, tab.page.get_by_role("dialog", name="Run details").get_by_text("Done"))
    await tab.page.keyboard.press("Escape")
    for keys, name in (("Control+k", "Search"), ("Control+/", "Keyboard")):
        await tab.page.keyboard.press(keys)
        await looked_at(tab, tab.page.get_by_role("dialog", name=name))
        await tab.page.keyboard.press("Escape")
        await expect(tab.page.get_by_role("dialog", name=name)).to_be_hidden()
    await threads_shown(tab)
    await tab.button("Settings").click()
    await looked_at(tab, tab.page.get_by_role("dialog", name="Settings"))


async def test_no_barrier_in_the_list_its_menu_and_its_questions(tab: Tab):
    await tab.begin("Echo: a word")
    await at_rest(tab)
    await threads_shown(tab)
    await no_barriers(tab)
    row = tab.page.locator(".thr-row", has_text="Echo: a word").first
    menu = tab.page.get_by_role("dialog", name=re.compile("Echo: a word")).or_(
        tab.page.get_by_role("menu", name=re.compile("Echo: a word"))
    )
    await row.get_by_role("button", name=re.compile("^More")).click()
    await looked_at(tab, menu.or_(tab.page.locator(".menu:popover-open")).first)
    await tab.button("Delete").click()
    await looked_at(tab, tab.page.get_by_role("dialog", name=re.compile("^Delete")))
    await tab.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await looked_at(tab, tab.button("Undo"))


async def test_no_barrier_in_the_panels(tab: Tab):
    await tab.begin("Plan the workshop day")
    await at_rest(tab)
    toggle = tab.button("Show panel")
    if await toggle.is_visible():
        await toggle.click()
    for name in ("Board", "Plan", "State"):
        await tab.page.get_by_role("tab", name=name).click()
        await looked_at(tab, tab.page.get_by_role("tab", name=name, selected=True))


ASKED = (
    "Where is order T-1042?",
    "Think about which lock to buy",
    "Plan the workshop day",
    "Ask the mechanic and the carrier at once",
    "Write a guide to packing a bicycle for a flight",
    "Show the workshop as a dashboard at once",
    "Count the stock in the background at once",
    "Show me a hostile answer",
)


async def test_a_whole_conversation_over_every_kind_of_answer_complains_of_nothing(tab: Tab):
    failed: list[str] = []
    tab.page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    await tab.open()
    for number, line in enumerate(ASKED, 1):
        if number == 1:
            await tab.begin_here(line)
        else:
            await tab.say(line)
        await expect(tab.lines).to_have_count(number)
        await expect(tab.send).to_be_visible(timeout=60_000)
    await no_barriers(tab)
    assert failed == []
