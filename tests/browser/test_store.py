"""The browser store against a scripted server: what each frame does to the page, and what a lost socket does not.

The page is the real one; only `/api/live` is answered by the test. One Parley and one Chromium serve all of them.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import asdict, replace

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from chat_app.services.panels import Panels
from chat_app.services.rows import Fact, Row, Run, Thread
from tests.support.chromium import held_back
from tests.support.played import AT, THREAD, Server, Stage, line, new_stage, slim, text, turn

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with new_stage(tmp_path_factory.mktemp("store")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def server(stage: Stage) -> AsyncIterator[Server]:
    playing = await stage.new_server()
    yield playing
    await playing.page.context.close()


def rows(server: Server) -> Locator:
    return server.page.locator("[data-row]")


def answer(server: Server) -> Locator:
    return server.page.locator("article.turn-agent .prose").last


# ---------------------------------------------------------------- frames


async def test_the_thread_of_the_address_is_asked_for_from_its_start(server: Server):
    assert server.asked == [{"sub": THREAD, "after": ""}]


@pytest_asyncio.fixture(loop_scope="module")
async def early(stage: Stage) -> AsyncIterator[tuple[Server, asyncio.Event]]:
    """A page that has asked while its scripts are still held back, until the event is set."""
    page = await (await stage.new_context()).new_page()
    server = Server(page)
    await server.attach()
    go = await held_back(page)
    await page.goto(f"{stage.url}/t/{THREAD}", wait_until="commit")
    assert await server.heard(1) == {"sub": THREAD, "after": ""}
    yield server, go
    await page.context.close()


async def test_what_is_said_before_the_scripts_have_come_is_drawn_and_no_other_socket_opens(early):
    server, go = early
    server.snapshot(line("a", 1, "early"))
    go.set()
    await expect(rows(server)).to_have_count(1)
    server.ops(1, ["row", asdict(line("b", 2, "late"))])
    await expect(rows(server)).to_have_count(2)
    assert (len(server.sockets), await server.counter("opens"), len(server.asked)) == (1, 1, 1)


async def test_a_socket_that_was_lost_before_the_scripts_have_come_opens_anew(early):
    server, go = early
    await server.sockets[0].close()
    go.set()
    assert await server.heard(2) == {"sub": THREAD, "after": ""}
    server.snapshot(line("a", 1, "there"))
    await expect(rows(server)).to_have_count(1)


async def test_rows_stand_in_the_order_of_their_positions(server: Server):
    server.snapshot(turn("b", 2, text("t", "an answer")), line("a", 1, "a question"))
    await expect(rows(server)).to_have_count(2)
    server.ops(1, ["row", asdict(line("d", 4, "later"))], ["row", asdict(turn("c", 3, text("t", "between")))])
    await expect(rows(server)).to_have_count(4)
    assert [await each.get_attribute("data-row") for each in await rows(server).all()] == ["a", "b", "c", "d"]


async def test_text_grows_where_the_target_points(server: Server):
    server.snapshot(turn("a", 1, text("x", "one"), text("y", "two")), at=["a", "x"])
    server.ops(1, ["+", " and"], ["+", " more"])
    server.ops(2, ["@", "a", "y"], ["+", " here"])
    await expect(server.page.locator(".prose")).to_have_text(["one and more", "two here"])


async def test_growing_text_touches_no_other_part_of_the_page(server: Server):
    server.snapshot(line("a", 1, "question"), turn("b", 2, text("t", "start")), at=["b", "t"])
    await expect(answer(server)).to_have_text("start")
    await server.page.evaluate(
        """() => {
          window.touched = [];
          new MutationObserver((all) => all.forEach((each) => window.touched.push(each.target)))
            .observe(document.querySelector("[role=log]"), { subtree: true, childList: true, characterData: true });
        }"""
    )
    for number in range(1, 21):
        server.ops(number, ["+", f" word{number}"])
    await expect(answer(server)).to_contain_text("word20")
    outside = "() => window.touched.filter((node) => !(node.parentElement ?? node).closest('.prose')).length"
    assert await server.page.evaluate(outside) == 0


async def test_a_row_that_comes_again_without_its_text_keeps_it(server: Server):
    row = turn("a", 1, text("t", "kept", streaming=True))
    server.snapshot(row)
    server.ops(1, ["row", slim(replace(row, parts=[replace(row.parts[0], streaming=False), text("u", "")]))])
    server.ops(2, ["part", "a", asdict(text("u", "added"))])
    await expect(server.page.locator(".prose")).to_have_text(["kept", "added"])


async def test_a_part_with_text_replaces_its_text(server: Server):
    server.snapshot(turn("a", 1, text("t", "before")), at=["a", "t"])
    server.ops(1, ["part", "a", asdict(text("t", "after"))], ["+", " all"])
    await expect(answer(server)).to_have_text("after all")


async def test_a_dropped_row_is_gone(server: Server):
    server.snapshot(line("a", 1, "stays"), turn("b", 2, text("t", "goes")))
    server.ops(1, ["drop", "b"], ["drop", "never there"])
    await expect(rows(server)).to_have_count(1)


async def test_a_row_that_moves_is_shown_once_at_its_new_place(server: Server):
    server.snapshot(line("a", 1, "one"), line("b", 2, "two"))
    server.ops(1, ["row", slim(line("a", 3, "one"))])
    await expect(server.page.locator(".said")).to_have_text(["two", "one"])


async def test_the_run_shows_and_goes(server: Server):
    server.snapshot(line("a", 1, "go"), run=Run("running", "r", AT, tool="fetch_orders"))
    await expect(server.page.locator(".working")).to_contain_text("Fetch orders")
    server.ops(1, ["run", asdict(Run())])
    await expect(server.page.locator(".working")).to_have_count(0)
    await expect(server.page.get_by_role("button", name=re.compile("^Send"))).to_be_visible()


async def test_an_op_of_a_later_server_is_passed_over(server: Server):
    server.snapshot(turn("a", 1, text("t", "one")), at=["a", "t"])
    server.ops(1, ["sparkle", "a"], ["+", " two"])
    await expect(answer(server)).to_have_text("one two")
    assert await server.counter("resyncs") == 0


# ---------------------------------------------------------------- what does not fit


async def test_frames_seen_already_are_not_applied_twice(server: Server):
    server.snapshot(turn("a", 1, text("t", "x")), at=["a", "t"], cursor="epoch-1:5")
    server.ops(5, ["+", "old"])
    server.ops(6, ["+", "y"])
    server.ops(6, ["+", "y"])
    server.ops(7, ["+", "z"])
    await expect(answer(server)).to_have_text("xyz")


async def test_frames_of_another_thread_change_nothing(server: Server):
    server.snapshot(line("a", 1, "mine"))
    server.send({"e": "h-99", "n": 1, "ops": [["row", asdict(line("b", 2, "theirs"))]]})
    server.ops(1, ["row", asdict(line("c", 3, "mine too"))])
    await expect(server.page.locator(".said")).to_have_text(["mine", "mine too"])


async def test_an_op_that_fits_nothing_asks_for_the_thread_anew(server: Server):
    server.snapshot(line("a", 1, "old"))
    server.ops(1, ["part", "nowhere", asdict(text("t", "lost"))])
    assert await server.heard(2) == {"sub": THREAD, "after": ""}
    server.ops(2, ["row", asdict(line("b", 2, "too early"))])
    server.snapshot(line("c", 1, "new"), cursor="epoch-2:0")
    await expect(server.page.locator(".said")).to_have_text(["new"])


async def test_a_thread_that_is_not_there_says_so(server: Server):
    server.send({"t": THREAD, "gone": True})
    await expect(server.page.get_by_role("heading", name="There is no such thread here.")).to_be_visible()
    await expect(server.page.get_by_role("button", name=re.compile("^Send"))).to_be_disabled()


# ---------------------------------------------------------------- the socket


async def test_a_lost_socket_comes_back_where_it_was(server: Server):
    server.snapshot(turn("a", 1, text("t", "one")), at=["a", "t"], cursor="epoch-1:4")
    server.ops(9, ["+", " two"])
    await expect(answer(server)).to_have_text("one two")
    await server.sockets[-1].close()
    assert await server.heard(2) == {"sub": THREAD, "after": "epoch-1:9"}
    server.ops(10, ["+", " three"])
    await expect(answer(server)).to_have_text("one two three")
    assert await server.counter("snapshots") == 1


async def test_while_there_is_no_connection_the_page_says_so_and_keeps_the_draft(server: Server):
    server.snapshot(line("a", 1, "still here"))
    server.refusing = True
    await server.sockets[-1].close()
    banner = server.page.get_by_text("Connection lost.")
    await expect(banner).to_be_visible()
    await server.page.locator("#composer").fill("a draft")
    await expect(server.page.get_by_role("button", name=re.compile("^Send"))).to_be_disabled()
    again = await server.page.get_by_role("button", name="Try now").element_handle()
    server.refusing = False
    await again.evaluate("button => button.click()")  # the page tries by itself too, and may be faster
    await expect(banner).to_have_count(0)
    await expect(server.page.locator("#composer")).to_have_value("a draft")
    await expect(server.page.locator(".said")).to_have_text(["still here"])


async def test_a_socket_that_falls_silent_is_given_up(stage: Stage):
    playing = await stage.new_server(clock=True)
    clock = playing.page.clock
    playing.snapshot(line("a", 1, "hello"))
    await expect(playing.page.locator(".said")).to_be_visible()
    await clock.run_for(30_000)
    playing.send({"hb": 1})
    await playing.page.wait_for_function("() => window.__parley.frames === 3")
    await clock.run_for(30_000)
    assert len(playing.sockets) == 1
    await clock.run_for(25_000)
    assert await playing.heard(2) == {"sub": THREAD, "after": "epoch-1:0"}
    await playing.page.context.close()


# ---------------------------------------------------------------- pages and threads


async def test_the_newest_rows_of_a_long_thread_are_drawn_before_the_others(server: Server):
    # the next frame of the screen is held back until the first rows were seen
    await server.page.evaluate(
        """() => {
          const real = window.requestAnimationFrame, held = [];
          window.requestAnimationFrame = (callback) => held.push(callback);
          window.__nextFrame = () => { window.requestAnimationFrame = real; held.forEach((each) => real(each)); };
        }"""
    )
    server.snapshot(*[line(f"r{position}", position, f"line {position}") for position in range(100, 150)])
    await expect(rows(server)).to_have_count(14)  # of 60 px at the least, on a screen of 800 px
    await expect(server.page.get_by_text("line 149")).to_be_in_viewport()
    await server.page.evaluate("window.__nextFrame()")
    await expect(rows(server)).to_have_count(50)
    await expect(server.page.get_by_text("line 149")).to_be_in_viewport()
    await expect(server.page.get_by_text("line 100")).not_to_be_in_viewport()


async def test_the_end_is_followed_while_the_reader_is_there(server: Server):
    server.snapshot(
        *[line(f"r{i:02}", i, f"line {i}") for i in range(40)], turn("z", 99, text("t", "x")), at=["z", "t"]
    )
    for number in range(1, 30):
        server.ops(number, ["+", f"\n\nparagraph {number}"])
    await expect(server.page.get_by_text("paragraph 29")).to_be_in_viewport()


async def test_the_thread_list_follows(server: Server):
    listed = server.page.get_by_role("navigation", name="Threads").get_by_role("link")
    await expect(listed).to_have_text([re.compile("The first")])
    second = Thread(id="other", title="The second", mark="waiting", updated="2026-11-30T13:00:00+00:00")
    server.send({"thread": asdict(second)})
    await expect(listed).to_have_text([re.compile("The second.*waiting"), re.compile("The first")])
    server.send({"thread": asdict(replace(second, mark="failed"))}, {"thread_gone": THREAD})
    await expect(listed).to_have_text([re.compile("The second.*failed")])


async def test_another_thread_is_asked_for_and_the_old_one_is_not_shown(server: Server):
    server.snapshot(line("a", 1, "of the first"))
    server.send({"thread": asdict(Thread(id="other", title="The second", updated=AT))})
    await server.page.get_by_role("link", name="The second").click()
    assert await server.heard(2) == {"sub": "other", "after": ""}
    await expect(rows(server)).to_have_count(0)
    server.snapshot(line("b", 1, "late frame of the first"))
    server.send(
        {
            "t": "other",
            "snapshot": {
                "rows": [],
                "older": False,
                "run": asdict(Run()),
                "cursor": "epoch-2:0",
                "at": None,
                "panels": Panels().snapshot(),
            },
        }
    )
    await expect(server.page).to_have_title("The second · Parley")
    await expect(rows(server)).to_have_count(0)


# ---------------------------------------------------------------- what text may do


async def test_hostile_text_does_nothing(server: Server):
    hostile = (
        "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'>"
        "<iframe srcdoc='<script>parent.hit = 3</script>'></iframe>\n\n"
        "[run](javascript:window.hit=4) [data](data:text/html,x) ![beacon](https://example.org/b.png) [ok](https://example.org)"
    )
    server.snapshot(line("a", 1, hostile), turn("b", 2, text("t", hostile)))
    await expect(answer(server)).to_contain_text("<script>")
    assert await server.page.evaluate("window.hit") is None
    assert await server.page.locator("[role=log] :is(script, iframe, img, style)").count() == 0
    links = await server.page.locator("[role=log] a").evaluate_all("all => all.map((a) => [a.href, a.rel])")
    safe = "noopener noreferrer nofollow"
    assert links == [["https://example.org/b.png", safe], ["https://example.org/", safe]]


async def test_invisible_characters_of_a_value_are_shown(server: Server):
    card = Row(
        key="q",
        kind="approval",
        position=1,
        at=AT,
        interrupt_id="i",
        message="Pay?",
        tool="pay",
        status="pending",
        actions=["approve"],
        digest="9f2c41e077abcdef",
        arguments=[Fact("to", "A\u202eB\u200bC")],
    )
    server.snapshot(card, run=Run("waiting"))
    await expect(server.page.locator(".facts dd")).to_contain_text("A⟨U+202E⟩B⟨U+200B⟩C")
    await expect(server.page.locator(".seal")).to_contain_text("9f2c 41e0 77ab")


async def test_a_list_and_a_fence_with_blank_lines_stay_whole_while_they_arrive(server: Server):
    server.snapshot(turn("a", 1, text("t", "")), at=["a", "t"])
    written = "1. first\n\n   goes on\n\n2. second\n\n```python\na = 1\n\nb = 2\n```\n\nafter"
    for number, letter in enumerate(written, start=1):
        server.ops(number, ["+", letter])
    await expect(answer(server).locator("p").last).to_have_text("after")
    await expect(answer(server).locator("ol")).to_have_count(1)
    await expect(answer(server).locator("ol > li")).to_have_count(2)
    await expect(answer(server).locator("pre")).to_have_text("a = 1\n\nb = 2")


async def test_a_thread_that_is_only_read_keeps_its_place_in_the_list(server: Server):
    listed = server.page.get_by_role("navigation", name="Threads").get_by_role("link")
    server.send({"thread": asdict(Thread(id="b", title="Older", updated="2026-11-30T08:00:00+00:00"))})
    server.send({"thread": asdict(Thread(id="c", title="Newer", updated="2026-11-30T09:00:00+00:00"))})
    server.send({"thread": asdict(Thread(id="b", title="Older", updated="2026-11-30T08:00:00+00:00"))})
    named = listed.filter(has_text=re.compile("Older|Newer"))
    await expect(named).to_contain_text(["Newer", "Older"])
