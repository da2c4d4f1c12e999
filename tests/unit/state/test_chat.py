import pytest
from structlog.testing import capture_logs

from chat_app.data import attachments
from chat_app.data.errors import DatabaseBusy
from chat_app.data.records import AttachmentRecord
from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.problems import AWAY, AgentClosed, FileRefused, Problem, SignedOut, Waiting
from chat_app.state.chat import NO_PROBLEM
from tests.fakes import until
from tests.support.tabs import call, go, page, person_of, target, thread_of
from tests.support.world import Gate, World, answer, ask, started, texts, unreachable

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


class Away:
    """A database that does not answer."""

    def transaction(self):
        raise DatabaseBusy("away")


# ---------------------------------------------------------------- load


async def test_a_page_shows_the_names_of_who_talks(world):
    state = await page(world)
    await call(state, "load")
    assert (state.agent.name, state.user_name, state.shut) == ("Parley", "You", False)
    assert [one.title for one in state.suggestions] == ["Say hello"]
    assert state.problem == NO_PROBLEM


async def test_the_agent_that_was_chosen_last_is_chosen_again_if_it_may_be(world):
    orders = world.agent_called("Orders", suggestions=("Where is it?",))
    state = await page(world)
    await call(state, "load")
    assert [one.name for one in state.choices] == ["Parley", "Orders"]
    event = await call(state, "choose_agent", orders.id)
    assert event is type(state).take_files
    assert (state.agent.name, state.preferred, [one.line for one in state.suggestions]) == (
        "Orders",
        orders.id,
        ["Where is it?"],
    )
    again = await page(world)
    again.preferred = orders.id
    await call(again, "load")
    assert again.agent.name == "Orders"
    world.change_agent(orders.id, enabled=False)
    await call(again, "load")
    assert (again.agent.name, len(again.choices)) == ("Parley", 1)


async def test_an_agent_one_may_not_choose_changes_nothing_whether_or_not_it_is_there(world):
    closed = world.agent_called("Closed", policy={"use": {"roles": []}})
    state = await page(world)
    await call(state, "load")
    for claim in (closed.id, "unknown", 5):
        assert await call(state, "choose_agent", claim) is None
        assert (state.problem, state.agent.name) == (AgentClosed.problem, "Parley")
        state.problem = NO_PROBLEM


async def test_a_new_chat_is_with_the_chosen_agent_and_its_page_says_so(world):
    orders = world.agent_called("Orders")
    state = await page(world)
    await call(state, "load")
    await call(state, "choose_agent", orders.id)
    world.agent.scripts.append(answer("Hi"))
    thread = target(await call(state, "send", {"text": "Hello"})).removeprefix("/t/")
    await world.idle()
    assert world.get_thread(thread).agent == orders.id
    await call(state, "choose_agent", world.agents.default_id)
    go(state, f"/t/{thread}", state.router.headers.raw_headers["cookie"])
    await call(state, "load")
    assert (state.agent.name, state.choices) == ("Orders", [])


async def test_who_may_talk_to_nobody_is_told(world):
    world.rule({"use": {"roles": []}})
    state = await page(world)
    await call(state, "load")
    assert (state.shut, state.agent.name, state.suggestions) == (True, "", [])


async def test_what_the_agent_takes_is_offered_to_be_attached(world):
    state = await page(world)
    await call(state, "load")
    await call(state, "take_files")
    assert (state.accepts, state.file_limit) == (["image", "pdf", "file"], 1_000)


async def test_a_file_that_the_chosen_agent_does_not_take_is_not_sent(world):
    text_agent = world.agent_called("Texts", url="http://127.0.0.1:1/")
    state = await page(world)
    await call(state, "load")
    person = await person_of(world, state)
    picture = AttachmentRecord(
        id=world.new_id(),
        by=person.id,
        name="a.png",
        media_type="image/png",
        size=1,
        sha256="0" * 64,
        created=world.clock(),
    )
    with world.database.transaction() as session:
        attachments.add(session, picture)
    await call(state, "choose_agent", text_agent.id)
    assert await call(state, "send", {"text": "Look", "files": [picture.id]}) is None
    assert state.problem == FileRefused.problem
    await call(state, "choose_agent", world.agents.default_id)
    world.agent.scripts.append(answer("Nice"))
    assert target(await call(state, "send", {"text": "Look", "files": [picture.id]}))
    await world.idle()


@pytest.mark.parametrize(
    ("path", "thread"), [("/", ""), ("/t/", ""), ("/t/abc/", "abc"), ("/other", ""), ("/t/abc?x=1", "abc")]
)
async def test_the_address_names_the_thread(world, path, thread):
    state = await page(world, path)
    assert state._thread_in_address() == thread


async def test_who_is_signed_out_is_told_how_to_go_on(world):
    state = await page(world, "/t/abc", cookie="other=1")
    for handler, arguments in (("load", ()), ("send", ({"text": "Hi"},)), ("stop", ()), ("retry", ())):
        state.problem = NO_PROBLEM
        await call(state, handler, *arguments)
        assert state.problem == SignedOut.problem


# ---------------------------------------------------------------- send


async def test_the_first_line_makes_a_thread_and_goes_there(world):
    state = await page(world)
    world.agent.scripts.append(answer("Hi"))
    event = await call(state, "send", {"text": "Hello"})
    await world.idle()
    thread = target(event).removeprefix("/t/")
    assert texts(world.view(thread)) == ["Hello", "Hi"]
    assert state.made == thread


async def test_two_clicks_before_the_page_has_moved_make_one_thread(world):
    state = await page(world)
    await call(state, "load")
    world.agent.scripts.append(answer("Hi"))
    first, second = [target(await call(state, "send", {"text": "Hello"})) for _ in range(2)]
    await world.idle()
    assert first == second
    assert texts(world.view(first.removeprefix("/t/"))) == ["Hello", "Hi"]
    await call(state, "load")  # a new chat
    world.agent.scripts.append(answer("Hi"))
    assert target(await call(state, "send", {"text": "Hello"})) != first
    await world.idle()


async def test_the_next_line_stays_where_it_is(world):
    state = await page(world)
    thread = await thread_of(world, state, answer("1"))
    go(state, f"/t/{thread}", state.router.headers.raw_headers["cookie"])
    world.agent.scripts.append(answer("2"))
    assert await call(state, "send", {"text": "More"}) is None
    await world.idle()
    assert texts(world.view(thread)) == ["Hello", "1", "More", "2"]


@pytest.mark.parametrize("form", [{}, {"text": ""}, {"text": None}, {"text": "  "}, {"other": "x"}])
async def test_nothing_is_not_sent(world, form):
    state = await page(world)
    assert await call(state, "send", form) is None
    assert state.problem.title == "There is nothing to send"
    assert world.agent.requests == []


async def test_what_cannot_be_done_becomes_the_problem_and_success_clears_it(world):
    state = await page(world)
    thread = await thread_of(world, state, ask())
    go(state, f"/t/{thread}", state.router.headers.raw_headers["cookie"])
    await call(state, "send", {"text": "Well?"})
    assert state.problem == Waiting.problem
    world.agent.scripts.append(answer("ok"))
    await call(state, "send", {"text": "Well?", "abandon": True})
    await world.idle()
    assert state.problem == NO_PROBLEM
    assert [entry.status for entry in world.agent.requests[-1].resume] == ["cancelled"]


async def test_an_absent_database_is_said_in_words(world):
    state = await page(world)
    world.chat._starter._database = Away()
    with capture_logs():
        assert await call(state, "send", {"text": "Hello"}) is None
    assert state.problem == AWAY


async def test_a_foreign_thread_is_not_there(world):
    foreign = world.thread(world.bob).id
    state = await page(world, f"/t/{foreign}")
    for handler, arguments in (("send", ({"text": "Hi"},)), ("stop", ()), ("retry", ())):
        await call(state, handler, *arguments)
        assert state.problem.title == "This chat is not there"
    assert world.view(foreign).rows == []


# ---------------------------------------------------------------- stop, retry


async def test_a_click_stops_the_answer(world):
    state = await page(world)
    world.agent.scripts.append(lambda run: [started(run), Gate()])
    thread = target(await call(state, "send", {"text": "Hello"})).removeprefix("/t/")
    await until(lambda: world.agent.waiting)
    go(state, f"/t/{thread}", state.router.headers.raw_headers["cookie"])
    await call(state, "stop")
    await world.idle()
    assert [row.code for row in world.view(thread).rows if row.kind == "note"] == ["CANCELLED"]


async def test_a_click_runs_a_failed_answer_again(world):
    state = await page(world)
    thread = await thread_of(world, state, unreachable, answer("at last"))
    go(state, f"/t/{thread}", state.router.headers.raw_headers["cookie"])
    await call(state, "retry")
    await world.idle()
    assert texts(world.view(thread)) == ["Hello", "at last"]


# ---------------------------------------------------------------- going elsewhere


async def test_a_problem_is_taken_off_the_page(world):
    state = await page(world)
    state.problem = Problem("Oh")
    await call(state, "dismiss_problem")
    assert state.problem == NO_PROBLEM


@pytest.mark.parametrize("form", [None, "a line", [], {}, {"text": None}, {"text": {"a": 1}}, {"text": 7}])
async def test_what_is_no_line_is_an_empty_one(world, form):
    state = await page(world)
    await call(state, "send", form)
    assert state.problem.title
    assert state.accepted == 0


# ---------------------------------------------------------------- lines that wait


async def waiting(world, state, gate: Gate) -> tuple[str, str]:
    """Let a line wait behind an answer; return the thread and the line."""
    world.agent.scripts.append(lambda run: [started(run), gate, *answer("one")(run)[1:]])
    person = await world.accounts.person_of(state.router.headers.raw_headers["cookie"])
    thread = await world.chat.send(person, None, "One")
    go(state, f"/t/{thread}", state.router.headers.raw_headers["cookie"])
    await call(state, "send", {"text": "Two", "queue": True})
    (line,) = world.view(thread).run.queued
    return thread, line.id


async def test_a_line_that_waits_is_changed_in_its_place(world):
    gate, state = Gate(), await page(world)
    thread, line = await waiting(world, state, gate)
    await call(state, "requeue", line, "Deux")
    assert [each.text for each in world.view(thread).run.queued] == ["Deux"]
    assert state.returned == ""
    await call(state, "unqueue", line)
    assert world.view(thread).run.queued == []
    gate.set()


async def test_what_comes_too_late_for_a_waiting_line_goes_back_to_the_box(world):
    gate, state = Gate(), await page(world)
    thread, line = await waiting(world, state, gate)
    world.agent.scripts.append(answer("two"))
    await call(state, "send_now", line)
    await until(lambda: not world.view(thread).run.queued)
    await call(state, "requeue", line, "Deux")
    assert (state.returned, state.problem.title) == ("Deux", "This message waits no longer")
    gate.set()


@pytest.mark.parametrize("files", [None, "x", {"a": 1}, [7]])
async def test_files_that_nobody_brought_send_nothing_or_are_none(world, files):
    state = await page(world)
    world.agent.scripts.append(answer("Hi"))
    await call(state, "send", {"text": "Hello", "files": files})
    await world.idle()
    assert len(world.agent.requests) == (0 if files == [7] else 1)
    assert bool(state.problem.title) is (files == [7])
