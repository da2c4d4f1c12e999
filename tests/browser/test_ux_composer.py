"""What people expect of the message box, of sending and of stopping."""

import re
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, expect

from tests.support.axe import no_barriers
from tests.support.chromium import Tab, new_tab
from tests.support.parley import Parley, running_parley

GUIDE = "Write a guide to packing a bicycle for a flight"


async def answered(tab: Tab, words: str) -> str:
    """Begin a thread with a line that is echoed, and wait until its answer is over; returns its path."""
    path = await tab.begin(f"Echo: {words}")
    await expect(tab.answers.last).to_contain_text(words)
    await expect(tab.stop).to_have_count(0)
    return path


COMPOSE = """(box, steps) => {
  for (const [type, init] of steps) {
    const Kind = type.startsWith("composition") ? CompositionEvent : KeyboardEvent;
    box.dispatchEvent(new Kind(type, { bubbles: true, cancelable: true, ...init }));
  }
}"""


async def test_ux_01_enter_sends_shift_enter_breaks_the_line_and_a_composition_is_left_alone(tab: Tab):
    await tab.open()
    await tab.composer.fill("Echo: 新しい")
    composing = {"key": "Enter", "keyCode": 229, "isComposing": True}
    await tab.composer.evaluate(
        COMPOSE, [["compositionstart", {}], ["keydown", composing], ["compositionend", {}]]
    )
    # Safari ends the composition before it tells of the key
    await tab.composer.evaluate(
        COMPOSE, [["keydown", {"key": "Enter", "keyCode": 229, "isComposing": False}]]
    )
    await expect(tab.composer).to_have_value("Echo: 新しい")
    await expect(tab.lines).to_have_count(0)
    await tab.composer.press("Shift+Enter")
    await tab.composer.press_sequentially("two")
    await tab.composer.press("Enter")
    await expect(tab.lines).to_have_text([re.compile(r"Echo: 新しい\s+two")])


async def test_ux_02_white_space_alone_cannot_be_sent_and_says_why(tab: Tab):
    await tab.open()
    await tab.composer.fill(" \n ")
    await expect(tab.send).to_be_disabled()
    await expect(tab.send).to_have_attribute("title", "Write something first")
    await tab.composer.press("Enter")
    await expect(tab.lines).to_have_count(0)


async def test_ux_03_the_box_grows_to_about_eight_lines_and_scrolls_inside(tab: Tab):
    await tab.open()
    one = (await tab.composer.bounding_box())["height"]
    await tab.composer.fill("\n".join("line" for _ in range(8)))
    eight = (await tab.composer.bounding_box())["height"]
    await tab.composer.fill("\n".join("line" for _ in range(60)))
    sixty = (await tab.composer.bounding_box())["height"]
    assert one < eight
    assert sixty <= eight + 30
    assert await tab.composer.evaluate("box => box.scrollHeight > box.clientHeight")
    assert await tab.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


async def test_ux_04_the_keyboard_is_in_the_box_after_load_new_chat_and_sending(tab: Tab):
    await tab.open()
    await expect(tab.composer).to_be_focused()
    await tab.page.keyboard.type("Echo: one")
    await tab.page.keyboard.press("Enter")
    await tab.page.wait_for_url(re.compile("/t/"))
    await expect(tab.lines).to_have_text(["Echo: one"])
    await expect(tab.composer).to_be_focused()
    await tab.page.get_by_role("link", name="New chat").click()
    await tab.page.wait_for_url(re.compile("/$"))
    await expect(tab.composer).to_have_value("")
    await expect(tab.composer).to_be_focused()


async def test_ux_05_a_draft_survives_a_reload_and_stays_with_its_thread(tab: Tab):
    first = await answered(tab, "one")
    await expect(tab.composer).to_have_value("")
    await tab.composer.fill("for the first thread")
    await tab.page.get_by_role("link", name="New chat").click()
    await expect(tab.composer).to_have_value("")
    await tab.composer.fill("for a new one")
    await tab.page.reload()
    await expect(tab.composer).to_have_value("for a new one")
    await tab.open(first)
    await expect(tab.composer).to_have_value("for the first thread")


async def test_ux_06_what_could_not_be_sent_is_in_the_box_and_can_be_sent_again(tab: Tab, parley: Parley):
    await answered(tab, "one")
    await tab.composer.fill("Echo: two")
    await parley.kill()
    await expect(tab.page.locator(".banner")).to_be_visible()
    await expect(tab.send).to_be_disabled()
    await expect(tab.composer).to_have_value("Echo: two")
    await parley.start()
    await expect(tab.send).to_be_enabled(timeout=30_000)
    await tab.send.click()
    await expect(tab.lines).to_have_text(["Echo: one", "Echo: two"], timeout=30_000)
    tab.complaints.clear()  # of the server that was gone


async def test_ux_10_arrow_up_in_an_empty_box_recalls_the_last_line(tab: Tab):
    await answered(tab, "recall me")
    await tab.composer.press("ArrowUp")
    await expect(tab.composer).to_have_value("Echo: recall me")
    await tab.composer.fill("something else")
    await tab.composer.press("ArrowUp")
    await expect(tab.composer).to_have_value("something else")


async def test_ux_11_lines_wait_while_the_agent_answers_and_can_be_changed_dropped_and_hurried(tab: Tab):
    begun = f"{GUIDE} slowly"
    await tab.begin(begun)
    await expect(tab.answers.last).to_contain_text("Pack")
    queue = tab.page.locator(".queue")
    for line in ("Echo: first", "Echo: second", "Echo: third"):
        await tab.composer.fill(line)
        await tab.button("Queue").click()
        await expect(tab.composer).to_have_value("")
    await expect(queue).to_contain_text("3 messages wait for this run to end")
    await no_barriers(tab)
    await queue.get_by_role("button", name="Remove queued message").nth(1).click()
    await expect(queue.get_by_role("listitem")).to_have_count(2)
    await queue.get_by_role("button", name="Edit queued message").first.click()
    field = queue.get_by_role("textbox", name="Text of the queued message")
    await expect(field).to_have_value("Echo: first")
    await field.fill("Echo: changed")
    await field.press("Enter")
    await expect(queue.get_by_role("listitem").first).to_contain_text("Echo: changed")
    await queue.get_by_role("button", name="Send now").last.click()
    await expect(tab.lines).to_have_text([begun, "Echo: third", "Echo: changed"])
    await expect(queue).to_have_count(0)


async def test_ux_11_what_is_written_into_a_line_that_goes_meanwhile_is_in_the_box(tab: Tab):
    await tab.begin(GUIDE)
    await expect(tab.answers.last).to_contain_text("Pack")
    await tab.composer.fill("Echo: first")
    await tab.button("Queue").click()
    queue = tab.page.locator(".queue")
    await queue.get_by_role("button", name="Edit queued message").click()
    await queue.get_by_role("textbox").fill("Echo: changed")
    await tab.page.evaluate("document.querySelector('.queued button').click()")  # sent from another hand
    await expect(tab.lines).to_have_text([GUIDE, "Echo: first"])
    await expect(tab.composer).to_have_value("Echo: changed")


async def test_ux_12_a_suggestion_is_reached_by_tab_and_sent_by_enter(tab: Tab):
    await tab.open()
    offer = tab.page.locator(".sug").first
    await offer.focus()
    await tab.page.keyboard.press("Enter")
    await expect(tab.lines).to_have_count(1)


async def test_ux_13_send_turns_into_stop_and_escape_stops(tab: Tab):
    await tab.begin(GUIDE)
    await expect(tab.stop).to_be_visible()
    await expect(tab.send).to_have_count(0)
    await expect(tab.answers.last).to_contain_text("Pack")
    await tab.page.keyboard.press("Escape")
    await expect(tab.notes).to_contain_text("Stopped")
    await expect(tab.send).to_be_visible()


async def test_ux_14_stop_works_after_a_reload_and_from_a_second_tab(
    tab: Tab, desktop: BrowserContext, parley: Parley
):
    path = await tab.begin(GUIDE)
    await expect(tab.answers.last).to_contain_text("Pack")
    await tab.page.reload()
    await expect(tab.stop).to_be_visible()
    other = await new_tab(desktop, parley.url)
    await other.open(path)
    await other.stop.evaluate("button => { button.click(); button.click(); }")
    for seen in (tab, other):
        await expect(seen.notes).to_contain_text("Stopped")
        await expect(seen.stop).to_have_count(0)
    assert not other.complaints


@pytest.mark.parametrize("text", ["hello" * 3])
async def test_fast_typing_while_the_agent_streams_loses_no_letter(tab: Tab, text: str):
    await tab.begin(GUIDE)
    await tab.composer.press_sequentially(f"Echo: {text}", delay=0)
    await tab.composer.press("Enter")
    await expect(tab.page.locator(".queue")).to_contain_text(f"Echo: {text}")
    await expect(tab.composer).to_have_value("")


PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
)


async def test_ux_07_a_huge_paste_becomes_a_file_that_can_be_text_again(
    desktop: BrowserContext, parley: Parley
):
    await desktop.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = await new_tab(desktop, parley.url)
    await tab.open()
    await expect(tab.button("Attach a file")).to_be_visible()
    await tab.page.evaluate(
        "count => navigator.clipboard.writeText(Array.from({ length: count }, (_, i) => `line ${i}`).join('\\n'))",
        20_000,
    )
    await tab.composer.press("Control+v")
    chip = tab.page.locator(".chip")
    await expect(chip).to_contain_text("Pasted text.txt")
    await expect(tab.composer).to_have_value("")
    await chip.get_by_role("button", name="Paste as text").click()
    await expect(chip).to_have_count(0)
    await expect(tab.composer).to_have_value(re.compile("line 19999$"))


async def test_ux_08_files_come_by_picker_and_drop_stay_over_a_reload_and_are_sent(tab: Tab):
    await tab.open()
    await expect(tab.button("Attach a file")).to_be_visible()
    picker = tab.page.locator("#files")
    hostile = '<img src=x onerror="window.__xss=1">.png'
    await picker.set_input_files([{"name": hostile, "mimeType": "image/png", "buffer": PIXEL}])
    chips = tab.page.locator(".chip")
    await expect(chips).to_contain_text([f"{len(PIXEL)} B"])
    await tab.composer.evaluate(
        """box => {
          const data = new DataTransfer();
          data.items.add(new File(["hello"], "note.txt", { type: "text/plain" }));
          box.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
        }"""
    )
    await expect(chips).to_have_count(2)
    await expect(chips.last).to_contain_text("5 B")
    await tab.reload()
    await expect(chips).to_have_count(2)
    await no_barriers(tab)
    await tab.button("Remove note.txt").click()
    await expect(chips).to_have_count(1)
    await tab.say("Echo: look")
    await expect(tab.page.locator(".sent-picture")).to_have_count(1)
    await expect(tab.page.locator(".composer .chip")).to_have_count(0)
    assert await tab.page.evaluate("window.__xss") is None


async def test_ux_08_a_file_over_the_limit_says_so(tab: Tab):
    await tab.open()
    await expect(tab.button("Attach a file")).to_be_visible()
    large = {"name": "big.txt", "mimeType": "text/plain", "buffer": b"x" * 10_000_001}
    await tab.page.locator("#files").set_input_files([large])
    await expect(tab.page.locator(".chip-bad")).to_contain_text("This file is too large")
    await expect(tab.send).to_be_disabled()


async def test_ux_09_nothing_is_offered_that_the_agent_does_not_take(desktop: BrowserContext, tmp_path: Path):
    async with running_parley(tmp_path / "data", PARLEY_AGENT_ACCEPTS="image") as parley:
        tab = await new_tab(desktop, parley.url)
        await tab.open()
        await expect(tab.button("Attach a file")).to_be_visible()
        assert await tab.page.locator("#files").get_attribute("accept") == "image/*"
        await tab.page.locator("#files").set_input_files(
            [{"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"}]
        )
        await expect(tab.page.locator(".chip-bad")).to_contain_text("does not take files of this kind")


async def test_a_slash_offers_the_commands_to_the_keyboard(tab: Tab):
    await tab.open()
    await tab.composer.press_sequentially("/")
    options = tab.page.get_by_role("listbox", name="Commands").get_by_role("option")
    await expect(options).to_have_text(
        [re.compile(f"^/{name}") for name in ("new", "search", "print", "settings", "keys")]
    )
    await no_barriers(tab)
    await tab.composer.press_sequentially("s")
    await expect(options).to_have_text([re.compile("^/search"), re.compile("^/settings")])
    await tab.composer.press("ArrowDown")
    await expect(options.last).to_have_attribute("aria-selected", "true")
    await tab.composer.press("Escape")
    await expect(options).to_have_count(0)
    await tab.composer.press_sequentially("ea")
    await tab.composer.press("Enter")
    await expect(tab.page.get_by_role("combobox", name="Search threads and messages")).to_be_focused()
    await expect(tab.composer).to_have_value("")
    await expect(tab.lines).to_have_count(0)


async def test_a_slash_that_begins_no_command_is_a_line_like_any_other(tab: Tab):
    await tab.open()
    await tab.composer.fill("/usr is where it is")
    await expect(tab.page.get_by_role("option")).to_have_count(0)
    await tab.composer.press("Enter")
    await expect(tab.lines).to_have_text(["/usr is where it is"])
