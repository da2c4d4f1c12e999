"""What people expect of the transcript: what stands in it, what can be done with it, and how it scrolls.

Each holds on a wide screen and on a phone. Where the order of things matters, a test plays the server.
"""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from chat_app.services.rows import Part, Row, Run
from tests.support.chromium import DESKTOP, PHONE, Tab, new_tab
from tests.support.parley import Parley, running_parley
from tests.support.played import AT, THREAD, Server, Stage, line, new_stage, text, turn

pytestmark = pytest.mark.asyncio(loop_scope="module")

GUIDE = "Write a guide to packing a bicycle for a flight"
LAST_WORDS = "You will want it again sooner than you think."
ORDER = "Where is order T-1077?"
RUNNING = Run("running", "run-1", AT)
SIZES = {"desktop": {"viewport": DESKTOP}, "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True}}
CODE = "def greet(name):\n    return 'Hello ' + name"
ANSWER = f"Some **bold** words:\n\n```python\n{CODE}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with new_stage(tmp_path_factory.mktemp("transcript")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def restarted(tmp_path: Path) -> AsyncIterator[Parley]:
    """Parley for one test that takes it down."""
    async with running_parley(tmp_path / "data") as running:
        yield running


@pytest.fixture(params=sorted(SIZES))
def size(request: pytest.FixtureRequest) -> dict[str, object]:
    return {**SIZES[request.param], "permissions": ["clipboard-read", "clipboard-write"]}


@pytest_asyncio.fixture(loop_scope="module")
async def tab(stage: Stage, size: dict[str, object]) -> AsyncIterator[Tab]:
    opened = await stage.new_tab(**size)
    yield opened
    assert not opened.complaints, opened.complaints
    await opened.page.context.close()


@pytest_asyncio.fixture(loop_scope="module")
async def server(stage: Stage, size: dict[str, object]) -> AsyncIterator[Server]:
    playing = await stage.new_server(**size)
    yield playing
    await playing.page.context.close()


def rows(server: Server) -> Locator:
    return server.page.locator("[data-row]")


def box(server: Server) -> Locator:
    return server.page.locator(".scroll")


def many(count: int = 40) -> list[Row]:
    return [line(f"r{number:03}", number, f"line {number}") for number in range(count)]


async def top_of(page: Page, key: str) -> float:
    """Return where a row stands, once the rows that came into view are drawn."""
    return await page.evaluate(
        """async key => {
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
          return document.querySelector(`[data-row='${key}']`).getBoundingClientRect().top;
        }""",
        key,
    )


async def below(server: Server) -> float:
    return await box(server).evaluate("box => box.scrollHeight - box.clientHeight - box.scrollTop")


async def streaming(server: Server) -> None:
    """Show a long thread with an answer that grows at its end, and wait until the end is there."""
    server.snapshot(*many(), turn("z", 99, text("t", "x", streaming=True)), run=RUNNING, at=["z", "t"])
    await expect(rows(server)).to_have_count(41)
    await expect(server.page.locator(".prose").last).to_be_in_viewport()


async def read_higher_up(server: Server, by: int = 400) -> None:
    await box(server).evaluate("(box, by) => { box.scrollTop -= by; }", by)
    await expect(server.page.get_by_role("button", name="Jump to latest")).to_be_visible()


# ---------------------------------------------------------------- the end of a run


async def test_ux_15_after_a_stop_the_text_stays_and_the_next_line_is_answered(tab: Tab):
    await tab.begin(GUIDE)
    await expect(tab.answers.last).to_contain_text("Pack")
    await tab.stop.click()
    await expect(tab.notes).to_contain_text("Stopped")
    await expect(tab.answers.last).to_contain_text("Pack")
    await expect(tab.log).not_to_contain_text(LAST_WORDS)
    await tab.say(ORDER)
    await expect(tab.lines).to_have_count(2)
    await expect(tab.page.locator(".step summary")).to_contain_text(["Look up order"])
    await expect(tab.stop).to_have_count(0)


async def test_ux_18_an_error_says_what_happened_when_and_how_to_go_on(tab: Tab):
    await tab.begin("Fail in the middle of an answer quickly")
    note = tab.notes.last
    await expect(note).to_contain_text("The stock system stopped answering.")
    await expect(note).to_contain_text("UPSTREAM_FAILED")
    await expect(note).to_contain_text(re.compile(r"\d\d:\d\d:\d\d"))
    await expect(tab.lines).to_have_text(["Fail in the middle of an answer quickly"])
    await note.get_by_role("button", name="Try again").click()
    await expect(note).to_contain_text("UPSTREAM_FAILED")
    await expect(tab.lines).to_have_count(1)


async def test_ux_19_a_lost_connection_is_told_and_what_was_missed_comes_once(server: Server):
    server.snapshot(turn("a", 1, text("t", "one")), at=["a", "t"], cursor="epoch-1:4")
    await expect(server.page.locator(".prose")).to_have_text("one")
    server.refusing = True
    await server.sockets[-1].close()
    banner = server.page.get_by_role("status").filter(has_text="Connection lost.")
    await expect(banner).to_be_visible()
    await expect(server.page.locator(".prose")).to_have_text("one")
    await expect(server.page.get_by_role("textbox")).to_be_editable()
    server.refusing = False
    assert await server.heard(2) == {"sub": THREAD, "after": "epoch-1:4"}
    await expect(banner).to_have_count(0)
    server.ops(5, ["+", " two"])
    server.ops(5, ["+", " two"])
    await expect(server.page.locator(".prose")).to_have_text("one two")
    await expect(rows(server)).to_have_count(1)


async def test_ux_20_a_restart_in_mid_answer_leaves_a_note_and_a_way_on(stage: Stage, restarted: Parley):
    context = await stage.new_context()
    tab, parley = await new_tab(context, restarted.url), restarted
    await tab.begin(GUIDE)
    await expect(tab.answers.last).to_contain_text("Ask the airline")
    await parley.kill()
    await parley.start()
    await tab.page.reload()
    await expect(tab.notes).to_contain_text("Interrupted by a server restart")
    await expect(tab.page.locator(".working")).to_have_count(0)
    await expect(tab.answers.last).to_contain_text("A bicycle travels well when three things are true")
    await tab.button("Try again").click()
    await expect(tab.stop).to_be_visible()
    await expect(tab.log).to_contain_text(LAST_WORDS, timeout=60_000)
    await expect(tab.lines).to_have_text([GUIDE])
    await context.close()


# ---------------------------------------------------------------- messages


async def test_ux_21_who_speaks_is_told_by_name_place_and_label(server: Server):
    # who the agent of a thread is, the database says: it knows none for one that only a test plays
    server.snapshot(line("a", 1, "my question"), turn("b", 2, text("t", "an answer")))
    mine = server.page.get_by_role("article", name=re.compile("^You, "))
    theirs = server.page.get_by_role("article", name=re.compile("^Agent, "))
    await expect(mine).to_contain_text("my question")
    await expect(theirs).to_contain_text("an answer")
    await expect(mine.get_by_role("heading", name="You")).to_be_visible()
    await expect(theirs.get_by_role("heading", name="Agent")).to_be_visible()
    await expect(mine.locator(".said")).to_have_count(1)


async def test_ux_22_every_message_and_code_block_is_copied_as_it_was_written(server: Server):
    parts = [
        Part("r", "reasoning", text="secret thoughts", started=AT, ended=AT),
        text("t", ANSWER),
    ]
    last = replace(turn("c", 3, text("t", "The end.")), head=False)
    server.snapshot(line("a", 1, "a *question*"), turn("b", 2, *parts), last)
    page = server.page
    await server.page.locator("[data-row=c]").hover()
    copied = "navigator.clipboard.readText()"
    await page.get_by_role("button", name="Copy as Markdown").click()
    await expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert await page.evaluate(copied) == f"{ANSWER}\n\nThe end."
    await page.locator(".codebox").get_by_role("button", name="Copy").click()
    await expect(page.locator(".codebox").get_by_role("button", name="Copied")).to_be_visible()
    assert await page.evaluate(copied) == CODE
    await page.locator("[data-row=a]").hover()
    await page.locator("[data-row=a]").get_by_role("button", name="Copy", exact=True).click()
    await expect(page.locator("[data-row=a]").get_by_role("status")).to_have_text("Copied")
    assert await page.evaluate(copied) == "a *question*"


async def test_ux_23_times_are_short_exact_on_demand_and_days_part_the_thread(server: Server):
    today = "2026-11-30T12:00:00+00:00"
    earlier = replace(line("a", 1, "then"), at="2026-11-28T09:30:00+00:00")
    server.snapshot(earlier, replace(line("b", 2, "later that day"), at=earlier.at), line("c", 3, "now"))
    days = server.page.locator(".day")
    await expect(days).to_have_count(2)
    await expect(days.first).to_contain_text("28")
    when = server.page.locator("[data-row=c] time")
    await expect(when).to_have_attribute("datetime", today)
    await expect(when).to_have_text(re.compile(r"^\d\d:\d\d$"))
    await expect(when).to_have_attribute("title", re.compile("November.*2026|30.*2026"))


async def test_ux_24_an_edited_line_and_a_second_answer_keep_the_first_within_reach(tab: Tab):
    await tab.begin("Echo: one")
    await expect(tab.answers).to_have_count(1)
    await expect(tab.stop).to_have_count(0)
    await tab.lines.first.hover()
    await tab.button("Edit and send again").click()
    field = tab.page.get_by_role("textbox", name="Your message, edited")
    await expect(field).to_be_focused()
    await expect(field).to_have_value("Echo: one")
    await field.fill("Echo: two")
    await field.press("Enter")
    await expect(tab.lines).to_have_text(["Echo: two"])
    await expect(tab.stop).to_have_count(0)
    versions = tab.page.locator("article.turn-user").get_by_role("group", name="Version 2 of 2")
    await expect(versions).to_contain_text("2 / 2")
    await versions.get_by_role("button", name="Earlier version").click()
    await expect(tab.lines).to_have_text(["Echo: one"])
    await expect(tab.answers.last).to_contain_text("one")
    await tab.button("Answer again").click()
    answers = tab.page.locator("article.turn-agent").get_by_role("group", name="Version 2 of 2")
    await expect(answers).to_contain_text("2 / 2")
    await tab.page.reload()
    await expect(answers).to_contain_text("2 / 2")
    await expect(tab.page.locator("article.turn-user .branch")).to_contain_text("1 / 2")


async def test_ux_24_an_edit_can_be_left_and_gives_the_keyboard_back(tab: Tab):
    await tab.begin("Echo: one")
    await expect(tab.stop).to_have_count(0)
    await tab.lines.first.hover()
    await tab.button("Edit and send again").click()
    await tab.page.get_by_role("textbox", name="Your message, edited").fill("  ")
    await expect(tab.button("Send again")).to_be_disabled()
    await tab.page.keyboard.press("Escape")
    await expect(tab.lines).to_have_text(["Echo: one"])
    await expect(tab.button("Edit and send again")).to_be_focused()


async def test_ux_25_answering_again_warns_where_tools_ran(tab: Tab):
    await tab.begin(ORDER)
    await expect(tab.stop).to_have_count(0)
    await tab.button("Answer again; tools may run again").click()
    warning = tab.page.get_by_text("This answer ran a tool.")
    await expect(warning).to_be_visible()
    await tab.button("Cancel").click()
    await expect(warning).to_have_count(0)
    await expect(tab.page.locator(".branch")).to_have_count(0)
    await tab.button("Answer again; tools may run again").click()
    await tab.page.locator(".note").get_by_role("button", name="Answer again").click()
    await expect(tab.page.get_by_role("group", name="Version 2 of 2")).to_be_visible()
    await expect(tab.page.locator(".step")).to_have_count(1)


async def test_ux_26_an_opinion_stays_over_a_reload_and_may_say_why(tab: Tab):
    await tab.begin("Echo: one")
    await expect(tab.stop).to_have_count(0)
    await tab.button("Bad answer").click()
    await expect(tab.button("Bad answer")).to_have_attribute("aria-pressed", "true")
    await tab.button("Add a comment").click()
    why = tab.page.get_by_role("textbox", name="What was good or bad about it?")
    await why.fill("It only repeats me.")
    await tab.button("Keep comment").click()
    await tab.reload()
    await expect(tab.button("Bad answer")).to_have_attribute("aria-pressed", "true")
    await expect(tab.page.get_by_text("It only repeats me.")).to_be_visible()
    await tab.button("Good answer").click()
    await expect(tab.button("Bad answer")).to_have_attribute("aria-pressed", "false")
    await tab.button("Good answer").click()
    await expect(tab.button("Good answer")).to_have_attribute("aria-pressed", "false")
    await expect(tab.page.get_by_text("It only repeats me.")).to_have_count(0)


HOSTILE = """<script>window.__pwned = 1</script>

<img src=x onerror="window.__pwned = 2">

[a link](javascript:window.__pwned=3) and ![a beacon](https://evil.example/pixel.png?who=me)

[a good link](https://example.com/page) and <https://example.com>

```html
<img src=x onerror="window.__pwned = 4">
```
"""


async def test_ux_27_markup_of_an_agent_is_text_and_its_links_lead_out_safely(server: Server):
    asked: list[str] = []
    server.page.on("request", lambda request: asked.append(request.url))
    thought = Part("r", "reasoning", text=HOSTILE, started=AT, ended=AT)
    call = Part(
        "c", "tool", text='{"a":"<img src=x onerror=window.__pwned=5>"}', name="<b>x</b>", status="done"
    )
    server.snapshot(
        line("a", 1, HOSTILE), turn("b", 2, thought, replace(call, result=HOSTILE), text("t", HOSTILE))
    )
    log = server.page.get_by_role("log")
    await expect(log).to_contain_text("<script>window.__pwned = 1</script>")
    for summary in await log.locator("summary").all():
        await summary.click()
    for element in ("script", "img", "iframe", "object", "form"):
        await expect(log.locator(element)).to_have_count(0)
    links = await log.locator("a").all()
    assert links
    for each in links:
        assert (await each.get_attribute("href")).startswith("https://")
        assert await each.get_attribute("target") == "_blank"
        assert await each.get_attribute("rel") == "noopener noreferrer nofollow"
    await expect(log.get_by_role("link", name="Image: a beacon (evil.example)").first).to_be_visible()
    assert await server.page.evaluate("typeof window.__pwned") == "undefined"
    assert not [url for url in asked if "evil.example" in url]


# ---------------------------------------------------------------- scrolling


async def test_ux_28_new_text_is_followed_at_the_end_and_nowhere_else(server: Server):
    await streaming(server)
    for number in range(1, 15):
        server.ops(number, ["+", "\n\nanother paragraph"])
    await expect(server.page.locator(".prose p")).to_have_count(15)
    await expect(server.page.locator(".prose p").last).to_be_in_viewport()
    assert await below(server) < 50
    await read_higher_up(server)
    await top_of(server.page, "z")  # the rows that came into view are drawn
    place = await box(server).evaluate("box => box.scrollTop")
    server.ops(15, ["+", "\n\none more"])
    await expect(server.page.locator(".prose p")).to_have_count(16)
    assert await box(server).evaluate("box => box.scrollTop") == place


async def test_ux_29_what_is_read_does_not_move_while_text_arrives(server: Server):
    await streaming(server)
    await read_higher_up(server, by=900)
    place = await top_of(server.page, "r025")
    for number in range(1, 60):
        server.ops(number, ["+", "\n\nanother paragraph" if number % 5 == 0 else " word"])
        if number % 10 == 0:
            assert abs(await top_of(server.page, "r025") - place) <= 1
    await expect(server.page.locator(".prose p")).to_have_count(12)
    assert abs(await top_of(server.page, "r025") - place) <= 1


async def test_ux_30_a_button_leads_back_to_the_latest_and_tells_of_new_text(server: Server):
    await streaming(server)
    await expect(server.page.get_by_role("button", name="Jump to latest")).to_have_count(0)
    await read_higher_up(server)
    server.ops(1, ["+", "\n\nnews"])
    await server.page.get_by_role("button", name="New text below").click()
    await expect(server.page.get_by_text("news")).to_be_in_viewport()
    await expect(server.page.get_by_role("button", name="New text below")).to_have_count(0)


async def test_ux_31_a_line_that_is_sent_is_brought_into_view(tab: Tab):
    await tab.begin(f"{GUIDE} at once")
    await expect(tab.log).to_contain_text(LAST_WORDS)
    await expect(tab.stop).to_have_count(0)
    await tab.page.locator(".scroll").evaluate("box => { box.scrollTop = 0; }")
    await expect(tab.page.get_by_role("button", name="Jump to latest")).to_be_visible()
    await tab.say("Echo: seen")
    await expect(tab.lines.last).to_have_text("Echo: seen")
    await expect(tab.lines.last).to_be_in_viewport()


async def test_ux_17_a_step_named_for_programs_is_put_into_words_and_one_in_words_stays(server: Server):
    at_work = Run("running", "r", AT, step="check_stockLevels")
    server.snapshot(line("q", 1, "Go"), run=at_work)
    working = server.page.locator(".working")
    await expect(working).to_contain_text("Check stock levels")
    server.ops(1, ["run", asdict(replace(at_work, step="Check PH-220, again"))])
    await expect(working).to_contain_text("Check PH-220, again")
    server.ops(2, ["run", asdict(replace(at_work, step="plan", tool="look_up_order"))])
    await expect(working).to_contain_text("Plan: Look up order")
    server.ops(3, ["run", asdict(Run())])
    await expect(working).to_have_count(0)


async def test_ux_32_a_thread_opens_at_its_end_and_older_rows_move_nothing(server: Server):
    newest = [line(f"r{position:03}", position, f"line {position}") for position in range(100, 150)]
    server.snapshot(*newest, older=True)
    await expect(rows(server)).to_have_count(50)
    await expect(server.page.get_by_text("line 149")).to_be_in_viewport()
    await box(server).evaluate("box => { box.scrollTop = 200; }")
    assert await server.heard(2) == {"older": {"thread": THREAD, "before": 100}}
    before = await top_of(server.page, "r103")
    page = [asdict(line(f"r{position:03}", position, f"line {position}")) for position in range(50, 100)]
    server.send({"t": THREAD, "page": {"rows": page, "older": False}})
    await expect(rows(server)).to_have_count(100)
    assert abs(await top_of(server.page, "r103") - before) <= 1
    await box(server).evaluate("box => { box.scrollTop = 0; }")
    await expect(server.page.get_by_text("line 50", exact=True)).to_be_in_viewport()
    assert len(server.asked) == 2


async def test_ux_33_a_card_that_opens_above_moves_nothing_that_is_read(server: Server):
    values = json.dumps({f"field {number}": number for number in range(10)})
    call = Part("c", "tool", text=values, name="look_up", status="done", result="x", started=AT, ended=AT)
    server.snapshot(turn("card", 0, call), *(replace(row, position=row.position + 1) for row in many()))
    await expect(rows(server)).to_have_count(41)
    await box(server).evaluate("box => { box.scrollTop = 600; }")
    await expect(server.page.get_by_role("button", name="Jump to latest")).to_be_visible()
    place, height = await top_of(server.page, "r012"), await box(server).evaluate("box => box.scrollHeight")
    await server.page.locator("[data-row=card] summary").evaluate("summary => summary.click()")
    await server.page.wait_for_function(
        "height => document.querySelector('.scroll').scrollHeight > height", arg=height
    )
    assert abs(await top_of(server.page, "r012") - place) <= 1


async def test_ux_34_five_hundred_rows_cost_a_token_no_more_than_one_does(server: Server):
    # of a run that is over: the clock of one that goes on is another thing that changes
    server.snapshot(*many(500), turn("z", 999, text("t", "x", streaming=True)), at=["z", "t"])
    await expect(server.page.locator(".prose").last).to_be_in_viewport()
    await expect(rows(server)).to_have_count(501)
    await server.page.evaluate(
        """() => {
          window.__touched = new Set();
          new MutationObserver((changes) => changes.forEach(({ target }) => window.__touched.add(
            (target.nodeType === 1 ? target : target.parentElement).closest("[data-row]")?.dataset.row ?? "outside")))
            .observe(document.querySelector("[role=log]"), { subtree: true, childList: true, characterData: true });
        }"""
    )
    for number in range(1, 21):
        server.ops(number, ["+", " word"])
    await expect(server.page.locator(".prose").last).to_have_text("x" + " word" * 20)
    assert await server.page.evaluate("[...window.__touched]") == ["z"]
    await server.page.get_by_role("textbox").press_sequentially("typed meanwhile")
    await expect(server.page.get_by_role("textbox")).to_have_value("typed meanwhile")


# ---------------------------------------------------------------- reasoning


async def test_ux_53_reasoning_folds_when_it_is_done_and_is_never_copied(server: Server):
    live = Part("r", "reasoning", text="first thoughts", streaming=True, started=AT)
    server.snapshot(turn("b", 1, live), run=RUNNING, at=["b", "r"])
    await expect(server.page.get_by_text("Thinking", exact=True)).to_be_visible()
    await expect(server.page.locator(".peek")).to_contain_text("first thoughts")
    done = replace(live, streaming=False, ended="2026-11-30T12:00:12+00:00")
    server.ops(1, ["+", ", and more"], ["part", "b", {k: v for k, v in asdict(done).items() if k != "text"}])
    server.ops(2, ["part", "b", asdict(text("t", "The answer."))], ["run", asdict(Run())])
    await expect(server.page.get_by_text("Thought for 12 s")).to_be_visible()
    await expect(server.page.get_by_text("first thoughts")).to_have_count(0)
    await server.page.locator("[data-row=b]").hover()
    await server.page.get_by_role("button", name="Copy as Markdown").click()
    await expect(server.page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert await server.page.evaluate("navigator.clipboard.readText()") == "The answer."
    await server.page.get_by_text("Thought for 12 s").click()
    await expect(server.page.get_by_text("first thoughts, and more")).to_be_visible()


# ---------------------------------------------------------------- code, pictures, order


async def test_code_gets_its_colours_when_its_fence_closes_and_not_before(server: Server):
    server.snapshot(turn("b", 1, text("t", "```python\n", streaming=True)), run=RUNNING, at=["b", "t"])
    server.ops(1, ["+", CODE])
    await expect(server.page.locator(".codebox code")).to_have_text(CODE)
    await expect(server.page.locator(".codebox .hljs-keyword")).to_have_count(0)
    await expect(server.page.locator(".codebox header")).to_contain_text("python")
    server.ops(2, ["+", "\n```\n"])
    await expect(server.page.locator(".codebox .hljs-keyword")).to_have_text(["def", "return"])
    await expect(server.page.locator(".codebox code")).to_have_text(CODE)


async def test_a_language_nobody_knows_stays_plain(server: Server):
    server.snapshot(turn("b", 1, text("t", "```constructor\nif x\n```\n\n```\nplain\n```")))
    await expect(server.page.locator(".codebox code")).to_have_text(["if x", "plain"])
    await expect(server.page.locator(".codebox code span")).to_have_count(0)


async def test_everything_is_shown_in_the_order_it_arrived_with_calls_numbered(stage: Stage):
    server = await stage.new_server()
    late, soon = "2026-11-30T12:00:09+00:00", "2026-11-30T12:00:03+00:00"
    first = Part(
        "c1", "tool", text='{"n":1}', name="count", status="done", result="one", started=AT, ended=late
    )
    second = Part(
        "c2", "tool", text='{"n":2}', name="count", status="done", result="two", started=AT, ended=soon
    )
    server.snapshot(
        line("a", 1, "count"), turn("b", 2, first, second, replace(text("t", "Done."), started=late))
    )
    await server.page.get_by_role("button", name="In order").click()
    tags = server.page.locator(".arrival .tag")
    await expect(tags).to_have_text(
        ["You", "Call 1", "Call 2", "Result of call 2", "Result of call 1", "Text"]
    )
    await server.page.reload()
    await server.heard(2)
    server.snapshot(line("a", 1, "count"))
    await expect(tags).to_have_text(["You"])
    await server.page.get_by_role("button", name="Grouped").click()
    await expect(server.page.locator("[data-row=a]")).to_be_visible()
    await server.page.context.close()
