"""What people expect of a card that asks them for a decision."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from chat_app.services.rows import Row, Run
from tests.support.axe import no_barriers
from tests.support.chromium import Tab, new_tab
from tests.support.parley import running_parley
from tests.support.played import Stage, new_stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUND = "Refund order T-1042"
BOTH = "Refund both orders"
SLOT = "Book a repair slot"
TOUR = "Plan a guided tour"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with new_stage(tmp_path_factory.mktemp("approvals")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def tab(stage: Stage) -> AsyncIterator[Tab]:
    opened = await stage.new_tab()
    yield opened
    assert not opened.complaints, opened.complaints
    await opened.page.context.close()


def card(tab: Tab) -> Locator:
    return tab.page.locator(".ask")


async def asked(tab: Tab, line: str = REFUND) -> str:
    """Ask for a refund and wait until its card can be answered; return the path of the thread."""
    path = await tab.begin(line)
    await expect(tab.button("Approve").first).to_be_enabled()
    return path


async def press(tab: Tab, key: str) -> None:
    """Strike a key in the card until it is heard: keys arm a moment after the focus came."""
    await card(tab).locator("[data-question]").focus()
    async with asyncio.timeout(5):
        while await card(tab).get_attribute("data-mode") == "":
            await tab.page.keyboard.press(key)
            await tab.page.wait_for_timeout(50)


async def test_ux_16_stop_is_there_while_an_approval_waits(tab: Tab):
    await asked(tab)
    await tab.stop.click()
    await expect(card(tab)).to_contain_text("Cancelled")
    await expect(tab.page.locator(".step .st")).to_have_text("Cancelled")
    await expect(tab.stop).to_have_count(0)
    await tab.say("Echo: and on we go")
    await expect(tab.answers.last).to_contain_text("and on we go")


async def test_ux_42_the_card_says_what_will_happen_with_every_value(tab: Tab):
    await asked(tab, f"{REFUND} within 20 minutes")
    shown = card(tab)
    await expect(shown.get_by_role("heading")).to_have_text(
        "Refund 184.5 EUR to Ines Marlow for order T-1042?"
    )
    await expect(shown).to_contain_text(re.compile(r"Parley asks, \d\d:\d\d"))
    await expect(shown).to_contain_text(re.compile(r"Expires in (20:00|19:\d\d)"))
    await expect(shown.locator(".ask-meta")).to_have_text("Issue refund issue_refundHigh risk")
    await expect(shown).to_contain_text("Moves money and cannot be called back.")
    names = await shown.locator(".facts dd bdi.raw").all_inner_texts()
    assert names == ["order", "payee", "amount", "currency", "reason"]
    await expect(shown.locator(".seal")).to_contain_text("Covers exactly these 5 values.")
    await expect(shown.locator("[data-act=approve]")).to_have_accessible_name("Approve refund")


async def test_ux_43_each_way_to_answer_is_there_and_none_has_the_focus(tab: Tab):
    await asked(tab)
    for name in ("Approve", "Edit first", "Reject"):
        await expect(tab.button(name)).to_be_visible()
        await expect(tab.button(name)).not_to_be_focused()
    await expect(tab.composer).to_be_focused()
    await tab.page.keyboard.press("a")
    await expect(tab.composer).to_have_value("a")
    await press(tab, "r")
    await tab.page.get_by_label("Why not?").fill("Wait for the carrier.")
    await tab.page.keyboard.press("Escape")
    await expect(card(tab)).to_have_attribute("data-mode", "")
    await press(tab, "e")
    await expect(card(tab)).to_have_attribute("data-mode", "edit")


async def test_ux_43_a_question_with_a_form_is_answered_in_it(tab: Tab):
    await tab.begin(SLOT)
    send = tab.button("Send answer")
    await expect(send).to_have_attribute("aria-disabled", "true")
    await tab.page.get_by_label("What to do").select_option("Wheel truing")
    await tab.page.get_by_role("switch", name="Ring me before you start").check()
    await expect(send).not_to_have_attribute("aria-disabled", "true")
    await send.click()
    await expect(card(tab)).to_contain_text("Answered")
    await expect(tab.answers.last).to_contain_text("wheel truing")
    await expect(tab.answers.last).to_contain_text("We ring you")


async def test_ux_44_an_edit_keeps_types_blocks_what_is_wrong_and_shows_what_it_changes(tab: Tab):
    await asked(tab)
    before = await card(tab).locator(".seal code").inner_text()
    await tab.button("Edit first").click()
    amount = tab.page.get_by_label("Amount")
    await expect(amount).to_have_value("184.5")
    await amount.fill("abc")
    await expect(tab.page.get_by_text("Enter a number in digits, like 1240.50.")).to_be_visible()
    await expect(amount).to_have_attribute("aria-invalid", "true")
    await expect(card(tab)).to_contain_text("Fix 1 field first")
    await expect(tab.button("Approve")).to_have_attribute("aria-disabled", "true")
    await amount.fill("99.0")
    await expect(card(tab).locator(".diff")).to_have_text(re.compile(r"Amount.*184\.5.*99\.0", re.DOTALL))
    new = card(tab).locator(".ask-pane .seal code")
    await expect(new.first).to_have_text(before)
    await expect(new.last).not_to_have_text(before)
    await tab.button("Approve with 1 change").click()
    await expect(card(tab)).to_contain_text("Approved with 1 change")
    await expect(tab.answers.last).to_contain_text("99.0 EUR to Ines Marlow")


async def test_ux_44_the_json_holds_the_same_and_says_where_it_breaks(tab: Tab):
    await asked(tab)
    await tab.button("Edit first").click()
    await tab.page.get_by_label("Amount").fill("99.5")
    await tab.button("JSON").click()
    written = tab.page.get_by_role("textbox", name="JSON")
    await expect(written).to_have_value(re.compile('"amount": 99.5'))
    await written.fill('{\n"amount": }')
    await expect(tab.page.get_by_text("Enter valid JSON: line 2 breaks it.")).to_be_visible()
    await tab.button("Undo changes").click()
    await expect(tab.page.get_by_label("Amount")).to_have_value("184.5")


async def test_ux_45_two_clicks_in_two_tabs_make_one_decision(tab: Tab):
    path = await asked(tab)
    other = await new_tab(tab.page.context, tab.base)
    await other.open(path)
    await expect(other.button("Approve")).to_be_enabled()
    twice = "button => { button.click(); button.click() }"
    await asyncio.gather(*(seen.button("Approve").evaluate(twice) for seen in (tab, other)))
    for seen in (tab, other):
        await expect(card(seen)).to_contain_text("Approved")
        await expect(card(seen)).to_contain_text("by You")
        await expect(seen.page.locator(".step")).to_have_count(1)
        await expect(seen.stop).to_have_count(0)
    await expect(tab.answers.last).to_contain_text("Done")
    await tab.page.reload()
    await expect(tab.page.locator(".step")).to_have_count(1)
    await expect(tab.answers).to_have_count(2)


async def test_ux_46_the_card_is_there_after_a_reload_in_another_tab_and_after_a_restart(
    stage: Stage, tmp_path: Path
):
    async with running_parley(tmp_path / "data") as parley:
        tab = await new_tab(await stage.new_context(), parley.url)
        path = await asked(tab)
        await tab.page.reload()
        await expect(tab.button("Approve")).to_be_enabled()
        other = await new_tab(tab.page.context, parley.url)
        await other.open(path)
        await expect(other.button("Approve")).to_be_enabled()
        await parley.kill()
        await parley.start()
        await other.reload()
        await other.button("Approve").click()
        await expect(card(other)).to_contain_text("Approved")
        await expect(other.answers.last).to_contain_text("Done")


async def test_ux_47_an_answered_card_stays_with_decision_person_time_note_and_trail(tab: Tab):
    await asked(tab)
    await tab.button("Edit first").click()
    await tab.page.get_by_label("Amount").fill("99")
    await tab.page.get_by_label("Note for the agent").fill("Less the salvage value.")
    await tab.button("Approve with 1 change").click()
    for _ in range(2):  # as it happens, and after a reload
        await expect(card(tab)).to_contain_text("Approved with 1 change")
        await expect(card(tab)).to_contain_text("by You")
        await expect(card(tab).locator(".ask-top time")).to_have_attribute("datetime", re.compile(r"^\d{4}-"))
        await expect(card(tab).locator(".diff del")).to_contain_text("184.5")
        await expect(card(tab).locator(".quote")).to_have_text("Less the salvage value.")
        trail = card(tab).get_by_role("list", name="Record")
        await expect(trail).to_have_text(re.compile(r"Proposed.*Decided.*Resumed.*Done", re.DOTALL))
        await expect(card(tab).get_by_role("button")).to_have_count(0)
        await tab.page.reload()


async def test_ux_48_another_thread_never_shows_the_card(tab: Tab):
    path = await asked(tab)
    other = await tab.begin("Echo: elsewhere")
    await expect(tab.answers.last).to_contain_text("elsewhere")
    await expect(card(tab)).to_have_count(0)
    threads = tab.page.get_by_role("navigation", name="Threads")
    for _ in range(3):
        await threads.locator(f'a[href="{path}"]').click()
        await tab.page.wait_for_url(f"**{path}")
        await expect(card(tab)).to_have_count(1)
        await threads.locator(f'a[href="{other}"]').click()
        await expect(card(tab)).to_have_count(0)


async def test_ux_49_several_questions_are_answered_one_by_one_and_sent_together(tab: Tab):
    await asked(tab, BOTH)
    await expect(card(tab)).to_have_count(2)
    send = tab.button("Send 2 decisions")
    await expect(send).to_be_disabled()
    await expect(card(tab).last).to_contain_text("0 of 2 answered")
    await card(tab).first.get_by_role("button", name="Approve").click()
    await expect(card(tab).last).to_contain_text("1 of 2 answered")
    await expect(card(tab).last).to_contain_text("1 left. Nothing is sent until then.")
    await card(tab).last.get_by_role("button", name="Reject").click()
    await card(tab).last.get_by_label("Why not?").fill("It is on its way.")
    await card(tab).last.get_by_role("button", name="Reject").click()
    await expect(send).to_be_enabled()
    await expect(tab.page.locator(".step .st")).to_have_text(["Waiting for approval", "Waiting for approval"])
    await card(tab).first.get_by_role("button", name="Change").click()
    await expect(card(tab).first.get_by_role("button", name="Edit first")).to_be_visible()
    await send.click()
    await expect(card(tab).first).to_contain_text("Approved")
    await expect(card(tab).last).to_contain_text("Rejected")
    await expect(tab.answers.last).to_contain_text("you rejected the refund")


async def test_ux_49_three_forms_go_out_together(tab: Tab):
    await tab.begin(TOUR)
    cards = card(tab)
    await expect(cards).to_have_count(3)
    await cards.nth(0).get_by_label("Day").fill("2026-12-24")
    await cards.nth(0).get_by_label("How many people").fill("13")
    await expect(cards.nth(0)).to_contain_text("Enter 12 or less.")
    await cards.nth(0).get_by_label("How many people").fill("3")
    await cards.nth(0).get_by_role("button", name="Answer").click()
    await expect(cards.nth(2)).to_contain_text("1 of 3 answered")
    await cards.nth(1).get_by_label("Pace").select_option("Easy")
    await cards.nth(1).get_by_role("button", name="Add an item").click()
    await cards.nth(1).get_by_label("Item 1", exact=True).select_option("Lake")
    await cards.nth(1).get_by_role("button", name="Answer").click()
    await expect(cards.nth(2)).to_contain_text("2 of 3 answered")
    await cards.nth(2).get_by_label("E-mail").fill("ada@example.org")
    await cards.nth(2).get_by_role("button", name="Answer").click()
    await tab.button("Send 3 decisions").click()
    await expect(tab.answers.last).to_contain_text("a tour for 3 on 2026-12-24")
    await expect(tab.answers.last).to_contain_text("by way of Lake")


async def test_ux_50_an_expired_card_says_so_and_the_agent_can_be_asked_again(tab: Tab):
    await tab.begin(f"{REFUND} within 2 seconds")
    await expect(card(tab)).to_contain_text("Nobody decided by", timeout=20_000)
    await expect(tab.button("Approve")).to_have_count(0)
    await tab.button("Ask the agent again").click()
    await expect(tab.lines.last).to_contain_text("expired before anyone decided. Ask me again.")
    await expect(card(tab)).to_have_count(2)
    await expect(tab.button("Approve")).to_be_enabled()


async def test_ux_50_the_card_reads_expired_at_the_minute_even_if_the_server_says_nothing(stage: Stage):
    server = await stage.new_server(clock=True)
    now = datetime.fromtimestamp(await server.page.evaluate("Date.now()") / 1000, UTC)
    asked = Row(
        key="ask:1",
        kind="approval",
        position=2,
        at=now.isoformat(),
        interrupt_id="1",
        message="Pay 10 EUR?",
        tool="pay",
        status="pending",
        actions=["approve", "reject", "cancel"],
        expires_at=(now + timedelta(minutes=2)).isoformat(),
    )
    server.snapshot(asked, run=Run("waiting"))
    shown = server.page.locator(".ask")
    approve = shown.get_by_role("button", name="Approve pay")
    await server.page.clock.run_for(1_000)
    await expect(approve).to_be_enabled()
    await expect(shown).to_contain_text("Expires in 1:5")
    await server.page.clock.run_for(90_000)
    await expect(shown).to_contain_text("less than a minute")
    await server.page.clock.run_for(30_000)
    await expect(approve).to_have_count(0)
    await expect(shown.locator(".ask-top")).to_contain_text("Expired")
    await expect(shown).to_contain_text("Nobody decided in time.")
    await server.page.context.close()


async def test_ux_51_a_message_while_a_decision_is_open_asks_first(tab: Tab):
    await asked(tab)
    await tab.say("Echo: something else")
    dialog = tab.page.get_by_role("dialog", name="A decision is open")
    await expect(dialog).to_be_visible()
    await no_barriers(tab)
    await tab.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(tab.composer).to_have_value("Echo: something else")
    await expect(tab.lines).to_have_count(1)
    await tab.send.click()
    await dialog.get_by_role("button", name="Answer it first").click()
    await expect(card(tab).locator("[data-question]")).to_be_focused()
    await tab.send.click()
    await dialog.get_by_role("button", name="Cancel it and send").click()
    await expect(card(tab)).to_contain_text("Cancelled")
    await expect(tab.lines).to_have_count(2)
    await expect(tab.composer).to_have_value("")


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_no_barrier_in_a_card_that_is_edited(tab: Tab, theme: str):
    await tab.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    await asked(tab)
    await tab.button("Edit first").click()
    await tab.page.get_by_label("Amount").fill("abc")
    await expect(tab.page.get_by_text("Enter a number in digits")).to_be_visible()
    await no_barriers(tab)
