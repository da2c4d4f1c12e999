import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette
from structlog.testing import capture_logs

from chat_app.data.errors import DatabaseBusy
from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.policy import Person
from chat_app.web.live import BAD_FRAME, ROUTE, SIGNED_OUT, TRY_AGAIN
from tests.fakes import Browser, until, within
from tests.support.world import Gate, World, answer, ask, cookie_of, finished, opened, said, started

pytest_plugins = ("tests.support.databases",)


class Socket:
    """A browser's end of the live channel, over raw ASGI."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[dict] = asyncio.Queue()
        self.heard: asyncio.Queue[dict] = asyncio.Queue()
        self.gone = False

    async def receive(self) -> dict:
        return await self.said.get()

    async def send(self, message: dict) -> None:
        if self.gone:
            raise RuntimeError("the socket is closed")
        self.heard.put_nowait(message)

    def say(self, **frame: object) -> None:
        self.said.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})

    def say_raw(self, **message: object) -> None:
        self.said.put_nowait({"type": "websocket.receive", **message})

    async def hear(self) -> dict:
        return await within(self.heard.get())

    async def frame(self, *names: str) -> dict:
        """Return the next frame that has one of these names."""
        while True:
            message = await self.hear()
            if message["type"] == "websocket.accept":
                continue
            assert message["type"] == "websocket.send", message
            frame = json.loads(message["text"])
            if set(names) & set(frame):
                return frame

    async def code(self) -> int:
        """Return the code the socket is closed with."""
        while (message := await self.hear())["type"] != "websocket.close":
            pass
        return message["code"]


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


@asynccontextmanager
async def tab(person: Person | None, cookie: str = ""):
    """Open a tab of `person`; the guard has already found out who it is."""
    accounts = holder.current().accounts
    if person is not None and not cookie:
        cookie = await cookie_of(accounts, person)
    sign_in = await accounts.signed_in(cookie)
    socket = Socket()
    scope = {
        "type": "websocket",
        "path": "/api/live",
        "headers": [],
        "query_string": b"",
        "subprotocols": [],
        "state": {"sign_in": sign_in},
    }
    socket.said.put_nowait({"type": "websocket.connect"})
    serving = asyncio.ensure_future(Starlette(routes=[ROUTE])(scope, socket.receive, socket.send))
    try:
        yield socket
    finally:
        socket.said.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait([serving], timeout=5)
    serving.result()


# ---------------------------------------------------------------- the tab


async def test_a_tab_gets_the_thread_list_and_a_heartbeat_at_once(world):
    thread = await world.said("Hello", answer("Hi"))
    async with tab(world.ada) as socket:
        assert (await socket.hear())["type"] == "websocket.accept"
        frames = [await socket.frame("hb", "threads") for _ in range(2)]
    assert {"hb": 1} in frames
    (listed,) = next(frame["threads"] for frame in frames if "threads" in frame)
    assert (listed["id"], listed["title"]) == (thread, "Hello")


async def test_who_has_no_session_gets_nothing(world):
    async with tab(None) as socket:
        assert await socket.code() == 4401


async def test_a_tab_follows_one_thread_and_then_another(world):
    one = await world.said("One", answer("1"))
    two = await world.said("Two", answer("2"))
    async with tab(world.ada) as socket:
        socket.say(sub=one, after="")
        assert (await socket.frame("snapshot"))["t"] == one
        socket.say(sub=two, after="")
        assert (await socket.frame("snapshot"))["t"] == two
        await until(lambda: world.hub.channel(one) is None)
        assert world.hub.channel(two).followers == 1
        socket.say(sub="")
        await until(lambda: world.hub.channel(two) is None)


async def test_who_gave_a_reason_reads_a_thread_of_somebody_else_and_is_told_that_it_is_reading(world):
    eve = world.person("eve", "Eve", "admin")
    thread = await world.said("Hello", answer("Hi"))
    async with tab(eve) as socket:
        socket.say(sub=thread, after="")
        assert await socket.frame("gone", "snapshot") == {"t": thread, "gone": True}
        await world.viewing.open(eve, thread, "a complaint")
        socket.say(sub=thread, after="")
        assert await socket.frame("may", "snapshot") == {"t": thread, "may": "read"}
        assert (await socket.frame("snapshot"))["t"] == thread


async def test_a_browser_ends_with_what_was_said(world):
    gate = Gate()
    world.agent.scripts.append(
        lambda run: [started(run), opened("a"), said("a", "so "), gate, said("a", "far")]
    )
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    browser = Browser()
    async with tab(world.ada) as socket:
        socket.say(sub=thread, after="")
        browser.receive(json.dumps(await socket.frame("snapshot")))
        assert browser.shown()[1]["parts"][0]["text"] == "so "
        gate.set()
        while browser.run["status"] != "idle":
            browser.receive(json.dumps(await socket.frame("ops")))
    assert [row["kind"] for row in browser.shown()] == ["user", "turn", "note"]
    assert browser.shown()[1]["parts"][0]["text"] == "so far"


async def test_a_browser_that_comes_back_gets_what_it_missed(world):
    gate = Gate()
    words = [said("a", "so "), gate, said("a", "far"), gate]
    world.agent.scripts.append(lambda run: [started(run), opened("a"), *words])
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    browser = Browser()
    async with world.hub.use(thread):
        async with tab(world.ada) as socket:
            socket.say(sub=thread, after="")
            browser.receive(json.dumps(await socket.frame("snapshot")))
        gate.set()
        await world.idle()
        async with tab(world.ada) as socket:
            socket.say(sub=thread, after=browser.cursor)
            frame = await socket.frame("ops", "snapshot")
            assert "ops" in frame
            browser.receive(json.dumps(frame))
    assert browser.shown()[1]["parts"][0]["text"] == "so far"


@pytest.mark.parametrize("cursor", ["unknown:3", "nonsense", ":", "x:99999999999999999999"])
async def test_an_unknown_cursor_gets_a_snapshot(world, cursor):
    thread = await world.said("Hello", answer("Hi"))
    async with tab(world.ada) as socket:
        socket.say(sub=thread, after=cursor)
        assert "snapshot" in await socket.frame("snapshot", "ops", "gone")


async def test_older_rows_come_when_asked_for(world):
    thread = await world.said("One", answer("1"))
    await world.said("Two", answer("2"), thread=thread)
    async with tab(world.ada) as socket:
        socket.say(older={"thread": thread, "before": world.messages(thread)[2].position})
        page = (await socket.frame("page"))["page"]
    assert [row["parts"][0]["text"] for row in page["rows"]] == ["One", "1"]
    assert page["older"] is False


async def test_an_earlier_state_comes_when_asked_for(world):
    told = {"type": "STATE_SNAPSHOT", "snapshot": {"n": 1}}
    thread = await world.said("One", lambda run: [started(run), told, finished(run)])
    async with tab(world.ada) as socket:
        socket.say(past={"thread": thread, "number": 1})
        past = (await socket.frame("past"))["past"]
    assert (past["number"], past["count"], past["now"]) == (1, 1, {"n": 1})


async def test_a_further_page_of_the_list_and_the_archive_come_when_asked_for(world):
    first = await world.said("Hello", answer("Hi"))
    second = await world.said("Again", answer("Hi"))
    async with tab(world.ada) as socket:
        (newest, oldest) = (await socket.frame("threads"))["threads"]
        assert (newest["id"], oldest["id"]) == (second, first)
        socket.say(list={"updated": newest["updated"], "id": newest["id"]})
        assert [one["id"] for one in (await socket.frame("list"))["list"]["threads"]] == [first]
        socket.say(list={"archived": True})
        assert (await socket.frame("list"))["list"]["threads"] == []


async def test_a_new_thread_appears_in_every_tab_of_its_owner(world):
    async with tab(world.ada) as one, tab(world.ada) as other, tab(world.bob) as foreign:
        for socket in (one, other, foreign):
            await socket.frame("threads")
        thread = await world.said("Hello", answer("Hi"))
        for socket in (one, other):
            assert (await socket.frame("thread"))["thread"]["id"] == thread
        assert all("thread" not in json.loads(m["text"]) for m in list(foreign.heard._queue))


# ---------------------------------------------------------------- rights


async def test_a_foreign_thread_and_an_unknown_one_are_answered_alike(world):
    foreign = world.thread(world.bob).id
    async with tab(world.ada) as socket:
        for thread in (foreign, "unknown", "../../etc", "ü" * 5000):
            socket.say(sub=thread, after="")
            assert await socket.frame("gone") == {"t": thread, "gone": True}
            socket.say(older={"thread": thread, "before": 3})
            assert await socket.frame("gone") == {"t": thread, "gone": True}
            socket.say(past={"thread": thread, "number": 1})
            assert await socket.frame("gone") == {"t": thread, "gone": True}
    assert world.hub.channel(foreign) is None


# ---------------------------------------------------------------- trouble


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "null",
        '{"sub": 1}',
        '{"sub": "t", "who": "ada"}',
        '{"older": {"thread": "t"}}',
        '{"older": {"thread": "t", "before": "1"}}',
        '{"older": {"thread": "t", "before": -1}}',
        '{"older": {"thread": "t", "before": 9223372036854775808}}',
        '{"sub": "a\\u0000b"}',
        '{"older": {"thread": "\\u0000", "before": 1}}',
        '{"sub": "\\ud800"}',
    ],
)
async def test_what_no_browser_of_ours_says_closes_the_socket(world, text):
    async with tab(world.ada) as socket:
        socket.say_raw(text=text)
        assert await socket.code() == BAD_FRAME


@pytest.mark.parametrize("message", [{"bytes": b"\x00"}, {"bytes": b"{}", "text": None}])
async def test_bytes_where_text_belongs_close_the_socket(world, message):
    async with tab(world.ada) as socket:
        socket.say_raw(**message)
        assert await socket.code() == BAD_FRAME


async def test_an_absent_database_closes_the_socket_so_that_the_browser_tries_again(world):
    class Away:
        def reading(self):
            raise DatabaseBusy("away")

    thread = await world.said("Hello", answer("Hi"))
    async with tab(world.ada) as socket:
        await socket.frame("threads")
        world.threads._database = Away()
        with capture_logs() as logs:
            socket.say(sub=thread, after="")
            assert await socket.code() == TRY_AGAIN
        socket.gone = True
        socket.say(older={"thread": thread, "before": 3})
    assert [entry["event"] for entry in logs] == ["database_trouble"]


async def test_a_page_that_cannot_be_read_now_closes_the_socket_too(world):
    class Away:
        def reading(self):
            raise DatabaseBusy("away")

    thread = await world.said("Hello", answer("Hi"))
    async with tab(world.ada) as socket:
        await socket.frame("threads")
        world.threads._database = Away()
        socket.say(older={"thread": thread, "before": 3})
        assert await socket.code() == TRY_AGAIN


async def test_a_browser_that_went_without_a_word_leaves_nothing_running(world):
    thread = await world.said("Hello", answer("Hi"))
    async with tab(world.ada) as socket:
        socket.say(sub=thread, after="")
        await socket.frame("snapshot")
        socket.gone = True
        await world.said("More", answer("Sure"), thread=thread)
        await until(lambda: world.hub.channel(thread) is None)
    assert world.hub._feeds == {}


async def test_a_closed_tab_leaves_nothing_running(world):
    thread = await world.said("Hello", answer("Hi"))
    async with tab(world.ada) as socket:
        socket.say(sub=thread, after="")
        await socket.frame("snapshot")
    await until(lambda: world.hub.channel(thread) is None and not world.hub._feeds)


# ---------------------------------------------------------------- the sign-in


async def test_a_tab_is_told_whose_it_is_first(world):
    async with tab(world.ada) as socket:
        assert await socket.frame("me", "hb", "threads") == {"me": world.ada.id}


async def test_every_tab_of_a_session_is_out_when_it_ends(world):
    cookie, other = await world.cookie_of(world.ada), await world.cookie_of(world.ada)
    async with tab(world.ada, cookie) as one, tab(world.ada, cookie) as two, tab(world.ada, other) as stays:
        for socket in (one, two, stays):
            await socket.frame("threads")
        await world.accounts.sign_out(cookie)
        assert (await one.code(), await two.code()) == (SIGNED_OUT, SIGNED_OUT)
        await world.said("Hello", answer("Hi"))
        assert "thread" in await stays.frame("thread")


async def test_who_is_kept_out_by_an_admin_is_out_in_every_tab(world):
    root = world.person("root", "Root", "admin")
    async with tab(world.ada) as socket:
        await socket.frame("threads")
        await world.people.set_active(root, world.ada.id, active=False)
        assert await socket.code() == SIGNED_OUT


async def test_a_tab_whose_person_has_other_roles_comes_again(world):
    root = world.person("root", "Root", "admin")
    async with tab(world.ada) as socket:
        await socket.frame("threads")
        await world.people.set_roles(root, world.ada.id, ["user", "approver"])
        assert await socket.code() == TRY_AGAIN


# ---------------------------------------------------------------- the inbox


async def test_a_tab_follows_one_list_of_the_inbox_and_the_number_that_waits(world):
    carla = world.person("carla", "Carla", "approver")
    world.rule({"decide": [{"by": "role", "roles": ["approver"]}]})
    async with tab(carla) as socket:
        assert (await socket.frame("waiting"))["waiting"] == 0
        socket.say(inbox={"tab": "all"})
        assert (await socket.frame("inbox"))["inbox"]["questions"] == []
        thread = await world.said("Go", ask())
        (one,) = world.questions(thread)
        frames = [await socket.frame("inbox", "waiting") for _ in range(2)]
        assert 1 in [frame.get("waiting") for frame in frames]
        (shown,) = [frame["inbox"] for frame in frames if "inbox" in frame]
        assert [each["id"] for each in shown["questions"]] == [one.id]
        socket.say(inbox={"tab": "decided", "open": one.id})
        decided = (await socket.frame("inbox"))["inbox"]
        assert (decided["questions"], decided["opened"]["id"]) == ([], one.id)
        socket.say(inbox_over=True)


async def test_who_has_no_inbox_is_told_so_and_keeps_the_socket(world):
    auditor = world.person("olga", "Olga", "auditor")
    async with tab(auditor) as socket:
        socket.say(inbox={})
        assert await socket.frame("inbox", "waiting") == {"inbox": {"gone": True}}


@pytest.mark.parametrize("asked", [{"limit": 0}, {"tab": "a\x00"}, {"other": 1}, {"open": "x" * 201}])
async def test_a_list_that_cannot_be_is_no_frame(world, asked):
    async with tab(world.ada) as socket:
        socket.say(inbox=asked)
        assert await socket.code() == BAD_FRAME
