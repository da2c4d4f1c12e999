"""The inbox, as those use it who decide for others: what waits is there at once, and is decided once."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from chat_app import wiring
from chat_app.data import agents, users
from chat_app.data.ids import new_id
from chat_app.services.inbox.reading import MOST
from tests.support.axe import no_barriers
from tests.support.chromium import PHONE, Tab
from tests.support.office import Office, open_office
from tests.support.records import a_user, stored_exchange, stored_question, stored_run, stored_thread

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUND = "Refund order T-1042"
BY_OTHERS = {"decide": [{"by": "other", "roles": ["approver"]}]}
BY_TWO = {"decide": [{"by": "two", "roles": ["approver", "user"]}]}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    async with open_office(tmp_path_factory.mktemp("office") / "data") as opened:
        yield opened


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def everybody_leaves(office: Office) -> AsyncIterator[None]:
    """Close the tabs of a test at its end: each open one asks again at every question of the next."""
    yield
    for context in office.browser.contexts:
        await context.close()


@pytest.fixture
def others(office: Office) -> Office:
    office.rule(BY_OTHERS)
    return office


async def ask(office: Office, name: str, *, line: str = REFUND) -> Tab:
    """Let a new person ask for a refund; return their tab, where the card is."""
    tab = await office.enter(name, "user")
    await tab.begin(line)
    await expect(card(tab).first).to_contain_text("Decision needed")
    return tab


async def inbox(tab: Tab, owner: str) -> None:
    """Open the inbox, and in it the question asked for somebody."""
    await tab.page.goto(f"{tab.base}/approvals")
    await item(tab, owner).get_by_role("link").click()
    await shown(tab, owner)


async def shown(tab: Tab, owner: str) -> None:
    """Wait until the question asked for somebody is the one that is open; its context names who spoke."""
    await expect(tab.page.locator(".detail .ctx")).to_contain_text(owner)


def card(tab: Tab) -> Locator:
    return tab.page.locator(".ask")


def item(tab: Tab, owner: str) -> Locator:
    return tab.page.locator(".item").filter(has_text=f"for {owner}")


async def test_an_approver_without_the_chat_edits_and_approves_and_the_owners_tab_goes_on(others: Office):
    owner = await ask(others, "Mira")
    approver = await others.enter("Aiko", "approver")
    await inbox(approver, "Mira")
    detail = approver.page.locator(".detail")
    await expect(detail).to_contain_text(REFUND)
    await expect(detail).to_contain_text("You see the part around this call, not the whole chat.")
    await approver.button("Edit first").click()
    await approver.page.get_by_label("Amount").fill("99.0")
    await approver.button("Approve with 1 change").click()
    for tab in (owner, approver):
        await expect(card(tab)).to_contain_text("Approved with 1 change")
        await expect(card(tab)).to_contain_text("by Aiko")
    await expect(owner.answers.last).to_contain_text("99.0 EUR to Ines Marlow")
    await expect(item(approver, "Mira")).to_have_count(0)
    await approver.page.goto(f"{approver.base}{owner.path}")
    await expect(approver.lines).to_have_count(0)
    assert not approver.complaints, approver.complaints


async def test_a_note_of_the_one_who_rejects_reaches_the_agent_in_words(others: Office):
    owner = await ask(others, "Jonas")
    approver = await others.enter("Aiko", "approver")
    await inbox(approver, "Jonas")
    await approver.button("Reject").click()
    await approver.page.get_by_label("Why not?").fill("The carrier pays.")
    await card(approver).locator('[data-pane="reject"]').get_by_role("button", name="Reject").click()
    await expect(owner.answers.last).to_contain_text("You said: “The carrier pays.”")
    await expect(card(owner)).to_contain_text("by Aiko")


async def test_one_person_with_two_roles_is_not_two(office: Office):
    office.rule(BY_TWO)
    owner = await ask(office, "Olga")
    one = await office.enter("Tomas", "approver", "user")
    await inbox(one, "Olga")
    for _ in range(2):  # as an approver and as a user
        # a card that led to no decision yet lets its person try again after a while
        await expect(one.button("Approve")).to_be_enabled(timeout=20_000)
        await one.button("Approve").click()
        await expect(one.page.locator(".detail")).to_contain_text("Agreed so far: Tomas.")
    await expect(card(owner)).to_contain_text("Decision needed")
    await expect(owner.answers).to_have_count(1)
    other = await office.enter("Aiko", "approver")
    await inbox(other, "Olga")
    await other.button("Approve").click()
    await expect(owner.answers.last).to_contain_text("Done")
    await expect(one.page.locator(".detail")).to_contain_text("Approved")


async def test_ux_45_two_approvers_at_once_make_one_decision_and_both_see_whose(others: Office):
    owner = await ask(others, "Lena")
    first, second = await others.enter("Aiko", "approver"), await others.enter("Bela", "approver")
    for tab in (first, second):
        await inbox(tab, "Lena")
        await expect(tab.button("Approve").last).to_be_enabled()
    twice = "button => { button.click(); button.click() }"
    pressed = [tab.page.locator('.detail [data-act="approve"]').evaluate(twice) for tab in (first, second)]
    await asyncio.gather(*pressed)
    await expect(owner.answers.last).to_contain_text("Done")
    await expect(owner.page.locator(".step")).to_have_count(1)
    tops = [card(tab).locator(".ask-top") for tab in (owner, first, second)]
    for top in tops:
        await expect(top).to_contain_text(re.compile(r"by (Aiko|Bela)"))
    assert len({re.search(r"by (\w+)", await top.inner_text())[1] for top in tops}) == 1


async def test_ux_47_what_was_decided_stays_in_the_inbox_and_takes_no_other_answer(others: Office):
    owner = await ask(others, "Nora")
    approver = await others.enter("Aiko", "approver")
    await inbox(approver, "Nora")
    await approver.button("Approve").last.click()
    await expect(owner.answers.last).to_contain_text("Done")
    for tab in (approver, owner):
        await tab.page.goto(f"{tab.base}/approvals")
        await tab.page.get_by_role("button", name="Decided").click()
        line = item(tab, "Nora")
        await expect(line).to_contain_text("Approved by Aiko")
        await line.get_by_role("link").click()
        await expect(card(tab)).to_contain_text("by Aiko")
        await expect(card(tab).locator("time")).to_have_attribute("datetime", re.compile(r"^\d{4}-"))
        await expect(card(tab).get_by_role("button")).to_have_count(0)


async def test_ux_52_the_number_is_in_the_nav_and_the_title_and_leads_to_the_card(others: Office):
    approver = await others.enter("Aiko", "approver", "user")
    await approver.open()
    link = approver.page.get_by_role("link", name="Approvals")
    await expect(link).to_be_visible()
    badge = link.locator(".badge")
    waiting = 1 + (int(await badge.inner_text()) if await badge.count() else 0)
    owner = await ask(others, "Pia")
    await expect(badge).to_have_text(str(waiting))
    await expect(approver.page).to_have_title(re.compile(rf"^\({waiting}\) "))
    await link.click()
    await approver.page.wait_for_url("**/approvals")
    await expect(link).to_have_attribute("aria-current", "page")
    await expect(approver.page.get_by_role("link", name="New chat")).not_to_have_attribute(
        "aria-current", "page"
    )
    await expect(item(approver, "Pia")).to_be_visible()
    await owner.page.get_by_role("link", name="Approvals").click()
    await owner.page.get_by_role("button", name="Mine").click()
    await item(owner, "Pia").get_by_role("link").click()
    await owner.page.get_by_role("link", name="Open the chat").click()
    await expect(card(owner)).to_be_in_viewport()


async def test_ux_60_the_address_of_somebody_elses_thread_looks_like_that_of_none(office: Office):
    mira = await office.enter("Mira", "user")
    theirs = await mira.begin("Echo: mine alone")
    looks = []
    stranger = await office.enter("Tom", "user", "approver", "auditor", "admin")
    for path in (theirs, "/t/01890000-0000-7000-8000-000000000000"):
        await stranger.page.goto(f"{stranger.base}{path}")
        await expect(stranger.page.get_by_text("There is no such thread here.")).to_be_visible()
        await expect(stranger.page.get_by_text("mine alone")).to_have_count(0)
        # the title has its number once the link is there
        await expect(stranger.page.get_by_role("link", name="Approvals")).to_be_visible()
        looks.append((await stranger.page.title(), await stranger.page.locator("main").inner_text()))
    assert looks[0] == looks[1]


async def test_keys_move_and_decide_and_leave_typing_alone(others: Office):
    await ask(others, "Rosa")
    await ask(others, "Sven")
    approver = await others.enter("Aiko", "approver")
    await inbox(approver, "Sven")
    await approver.page.keyboard.press("k")
    await expect(item(approver, "Rosa")).to_have_attribute("aria-current", "true")
    await approver.page.keyboard.press("j")
    await expect(item(approver, "Sven")).to_have_attribute("aria-current", "true")
    await shown(approver, "Sven")
    await expect(approver.button("Reject").last).to_be_enabled()
    await approver.page.keyboard.press("r")
    note = approver.page.get_by_label("Why not?")
    await expect(note).to_be_focused()
    await approver.page.keyboard.type("jake")
    await expect(note).to_have_value("jake")
    await expect(item(approver, "Sven")).to_have_attribute("aria-current", "true")
    await approver.page.keyboard.press("Escape")
    await expect(note).to_be_hidden()


async def test_alike_calls_are_approved_together_and_others_are_not(others: Office):
    owners = [await ask(others, name) for name in ("Uma", "Vera")]
    await ask(others, "Willi", line="Refund order T-1077")
    approver = await others.enter("Aiko", "approver")
    await approver.page.goto(f"{approver.base}/approvals")
    for name in ("Uma", "Vera", "Willi"):
        await item(approver, name).get_by_role("checkbox").check(force=True)
    bulk = approver.page.locator(".bulk")
    await expect(bulk).to_contain_text("3 selected. Only calls of the same tool with equal values")
    await item(approver, "Willi").get_by_role("checkbox").uncheck(force=True)
    await bulk.get_by_role("button", name="Approve 2").click()
    for owner in owners:
        await expect(owner.answers.last).to_contain_text("Done")
        await expect(card(owner)).to_contain_text("by Aiko")
    await expect(item(approver, "Willi")).to_be_visible()


async def test_a_list_longer_than_one_stretch_is_read_to_its_end(tmp_path: Path):
    async with open_office(
        tmp_path / "data"
    ) as office:  # one of its own: so many would stand before all others
        office.rule(BY_OTHERS)
        lena = waiting_for(office, "Lena", MOST + 7)
        approver = await office.enter("Aiko", "approver")
        await approver.page.goto(f"{approver.base}/approvals")
        await approver.page.get_by_label("For:").select_option(value=lena)
        items, more = approver.page.locator(".item"), approver.button("Show more")
        for shown in range(50, MOST + 1, 50):
            await expect(items).to_have_count(shown)
            await more.click()
        await expect(items).to_have_count(7)
        await expect(more).to_have_count(0)
        await approver.button("Back to the first").click()
        await expect(items).to_have_count(50)


def waiting_for(office: Office, name: str, count: int) -> str:
    """Store questions of a new person, each in a thread of its own; return the person's id."""
    now = wiring.now()
    with office.database.transaction() as session:
        person = users.ensure(session, a_user(id=new_id(), name=new_id(), display_name=name))
        agent = agents.enabled(session)[0].id
        for _ in range(count):
            thread = stored_thread(session, id=new_id(), owner=person.id, agent=agent)
            begun = stored_exchange(session, thread, id=new_id(), ended=now)
            run = stored_run(session, begun, id=new_id(), status="interrupted")
            stored_question(session, run, id=new_id(), message="May I?", created=now)
    return person.id


async def test_a_question_is_taken_in_hand_and_others_see_by_whom(others: Office):
    await ask(others, "Xenia")
    first, second = await others.enter("Aiko", "approver"), await others.enter("Cora", "approver")
    for tab in (first, second):
        await inbox(tab, "Xenia")
    await first.button("Take it in hand").click()
    await expect(first.page.locator(".detail")).to_contain_text("In your hands since")
    await expect(second.page.locator(".detail")).to_contain_text("Aiko has it in hand")
    await first.page.get_by_role("button", name="Assigned").click()
    await expect(item(first, "Xenia")).to_be_visible()
    await first.page.get_by_label("Hand to").select_option("Cora")
    await expect(second.page.locator(".detail")).to_contain_text("In your hands since")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["wide", "phone"])
async def test_the_inbox_has_no_barrier(others: Office, theme: str, size: str, tmp_path: Path):
    await ask(others, f"Yves{theme}{size}")
    more = {"size": PHONE} if size == "phone" else {}
    approver = await others.enter("Aiko", "approver", color_scheme=theme, **more)
    await approver.page.goto(f"{approver.base}/approvals")
    await expect(item(approver, f"Yves{theme}{size}")).to_be_visible()
    await no_barriers(approver)
    await item(approver, f"Yves{theme}{size}").get_by_role("link").click()
    await expect(card(approver)).to_be_visible()
    await no_barriers(approver)
    wide = await approver.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= (PHONE["width"] if size == "phone" else 1280)
    await approver.page.screenshot(path=tmp_path / f"inbox-{size}-{theme}.png")
    assert not approver.complaints, approver.complaints
