"""What people expect of the card of a tool call. The page is the real one, before a scripted server."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import asdict, replace

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from chat_app.services.rows import File, Part, Row, Run
from tests.support.played import AT, Server, Stage, line, new_stage, turn

pytestmark = pytest.mark.asyncio(loop_scope="module")

LATER = "2026-11-30T12:00:01.500000+00:00"
RUNNING = Run("running", "r", AT)
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

PICTURE = {"type": "image", "mimeType": "image/png", "data": PIXEL}


def call(key: str = "c", status: str = "done", **fields: object) -> Part:
    ended = {"ended": LATER} if status in ("done", "failed") else {}
    made = {"name": "issue_refund", "text": '{"order":"T-1042"}', "started": AT, **ended, **fields}
    return Part(key=key, kind="tool", status=status, **made)


def calls(*parts: Part) -> Row:
    return turn("a", 2, *parts)


def steps(server: Server) -> Locator:
    return server.page.locator("details.step")


async def opened(server: Server, part: Part) -> Locator:
    """Show one finished call, open it, and return its step."""
    server.snapshot(line("q", 1, "Go"), calls(part))
    await steps(server).locator("summary").click()
    return steps(server)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with new_stage(tmp_path_factory.mktemp("tools")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def server(stage: Stage) -> AsyncIterator[Server]:
    playing = await stage.new_server()
    yield playing
    await playing.page.context.close()


@pytest.mark.parametrize(
    ("status", "word", "icon"),
    [
        ("preparing", "Preparing", "circle-dashed"),
        ("running", "Running", "loader-circle"),
        ("waiting", "Waiting for approval", "hand"),
        ("done", "Done", "check"),
        ("failed", "Failed", "circle-x"),
        ("denied", "Rejected", "ban"),
        ("cancelled", "Cancelled", "circle-slash"),
        ("expired", "Expired", "timer-off"),
    ],
)
async def test_ux_35_a_card_names_the_tool_and_how_it_stands_by_icon_and_word(
    server: Server, status: str, word: str, icon: str
):
    server.snapshot(calls(call(status=status)), run=RUNNING)
    head = steps(server).locator("summary")
    await expect(head.locator(".name")).to_have_text("Issue refund")
    await expect(head.locator(".rawname")).to_have_text("issue_refund")
    await expect(head.locator(".st")).to_have_text(word)
    await expect(head.locator(".node use")).to_have_attribute("href", re.compile(f"#{icon}$"))
    if status in ("done", "failed"):
        await expect(head.locator(".dur")).to_have_text("1.5 s")


async def test_ux_36_parallel_calls_of_one_tool_keep_their_own_results_in_any_order(server: Server):
    three = [call(f"c{n}", "running", text=f'{{"order":"T-{n}"}}') for n in range(3)]
    server.snapshot(calls(*three), run=RUNNING)
    await expect(steps(server)).to_have_count(3)
    for number, at in enumerate((2, 0, 1), start=1):
        done = replace(three[at], status="done", ended=LATER, result=f"result of {at}")
        server.ops(number, ["part", "a", asdict(done)])
    for at in range(3):
        step = steps(server).nth(at)
        await expect(step.locator(".st")).to_have_text("Done")
        await expect(step.locator(".sum")).to_have_text(f"T-{at}")
        await step.locator("summary").click()
        await expect(step.locator(".step-body")).to_contain_text(f"result of {at}")


async def test_ux_37_a_card_is_open_while_it_runs_or_has_failed_and_then_as_it_was_left(server: Server):
    running = call("c", "running")
    server.snapshot(calls(running, call("f", "failed", result="No stock"), call("d")), run=RUNNING)
    await expect(steps(server).nth(0)).to_have_attribute("open", "")
    await expect(steps(server).nth(1)).to_have_attribute("open", "")
    await expect(steps(server).nth(2)).not_to_have_attribute("open", "")
    server.ops(1, ["part", "a", asdict(replace(running, status="done", ended=LATER, result="ok"))])
    await expect(steps(server).nth(0)).not_to_have_attribute("open", "")
    await steps(server).nth(2).locator("summary").click()
    server.ops(2, ["part", "a", asdict(call("d", result="again"))])
    await expect(steps(server).nth(2).locator(".step-body")).to_contain_text("again")


async def test_ux_37_finished_cards_are_shown_in_full_when_asked_for_also_after_a_reload(stage: Stage):
    server = await stage.new_server()
    server.snapshot(calls(call("c", result="all of it")))
    switch = server.page.get_by_role("button", name="Show finished steps in full")
    await expect(switch).to_have_attribute("aria-pressed", "false")
    await switch.click()
    await expect(steps(server)).to_have_attribute("open", "")
    await server.page.reload()
    await server.heard(2)
    server.snapshot(calls(call("c", result="all of it")))
    await expect(steps(server)).to_have_attribute("open", "")
    await expect(switch).to_have_attribute("aria-pressed", "true")
    await switch.click()
    await expect(steps(server)).not_to_have_attribute("open", "")
    await server.page.context.close()


async def test_ux_38_arguments_fill_key_by_key_as_they_arrive(server: Server):
    server.snapshot(calls(call(status="preparing", text="")), run=RUNNING, at=["a", "c"])
    values = steps(server).locator(".kv dd")
    for number, piece in enumerate(
        ['{"order": "T-1', '042", "lines": [{"n": 1}', '], "id": 90071992547409', "93"], 1
    ):
        server.ops(number, ["+", piece])
    await expect(values).to_have_text(['"T-1042"', '[{"n": 1}]', "9007199254740993"])
    await expect(steps(server).locator(".caret")).to_have_count(1)


async def test_ux_38_a_tool_under_200_ms_does_not_flicker(stage: Stage):
    server = await stage.new_server(clock=True)
    await server.page.evaluate(
        """() => {
          window.opened = 0;
          new MutationObserver(() => { window.opened += document.querySelectorAll("details.step[open]").length; })
            .observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["open"] });
        }"""
    )
    server.snapshot(line("q", 1, "Go"), run=RUNNING)
    await expect(server.page.locator(".said")).to_have_text("Go")
    await server.page.clock.pause_at(await server.page.evaluate("Date.now() / 1000 + 1"))
    server.ops(1, ["row", asdict(calls(call(status="running")))])
    await expect(steps(server).locator(".st")).to_have_text("Running")
    await server.page.clock.run_for(150)
    server.ops(2, ["row", asdict(calls(call(result="ok")))])
    await expect(steps(server).locator(".st")).to_have_text("Done")
    await server.page.clock.run_for(1_000)
    assert await server.page.evaluate("window.opened") == 0
    await server.page.context.close()


async def test_ux_39_an_error_stands_inside_its_card_and_colours_nothing_else(server: Server):
    failed = call("c", "failed", result="The warehouse did not answer.")
    server.snapshot(turn("a", 2, Part("t", "text", text="I try."), failed))
    await expect(steps(server).locator(".problem")).to_contain_text(
        "The call failed. The warehouse did not answer."
    )
    colour = "(name) => getComputedStyle(document.querySelector(name)).color"
    prose = await server.page.evaluate(colour, "article.turn-agent .prose")
    assert await server.page.evaluate(colour, "article.turn-agent h2") == prose
    assert await server.page.evaluate(colour, ".problem b") != prose


async def test_ux_40_long_results_are_cut_with_their_size_on_the_way_to_all(server: Server):
    step = await opened(server, call(result="word " * 9_200))
    more = step.get_by_role("button", name="Show all (46.0 kB)")
    await expect(more).to_be_visible()
    await more.click()
    await expect(more).to_have_count(0)
    assert len(await step.locator(".step-body .wrapped").first.inner_text()) > 45_000


@pytest.mark.parametrize(
    "result",
    [
        '[{"part":"PH-220","stock":14},{"part":"PH-221","stock":9007199254740993}]',
        "| part | stock |\n| --- | ---: |\n| PH-220 | 14 |\n| PH-221 | 9007199254740993 |",
    ],
    ids=["json", "markdown"],
)
async def test_ux_40_a_table_is_a_table_and_its_numbers_keep_their_digits(server: Server, result: str):
    step = await opened(server, call(result=result))
    await expect(step.locator("th")).to_have_text(["part", "stock"])
    await expect(step.locator("td")).to_have_text(["PH-220", "14", "PH-221", "9007199254740993"])


async def test_ux_40_json_is_pretty(server: Server):
    step = await opened(server, call(result='{"status":"ok","parts":[{"a":[1]}]}'))
    await expect(step.locator(".kv dt").first).to_have_text("status")
    await expect(step.locator(".kv dd").nth(1)).to_contain_text('  {\n    "a"')


@pytest.mark.parametrize(
    "part",
    [
        call(files=[File("chart.png", "image/png", f"data:image/png;base64,{PIXEL}")]),
        call(result=json.dumps(PICTURE)),
        call(
            result=json.dumps(
                [{"type": "text", "text": "Look"}, {"type": "image", "mimeType": "image/png", "data": PIXEL}]
            )
        ),
    ],
    ids=["file", "value", "pieces"],
)
async def test_ux_40_a_picture_is_a_picture(server: Server, part: Part):
    picture = (await opened(server, part)).locator("img")
    await expect(picture).to_have_js_property("naturalWidth", 1)


async def test_ux_40_a_picture_from_elsewhere_is_not_fetched(server: Server):
    asked = []
    server.page.on("request", lambda request: asked.append(request.url))
    beacon = {"type": "image", "mimeType": "image/svg+xml", "data": "https://beacon.example/a.svg"}
    part = call(result=json.dumps(beacon), files=[File("paper.pdf", "application/pdf")])
    step = await opened(server, part)
    await expect(step).to_contain_text("paper.pdf")
    await expect(step.locator("img")).to_have_count(0)
    assert [url for url in asked if "beacon" in url] == []


async def test_ux_41_an_unknown_tool_is_a_neutral_card(server: Server):
    step = await opened(server, call(name="quantum.Frobnicate", result='{"x": 1}'))
    await expect(step.locator(".name")).to_have_text("Quantum frobnicate")
    await expect(step.locator(".kv dt").first).to_have_text("x")


async def test_ux_41_a_tool_with_a_view_of_its_own_keeps_its_raw_result(server: Server):
    found = {"item": "Cargo rack", "status": "on its way", "place": "Malmö"}
    step = await opened(server, call(name="look_up_order", result=json.dumps(found)))
    await expect(step.locator(".part").first).to_have_text("Cargo rack on its waylast seen: Malmö")
    await expect(step.locator(".kv dt").first).to_have_text("item")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ('{"city": "Pa', True),
        ("city = Paris", True),
        ('["Paris"]', False),
        ('{"a":1}{"b":2}', True),
        ('{"t": NaN}', True),
    ],
)
async def test_arguments_that_are_no_object_are_shown_as_they_came(
    server: Server, arguments: str, hint: bool
):
    step = await opened(server, call(text=arguments))
    await expect(step.locator(".mono.wrapped")).to_have_text(arguments)
    await expect(step.get_by_text("not valid JSON")).to_have_count(int(hint))


async def test_a_name_that_stands_twice_is_shown_twice_and_long_numbers_whole(server: Server):
    step = await opened(server, call(text='{"a":1,"a":9007199254740993}'))
    await expect(step.locator(".kv dd")).to_have_text(["1", "9007199254740993"])
    await opened(server, call("e", text=""))
    await expect(step).to_contain_text("None")


async def test_the_line_of_a_call_tells_of_a_long_text_without_its_escapes(server: Server):
    told = json.dumps({"letter": 'Dear Ines,\n\nyour "wheel" left us true. ' + "And so on. " * 40})
    server.snapshot(line("q", 1, "Go"), calls(call(text=told)))
    await expect(steps(server).locator(".sum")).to_have_text(
        re.compile(r'^Dear Ines,\s+your "wheel" left us true')
    )


async def test_a_large_argument_is_read_once_however_many_pieces_it_comes_in(server: Server):
    server.snapshot(calls(call(status="preparing", text="")), run=RUNNING, at=["a", "c"])
    await expect(steps(server)).to_have_attribute("open", "")
    scanned = await server.counter("scanned") or 0
    sent = json.dumps({"path": "a.txt", "content": "x" * 200_000})
    for number, at in enumerate(range(0, len(sent), 400), start=1):
        server.ops(number, ["+", sent[at : at + 400]])
    await expect(steps(server).locator(".kv dt")).to_have_text(["path", "content"])
    await expect(steps(server).get_by_role("button", name="Show all (200.0 kB)")).to_be_visible()
    # the line and the list below it each look at every character once
    assert await server.counter("scanned") - scanned <= 2 * len(sent)
