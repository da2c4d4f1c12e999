"""A thread that leaves the page: on paper with every row, and as files that hold what was shown."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from chat_app.services.rows import Part, Row
from tests.support.chromium import Tab
from tests.support.played import AT, THREAD, Server, Stage, line, new_stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Keeps what stands on the page whenever it is printed.
PRINTING = """() => {
  window.printed = [];
  window.print = () => window.printed.push(document.querySelectorAll("[data-row]").length);
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with new_stage(tmp_path_factory.mktemp("paper"), PARLEY_AGENT_PACE="0") as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def tab(stage: Stage) -> AsyncIterator[Tab]:
    opened = await stage.new_tab()
    yield opened
    assert not opened.complaints, opened.complaints
    await opened.page.context.close()


def lines(start: int, end: int) -> list[Row]:
    return [line(f"r{position:03}", position, f"line {position}") for position in range(start, end)]


async def print_it(server: Server) -> None:
    await server.page.evaluate(PRINTING)
    await server.page.get_by_role("button", name="Export").click()
    await server.page.get_by_role("button", name="Print").click()


async def page_of(server: Server, rows: list[Row], *, older: bool) -> None:
    server.send({"t": THREAD, "page": {"rows": [asdict(row) for row in rows], "older": older}})


async def test_every_page_of_a_long_thread_is_fetched_before_it_is_printed(stage: Stage):
    server = await stage.new_server()
    server.snapshot(*lines(100, 150), older=True)
    await expect(server.page.locator("[data-row]")).to_have_count(50)
    await print_it(server)
    assert await server.heard(2) == {"older": {"thread": THREAD, "before": 100}}
    await page_of(server, lines(50, 100), older=True)
    assert await server.heard(3) == {"older": {"thread": THREAD, "before": 50}}
    assert await server.page.evaluate("window.printed") == []
    await page_of(server, lines(0, 50), older=False)
    await server.page.wait_for_function("() => window.printed.length > 0")
    assert await server.page.evaluate("window.printed") == [150]
    assert len(server.asked) == 3
    await server.page.context.close()


async def test_a_page_that_does_not_come_leaves_a_paper_that_says_so(stage: Stage):
    server = await stage.new_server(clock=True)
    server.snapshot(*lines(100, 150), older=True)
    await server.page.clock.run_for(1_000)
    await expect(server.page.locator("[data-row]")).to_have_count(50)
    await print_it(server)
    await server.heard(2)
    await server.page.clock.run_for(11_000)
    await server.page.wait_for_function("() => window.printed.length > 0")
    assert await server.page.evaluate("window.printed") == [50]
    await server.page.emulate_media(media="print")
    await expect(server.page.locator(".on-paper")).to_be_visible()
    await server.page.context.close()


async def downloaded(tab: Tab, kind: str, folder: Path) -> tuple[str, str]:
    """Return the name and the text of an export."""
    await tab.button("Export").click()
    async with tab.page.expect_download() as waiting:
        await tab.page.get_by_role("link", name=re.compile(f"^{kind}")).click()
    file = await waiting.value
    await tab.page.keyboard.press("Escape")
    kept = folder / file.suggested_filename
    await file.save_as(kept)
    return kept.name, await asyncio.to_thread(kept.read_text, "utf-8")


async def test_a_thread_is_taken_along_as_markdown_json_and_events(tab: Tab, tmp_path: Path):
    path = await tab.begin("Where is order T-1042?")
    await expect(tab.answers.last).to_be_visible()
    await expect(tab.stop).to_have_count(0)
    shown = await tab.answers.last.inner_text()
    thread = path.removeprefix("/t/")

    name, text = await downloaded(tab, "Markdown", tmp_path)
    assert name == f"{thread}.md"
    assert "Where is order T-1042?" in text
    assert "look_up_order" in text

    name, text = await downloaded(tab, "JSON", tmp_path)
    assert name == f"{thread}.json"
    kept = json.dumps(json.loads(text), ensure_ascii=False)
    assert "Gravel wheel" in shown
    assert "Gravel wheel" in kept

    name, text = await downloaded(tab, "AG-UI", tmp_path)
    assert name == f"{thread}.jsonl"
    kinds = [json.loads(each)["type"] for each in text.splitlines()]
    assert kinds[:2] == ["CUSTOM", "RUN_STARTED"]  # what the person said comes before the run it began
    assert kinds[-1] == "RUN_FINISHED"
    assert "TOOL_CALL_START" in kinds


async def test_the_way_to_the_account_leaves_the_chat(tab: Tab):
    await tab.open()
    await tab.page.get_by_role("link", name="You").click()
    await expect(tab.page.get_by_role("heading", name="Your account")).to_be_visible()
    await tab.page.go_back()
    await expect(tab.composer).to_be_editable()


async def test_an_export_of_somebody_elses_thread_is_not_there(tab: Tab):
    await tab.open()
    status = "(path) => fetch(path).then((answer) => answer.status)"
    nobodys = "/api/threads/0190a2b4-0000-7000-8000-00000000dead/export/json"
    assert await tab.page.evaluate(status, nobodys) == 404
    tab.complaints.clear()  # of what was not there


def lane(key: str, position: int, name: str, within: str = "") -> Row:
    part = Part(key, "lane", text=f"asked {name}", name=name, status="running", started=AT)
    return Row(key=f"lane:{key}", kind="lane", position=position, at=AT, lane=within, parts=[part])


def spoken(key: str, position: int, said: str, within: str) -> Row:
    return Row(
        key=key, kind="turn", position=position, at=AT, lane=within, parts=[Part("t", "text", text=said)]
    )


async def test_subagents_deeper_than_three_lanes_stand_in_the_third_with_their_names(stage: Stage):
    server = await stage.new_server()
    server.snapshot(
        line("q", 1, "Go"),
        lane("a", 2, "planner"),
        lane("b", 3, "researcher", "a"),
        lane("c", 4, "translator", "b"),
        spoken("c1", 5, "In the third lane.", "c"),
        lane("d", 6, "proof_reader", "c"),
        spoken("d1", 7, "Four deep.", "d"),
        lane("e", 8, "type_setter", "d"),
        spoken("e1", 9, "Five deep.", "e"),
    )
    lanes = server.page.locator(".lane")
    await expect(lanes).to_have_count(3)
    third = lanes.nth(2)
    await expect(third.locator(".prose")).to_have_text(["In the third lane.", "Four deep.", "Five deep."])
    await expect(third.locator(".step-line")).to_have_count(2)
    await expect(third.locator(".step-line").first).to_contain_text("Proof reader")
    await expect(third.locator(".hint")).to_have_text(
        [re.compile("Proof reader|proof_reader"), re.compile("Type setter|type_setter")]
    )
    await server.page.set_viewport_size({"width": 390, "height": 844})
    assert await server.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    await server.page.context.close()
