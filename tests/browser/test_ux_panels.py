"""What people expect of the state an agent shares: seen beside the chat, changed by hand, looked back at."""

import re

import pytest
from playwright.async_api import BrowserContext, Locator, expect

from tests.support.axe import no_barriers
from tests.support.chromium import Tab, new_tab
from tests.support.parley import Parley

PLAN = "Plan the workshop day"
ADD = "Add to the board: true the front wheel"


def panel(tab: Tab) -> Locator:
    return tab.page.locator(".panel")


async def shown(tab: Tab, phrase: str) -> Locator:
    """Let the agent share a state, and open the panel."""
    await tab.begin(f"{phrase} at once")
    await expect(tab.stop).to_have_count(0)
    await tab.button("Show panel").click()
    await expect(panel(tab)).to_be_visible()
    return panel(tab)


async def test_ux_54_the_panel_opens_beside_the_chat_and_marks_what_changes(tab: Tab):
    await tab.begin(PLAN)
    await tab.button("Show panel").click()
    await expect(panel(tab)).to_be_visible()
    assert await panel(tab).get_attribute("role") == "complementary"
    chat, side = await tab.page.locator("main").bounding_box(), await panel(tab).bounding_box()
    assert chat is not None
    assert side is not None
    assert chat["x"] + chat["width"] <= side["x"] + 1
    await expect(panel(tab).locator(".changed")).not_to_have_count(0)
    await expect(panel(tab).locator(".changed")).to_have_count(0)
    await expect(panel(tab).get_by_text("Changed", exact=True)).not_to_have_count(0)
    await expect(panel(tab).get_by_role("heading", name="Done 3")).to_be_visible(timeout=30_000)


async def test_ux_54_on_a_phone_the_panel_is_a_sheet_that_gives_the_keyboard_back(
    phone: BrowserContext, parley: Parley
):
    tab = await new_tab(phone, parley.url)
    await shown(tab, PLAN)
    sheet = tab.page.get_by_role("dialog", name="Shared state")
    await expect(sheet).to_be_visible()
    box = await sheet.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 390)
    assert box["y"] > 0
    assert box["y"] + box["height"] == 844
    await tab.page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)
    await expect(tab.button("Show panel")).to_be_focused()


async def test_ux_54_no_state_yet_and_a_state_that_does_not_fit_are_told_apart(tab: Tab):
    await tab.open()
    await tab.button("Show panel").click()
    await expect(panel(tab)).to_contain_text("No state yet")
    await tab.begin(f"{ADD} at once")
    await expect(panel(tab)).to_contain_text("true the front wheel")
    await tab.say("Draft a reply to Ines at once")
    await expect(panel(tab)).to_contain_text("The newest state does not fit this panel.")
    await expect(panel(tab)).to_contain_text("true the front wheel")
    await tab.page.reload()
    await expect(panel(tab)).to_contain_text("You see the last good version")
    await expect(panel(tab)).to_contain_text("true the front wheel")


async def test_ux_55_a_changed_value_is_yours_until_the_agent_has_it(tab: Tab):
    board = await shown(tab, ADD)
    item = board.locator(".task", has_text="true the front wheel")
    await item.get_by_role("checkbox").click()
    await expect(item).to_contain_text("Sent with your next message.")
    await expect(item.get_by_role("checkbox")).to_be_checked()
    await tab.page.reload()
    await expect(item).to_contain_text("Sent with your next message.")
    await tab.say("What is on the board?")
    await expect(tab.answers.last).to_contain_text("0 to do")
    await expect(item).not_to_contain_text("Sent with your next message.")
    await expect(item.get_by_role("checkbox")).to_be_checked()


async def test_ux_55_any_single_value_can_be_changed_and_keeps_its_kind(tab: Tab):
    state = await shown(tab, ADD)
    await state.get_by_role("tab", name="State").click()
    await state.get_by_role("button", name="Edit done").click()
    box = state.get_by_role("textbox", name="New value of done")
    await box.fill("maybe")
    await expect(state.get_by_role("alert")).to_have_text("This is not the same kind of value.")
    await box.fill("true")
    await box.press("Enter")
    await expect(state.locator(".leaf.yours")).to_contain_text("true")
    await state.get_by_role("tab", name="Board").click()
    await expect(state.locator(".task.yours")).to_have_count(1)


async def test_ux_54_earlier_versions_say_what_changed_and_who_did_it(tab: Tab):
    state = await shown(tab, ADD)
    await state.get_by_role("checkbox").click()
    await expect(state).to_contain_text("Version 2 of 2")
    await expect(state.locator(".panel-foot")).not_to_contain_text("Parley at")
    await state.get_by_role("tab", name="State").click()
    await state.get_by_role("button", name="Earlier version").click()
    await expect(state).to_contain_text("Version 1 of 2")
    await expect(state.locator(".leaf.add")).not_to_have_count(0)
    await state.get_by_role("tab", name="Board").click()
    await expect(state.get_by_role("heading", name=re.compile("To do"))).to_be_visible()
    await expect(state.get_by_role("checkbox")).to_have_count(0)
    await state.get_by_role("button", name="Back to live").click()
    await expect(state.get_by_role("checkbox")).to_be_checked()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_the_panel_its_tree_a_sheet_and_the_details_of_a_run(
    tab: Tab, phone: BrowserContext, parley: Parley, scheme: str
):
    await tab.page.emulate_media(color_scheme=scheme)
    state = await shown(tab, PLAN)
    await state.get_by_role("checkbox").first.click()
    await expect(state).to_contain_text("Sent with your next message.")
    await no_barriers(tab)
    await state.get_by_role("tab", name="State").click()
    await state.get_by_role("button", name="Earlier version").click()
    await expect(state).to_contain_text("Version 1 of 2")
    await no_barriers(tab)
    await tab.button("Run details").click()
    await expect(tab.page.get_by_role("dialog", name="Run details")).to_contain_text("Done")
    await no_barriers(tab)
    small = await new_tab(phone, parley.url)
    await small.page.emulate_media(color_scheme=scheme)
    await small.open(tab.path)
    await small.button("Show panel").click()
    await expect(small.page.get_by_role("dialog", name="Shared state")).to_be_visible()
    await no_barriers(small)
