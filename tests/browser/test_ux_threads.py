"""What people expect of the list of their threads, the search and the addresses."""

import re

from playwright.async_api import BrowserContext, Locator, expect

from chat_app.data import messages, threads
from chat_app.data.db import Database
from tests.support.axe import no_barriers
from tests.support.chromium import Tab, new_tab
from tests.support.parley import Parley
from tests.support.records import a_message


def links(tab: Tab) -> Locator:
    return tab.page.get_by_role("navigation", name="Threads").get_by_role("link")


async def menu_of(tab: Tab, title: str) -> Locator:
    await links(tab).filter(has_text=title).hover()
    await tab.page.get_by_role("button", name=f"More about {title}").click()
    return tab.page.get_by_role("dialog", name=f"More about {title}")


async def answered(tab: Tab, text: str) -> str:
    path = await tab.begin(text)
    await expect(tab.answers.last).to_contain_text(text.removeprefix("Echo: "))
    await expect(tab.stop).to_have_count(0)
    return path


async def test_ux_57_a_new_chat_has_no_line_until_it_has_a_message_then_one_that_can_be_renamed_and_undone(
    tab: Tab,
):
    await tab.open()
    await expect(links(tab)).to_have_count(0)
    await answered(tab, "Echo: hinges")
    await expect(links(tab)).to_have_text([re.compile("Echo: hinges")])
    await (await menu_of(tab, "Echo: hinges")).get_by_role("button", name="Rename").click()
    field = tab.page.get_by_role("textbox", name="Title of the thread")
    await expect(field).to_be_focused()
    await field.fill("All about hinges")
    await field.press("Enter")
    await expect(links(tab)).to_have_text([re.compile("All about hinges")])
    await expect(tab.page).to_have_title(re.compile("All about hinges"))
    menu = await menu_of(tab, "All about hinges")
    await menu.get_by_role("button", name="Delete").click()
    question = tab.page.get_by_role("dialog", name="Delete this thread?")
    await expect(question).to_contain_text("All about hinges")
    await question.get_by_role("button", name="Delete").click()
    await expect(links(tab)).to_have_count(0)
    # the offer is drawn anew with the page that one is led to
    await expect(tab.page.locator('.side-link[href="/"]')).to_have_attribute("aria-current", "page")
    await tab.page.get_by_role("button", name="Undo").click()
    await expect(links(tab)).to_have_text([re.compile("All about hinges")])
    await expect(tab.lines).to_have_text(["Echo: hinges"])


async def test_ux_57_who_leaves_a_title_for_the_message_box_stays_in_the_box(tab: Tab):
    await answered(tab, "Echo: hinges")
    await (await menu_of(tab, "Echo: hinges")).get_by_role("button", name="Rename").click()
    await tab.page.get_by_role("textbox", name="Title of the thread").fill("All about hinges")
    await tab.composer.click()
    await expect(links(tab)).to_have_text([re.compile("All about hinges")])
    await tab.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    await expect(tab.composer).to_be_focused()


async def test_ux_58_threads_stand_by_the_persons_days_pinned_on_top_and_archived_away(tab: Tab):
    await answered(tab, "Echo: one")
    await answered(tab, "Echo: two")
    groups = tab.page.locator("h2.side-group")
    await expect(groups).to_have_text(["Today"])
    await (await menu_of(tab, "Echo: one")).get_by_role("button", name="Pin on top").click()
    await expect(groups).to_have_text(["Pinned", "Today"])
    await expect(links(tab)).to_have_text([re.compile("one"), re.compile("two")])
    await (await menu_of(tab, "Echo: two")).get_by_role("button", name="Archive").click()
    await expect(links(tab)).to_have_text([re.compile("one")])
    await tab.button("Archive").click()
    await expect(links(tab)).to_have_text([re.compile("two")])
    await tab.button("Back to threads").click()
    await tab.begin("Refund order T-1042")
    await expect(links(tab).filter(has_text="Waiting for a decision.")).to_have_count(1)
    await expect(tab.button("Approve")).to_be_enabled()
    await no_barriers(tab)


async def test_ux_58_a_tag_is_shown_and_found(tab: Tab):
    await answered(tab, "Echo: one")
    menu = await menu_of(tab, "Echo: one")
    await menu.get_by_role("textbox", name="Tags").fill("pumps, urgent")
    await menu.get_by_role("button", name="Keep tags").click()
    await expect(tab.page.locator(".thr-tag")).to_have_text(["pumps", "urgent"])
    await tab.page.keyboard.press("Control+k")
    await tab.page.get_by_role("combobox").fill("urgent")
    await expect(tab.page.get_by_role("option")).to_have_count(1)


async def test_ux_59_search_opens_by_keyboard_finds_a_message_and_opens_there(tab: Tab):
    first = await answered(tab, "Echo: the needle is here")
    await answered(tab, "Echo: hay")
    await tab.composer.focus()
    await tab.page.keyboard.press("Control+k")
    field = tab.page.get_by_role("combobox", name="Search threads and messages")
    await expect(field).to_be_focused()
    await tab.page.keyboard.press("Escape")
    await expect(tab.composer).to_be_focused()
    await expect(field).to_have_count(0)
    await tab.page.keyboard.press("Control+k")
    await field.fill("NEEDLE")
    hits = tab.page.get_by_role("option")
    await expect(hits).to_have_count(3)
    await expect(hits.first.locator("mark")).to_have_text(["needle"])
    await no_barriers(tab)
    await tab.page.keyboard.press("Enter")
    await tab.page.wait_for_url(re.compile(f"{re.escape(first)}"))
    await expect(tab.lines).to_have_text(["Echo: the needle is here"])
    await expect(field).to_have_count(0)
    await tab.page.keyboard.press("Control+k")
    await field.fill("refnd")
    await expect(tab.page.locator(".finder-note")).to_contain_text("No thread or message has “refnd”")


async def test_ux_60_an_address_is_a_thread_and_back_and_forward_walk_through_them(tab: Tab):
    first = await answered(tab, "Echo: one")
    second = await answered(tab, "Echo: two")
    await links(tab).filter(has_text="one").click()
    await expect(tab.lines).to_have_text(["Echo: one"])
    assert tab.path == first
    await tab.page.go_back()
    await expect(tab.lines).to_have_text(["Echo: two"])
    assert tab.path == second
    await tab.page.go_forward()
    await expect(tab.lines).to_have_text(["Echo: one"])
    await tab.page.goto(f"{tab.base}/t/nothing-of-the-kind")
    await expect(
        tab.page.get_by_role("heading", name=re.compile("not there|No such|nothing", re.IGNORECASE)).first
    ).to_be_visible()


async def test_a_phone_renames_from_the_drawer(phone: BrowserContext, parley: Parley):
    tab = await new_tab(phone, parley.url)
    await answered(tab, "Echo: one")
    await tab.button("Show threads").click()
    await tab.page.get_by_role("button", name="More about Echo: one").click()
    await (
        tab.page.get_by_role("dialog", name="More about Echo: one")
        .get_by_role("button", name="Rename")
        .click()
    )
    await tab.page.get_by_role("textbox", name="Title of the thread").fill("Two")
    await tab.page.keyboard.press("Enter")
    await expect(links(tab)).to_have_text([re.compile("Two")])
    assert not tab.complaints


async def test_ux_59_a_hit_far_above_what_is_shown_at_once_opens_at_its_message(tab: Tab, parley: Parley):
    path = await answered(tab, "Echo: the needle is here")
    bury(parley, path.removeprefix("/t/"))
    await tab.open()
    await tab.page.keyboard.press("Control+k")
    await tab.page.get_by_role("combobox").fill("needle")
    await tab.page.locator(".hit[data-key]:not([data-key=''])").last.click()
    await tab.page.wait_for_url(re.compile(re.escape(path) + r"\?at=\d+"))
    sought = tab.page.locator(".sought")
    await expect(sought).to_contain_text("needle is here")
    await expect(sought).to_be_focused()
    await expect(sought).to_be_in_viewport()


def bury(parley: Parley, thread: str, *, under: int = 130) -> None:
    """Store many more lines in a thread than a page shows at once."""
    database = Database(f"sqlite:///{parley.data / 'parley.db'}")
    with database.transaction() as session:
        first = threads.reserve(session, thread, count=under)
        lines = [
            a_message(
                thread=thread,
                role="user",
                position=first + number,
                content=[{"kind": "text", "key": "t", "text": f"hay {number}"}],
            )
            for number in range(under)
        ]
        messages.upsert(session, lines)
    database.dispose()
