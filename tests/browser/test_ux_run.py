"""What people expect to see of a run: what it is at, whom it asked, and what it said that nobody knows."""

from playwright.async_api import Locator, expect

from tests.support.axe import no_barriers
from tests.support.chromium import Tab


def working(tab: Tab) -> Locator:
    return tab.page.locator(".working")


def lane(tab: Tab, name: str) -> Locator:
    return tab.page.locator(".lane", has=tab.page.locator("summary .name", has_text=name))


async def test_ux_17_the_working_line_names_the_step_and_never_outlives_the_run(tab: Tab):
    await tab.begin("Plan the workshop day slowly")
    await expect(working(tab)).to_be_visible()
    await expect(tab.answers).to_have_count(0)
    await expect(working(tab)).to_contain_text("Check the stand")
    await tab.stop.click()
    await expect(tab.notes).to_contain_text("Stopped")
    await expect(working(tab)).to_have_count(0)
    await tab.page.reload()
    await expect(tab.notes).to_contain_text("Stopped")
    await expect(working(tab)).to_have_count(0)


async def test_ux_17_the_working_line_names_the_tool(tab: Tab):
    await tab.begin("Draft a reply to Ines slowly")
    await expect(working(tab)).to_contain_text("Write document")


async def test_ux_56_two_subagents_talk_at_once_and_each_keeps_to_its_lane(tab: Tab):
    await tab.begin("Ask the mechanic and the carrier slowly")
    mechanic, carrier = lane(tab, "Mechanic"), lane(tab, "Carrier")
    await expect(mechanic).to_contain_text("Running")
    await expect(mechanic.locator(".prose")).to_contain_text("Two spokes")
    await expect(tab.stop).to_have_count(0, timeout=60_000)
    for one, words, others in (
        (mechanic, "I would not ride it before.", "carrier needs"),
        (carrier, "We have both.", "spokes on the drive side"),
    ):
        await expect(one).to_contain_text("Finished")
        await one.locator("summary").first.click()
        await expect(one.locator(".prose")).to_contain_text(words)
        await expect(one.locator(".prose")).not_to_contain_text(others)
        await expect(one.locator(".rawname")).to_have_count(1)
    await tab.reload()
    await expect(mechanic).to_contain_text("Finished")
    await expect(mechanic.locator(".lane-body")).to_have_count(0)
    await mechanic.locator("summary").first.click()
    await expect(mechanic.locator(".prose")).to_contain_text("Two spokes on the drive side")
    await no_barriers(tab)


async def test_ux_56_a_subagent_of_a_subagent_stands_in_its_lane(tab: Tab):
    await tab.begin("Plan a trip to the bicycle fair")
    outer = tab.page.locator(".lane").first
    await expect(outer.locator(".lane").first).to_be_visible(timeout=60_000)
    await expect(outer).to_contain_text("Waiting for an answer", timeout=60_000)
    await expect(outer.locator(".lane").first).to_be_visible()


async def test_ux_41_custom_events_nobody_knows_are_one_collapsed_line(tab: Tab):
    await tab.begin("Count the stock in the background at once")
    line = tab.page.locator(".step", has_text="custom event")
    await expect(line).to_have_count(1)
    await expect(line).to_contain_text("Parley has no view for these")
    await expect(line.locator(".step-body")).to_have_count(0)
    await line.locator("summary").click()
    await expect(line.locator(".step-body")).to_contain_text('"name"')


async def test_ux_41_a_surface_is_drawn_with_the_pages_own_pieces(tab: Tab):
    await tab.begin("Show the workshop as a dashboard at once")
    surface = tab.page.locator(".a2")
    await expect(surface.get_by_role("heading")).to_have_text("Workshop today")
    await expect(surface).to_contain_text("T-1042")
    await no_barriers(tab)


async def test_the_versions_of_a_line_can_be_seen_while_the_new_one_is_answered(tab: Tab):
    await tab.begin("Echo: one")
    await expect(tab.answers.last).to_contain_text("one")
    await expect(tab.button("Answer again")).to_be_visible()
    await tab.page.locator("article.turn-user").hover()
    await tab.button("Edit and send again").click()
    field = tab.page.get_by_role("textbox", name="Your message")
    await field.fill("Plan the workshop day slowly")
    await tab.page.keyboard.press("Control+Enter")
    await expect(working(tab)).to_be_visible()
    versions = tab.page.get_by_role("group", name="Version 2 of 2")
    await expect(versions).to_be_visible()
    await expect(tab.stop).to_be_visible()
    await expect(versions.get_by_role("button", name="Earlier version")).to_be_disabled()
    await tab.stop.click()
    await versions.get_by_role("button", name="Earlier version").click()
    await expect(tab.answers).to_have_text(["one"])


async def test_the_details_of_a_run_follow_it_to_its_end(tab: Tab):
    await tab.begin("Say nothing")  # until it is stopped
    await expect(working(tab)).to_be_visible()
    await tab.button("Run details").click()
    dialog = tab.page.get_by_role("dialog", name="Run details")
    await expect(dialog).to_contain_text("Running")
    await expect(dialog).not_to_contain_text("Took")
    await no_barriers(tab)
    await tab.page.evaluate("document.querySelector('.composer .btn-danger').click()")  # from another hand
    await expect(dialog).to_contain_text("Stopped")
    await expect(dialog).to_contain_text("Took")


async def test_the_details_of_a_run_say_how_it_ended_and_give_the_keyboard_back(tab: Tab):
    await tab.begin("Hello at once")
    await expect(tab.button("Answer again")).to_be_visible()  # it is there once the run has ended
    await tab.button("Run details").click()
    dialog = tab.page.get_by_role("dialog", name="Run details")
    await expect(dialog).to_contain_text("Done")
    await expect(dialog).to_contain_text("Started")
    await tab.page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(tab.button("Run details")).to_be_focused()
    await tab.button("Run details").click()
    await expect(dialog).to_be_visible()
