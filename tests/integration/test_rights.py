"""Everything a browser can ask for, asked by everybody: each role, the owner without the right role, and nobody.

The tables name what may be done by whom; a handler that no table names is refused for things of others all the same.
"""

import asyncio
import importlib
import inspect
import json
import logging
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from reflex_base.registry import RegistrationContext
from sqlalchemy import select
from starlette.applications import Starlette
from structlog.testing import capture_logs

import chat_app.state
from chat_app.services import holder
from chat_app.services.accounts import Ways
from chat_app.services.choosing import NOBODY, Choice
from chat_app.services.exports import KINDS
from chat_app.services.holder import install
from chat_app.services.people import TERMINAL
from chat_app.services.problems import GONE, AgentClosed, NotYours, SignedOut
from chat_app.services.proxy import Proxies
from chat_app.state.chat import NO_PROBLEM, Chat
from chat_app.ui.gate import draw
from chat_app.web import auth, export, live
from chat_app.web.entrance import Entrance
from chat_app.web.guard import Guard
from chat_app.wiring import stored_tables
from tests.fakes import within
from tests.support.tabs import call, go, page
from tests.support.world import World, answer, ask

pytest_plugins = ("tests.support.databases",)

for _, name, _ in pkgutil.iter_modules(chat_app.state.__path__):
    importlib.import_module(f"chat_app.state.{name}")

SECRET = "what Ada said to the agent"
UNKNOWN = "019370e0-0000-7000-8000-000000000000"
ROLES = ("user", "approver", "auditor", "admin")
READS = ("send", "fill", "look", "show_run")
"""What is about one thing as well, beside `WRITES`; `send` makes a thread where none is named."""
WRITES = ("stop", "retry", "regenerate", "edit", "choose", "rate", "change_state", "decide", "send_answers")
"""What only a `user` may do, and only in a thread of their own."""
ORIGIN = "http://localhost:3000"


def handlers() -> list[tuple[type[Chat], str]]:
    """Return every handler of ours that a browser may call, with the state it belongs to."""
    found = RegistrationContext.get().event_handlers.values()
    ours = [one for one in found if getattr(one.handler.fn, "__parley_public__", False)]
    states = {kind.__name__: kind for kind in subclasses(Chat)} | {"Chat": Chat}
    named = {
        (kind, fn)
        for kind in states.values()
        for fn in kind.event_handlers
        if fn in {h.handler.fn.__name__ for h in ours}
    }
    return sorted(named, key=lambda pair: (pair[0].__name__, pair[1]))


def subclasses(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)


def rows(world: World) -> dict[str, list[tuple]]:
    """Return everything that is stored, but for sign-ins, which note their use."""
    with world.database.reading() as session:
        tables = [table for table in stored_tables() if table.name != "auth_session"]
        return {table.name: sorted(map(repr, session.execute(select(table)).all())) for table in tables}


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite, ways=Ways(password=True)).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


async def asked(world: World) -> tuple[str, str]:
    """Let Ada ask, and return her thread and the question that waits in it."""
    thread = await world.said(SECRET, ask())
    return thread, world.questions(thread)[0].id


def arguments(world: World, fn: Callable, thread: str, question: str) -> list[object]:
    """Return what a browser would send to a handler, by the names of what it takes."""
    there = thread != UNKNOWN
    known = {
        "interrupt_id": question,
        "thread_id": thread,
        "run": world.runs(thread)[0].id if there else "run",
        "run_id": world.runs(thread)[0].id if there else "run",
        "key": world.messages(thread)[0].key if there else "unknown",
        "form": {"text": "Hi", "abandon": True},
        "kind": "approve",
        "number": 0,
        "pointer": "/x",
        "verdict": "good",
        "pinned": True,
        "archived": True,
    }
    asked = [one for one in inspect.signature(fn).parameters.values() if one.name != "self"]
    return [known.get(one.name, "1") for one in asked if one.default is one.empty]


async def done(world: World, state: Chat, handler: str, thread: str, question: str) -> None:
    """Let a browser call a handler."""
    fn = type(state).event_handlers[handler].fn
    await call(state, handler, *arguments(world, fn, thread, question))


async def tab_of(world: World, kind: type[Chat], thread: str, cookie: str) -> Chat:
    state = await page(world, f"/t/{thread}", cookie=cookie, kind=kind)
    go(state, f"/t/{thread}", cookie)
    return state


# ---------------------------------------------------------------- handlers


def test_there_are_handlers_to_ask():
    assert {"send", "stop", "retry", "decide"} <= {handler for _, handler in handlers()}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("kind", "handler"), handlers(), ids=lambda one: getattr(one, "__name__", one))
async def test_a_thing_of_somebody_else_is_as_if_it_were_not_there(world, kind, handler, role):
    thread, question = await asked(world)
    cookie = await world.cookie_of(world.person("who", "Who", role))
    before, problems = rows(world), []
    for place, about in ((thread, question), (UNKNOWN, UNKNOWN)):
        state = await tab_of(world, kind, place, cookie)
        await done(world, state, handler, place, about)
        problems.append(state.problem)
        assert SECRET not in repr(state.dict())
    assert rows(world) == before
    assert problems[0] == problems[1]
    assert handler not in {*WRITES, *READS} or problems[0] == GONE


@pytest.mark.parametrize(("kind", "handler"), handlers(), ids=lambda one: getattr(one, "__name__", one))
async def test_nobody_is_told_to_sign_in(world, kind, handler):
    thread, question = await asked(world)
    before = rows(world)
    state = await tab_of(world, kind, thread, "parley_session=guess")
    await done(world, state, handler, thread, question)
    assert rows(world) == before
    assert handler not in {*WRITES, *READS} or state.problem == SignedOut.problem
    assert SECRET not in repr(state.dict())


@pytest.mark.parametrize("role", ["approver", "auditor", "admin"])
@pytest.mark.parametrize("handler", WRITES)
async def test_who_is_no_user_any_more_changes_nothing_of_their_own(world, handler, role):
    thread, question = await asked(world)
    await world.people.set_roles(TERMINAL, world.ada.id, [role])
    kind = next(kind for kind, name in handlers() if name == handler)
    before = rows(world)
    state = await tab_of(world, kind, thread, await world.cookie_of(world.ada))
    await done(world, state, handler, thread, question)
    assert (state.problem, rows(world) == before) == (GONE, True)


async def test_after_signing_out_no_tab_does_anything_as_whom_it_was(world):
    thread, question = await asked(world)
    cookie = await world.cookie_of(world.ada)
    await world.accounts.sign_out(cookie)
    before = rows(world)
    for kind, handler in handlers():
        state = await tab_of(world, kind, thread, cookie)
        await done(world, state, handler, thread, question)
        assert handler not in {*WRITES, *READS} or state.problem == SignedOut.problem
    assert rows(world) == before


async def test_an_approver_decides_and_does_nothing_else(world):
    world.rule({"decide": [{"by": "other", "roles": ["approver"]}]})
    thread, question = await asked(world)
    tom = await world.cookie_of(world.person("tom", "Tom", "approver"))
    for kind, handler in handlers():
        if handler not in {*WRITES, *READS} - {"fill", "decide", "send_answers"}:
            continue
        state = await tab_of(world, kind, thread, tom)
        await done(world, state, handler, thread, question)
        assert state.problem == GONE, handler
    kind = next(kind for kind, name in handlers() if name == "decide")
    mine = await tab_of(world, kind, thread, await world.cookie_of(world.ada))
    await call(mine, "decide", question, "approve")
    assert mine.problem == NotYours.problem
    world.agent.scripts.append(answer("ok"))
    state = await tab_of(world, kind, thread, tom)
    await call(state, "decide", question, "approve")
    await world.idle()
    assert (state.problem, world.questions(thread)[0].status) == (NO_PROBLEM, "answered")


# ---------------------------------------------------------------- agents

SHUT = {
    "off": {"enabled": False},
    "dropped": {"dropped": True},
    "of other roles": {"policy": {"use": {"roles": ["approver"]}}},
    "of other people": {"policy": {"use": {"roles": [], "people": ["somebody"]}}},
    "with rules nobody can read": {"policy": {"use": 1}},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("shut", SHUT)
async def test_an_agent_that_is_closed_to_somebody_is_as_if_it_were_not_there(world, shut, role):
    closed = world.agent_called(SECRET, **SHUT[shut])
    cookie = await world.cookie_of(world.person("who", "Who", role))
    before, seen = rows(world), []
    for claim in (closed.id, UNKNOWN, "\x00"):
        state = await page(world, "/", cookie=cookie)
        state.preferred = claim  # as a browser may say it kept
        await call(state, "load")
        loaded = state.agent
        await call(state, "choose_agent", claim)
        refused = state.problem
        state.agent = Choice(claim, "forged")
        await call(state, "send", {"text": "Hi"})
        sent = state.problem
        await call(state, "take_files")
        assert closed.id not in {one.id for one in state.choices}
        assert SECRET not in repr(state.choices)
        seen.append((loaded, refused, sent, list(state.accepts)))
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][1:] == (AgentClosed.problem, AgentClosed.problem, [])
    assert rows(world) == before


async def test_who_is_not_signed_in_is_shown_no_agent(world):
    state = await page(world, "/", cookie="parley_session=guess")
    await call(state, "load")
    assert (state.agent, state.choices, state.suggestions) == (NOBODY, [], [])
    await call(state, "choose_agent", world.agents.default_id)
    assert (state.problem, state.agent) == (SignedOut.problem, NOBODY)


async def test_the_agent_of_a_thread_of_somebody_else_is_not_told(world):
    named = world.agent_called(SECRET)
    thread = world.thread(agent=named.id)
    for role in ROLES:
        cookie = await world.cookie_of(world.person(f"who-{role}", "Who", role))
        states = [await page(world, f"/t/{place}", cookie=cookie) for place in (thread.id, UNKNOWN)]
        for state in states:
            await call(state, "load")
            await call(state, "take_files")
        assert [(state.agent, state.accepts, state.problem) for state in states] == [
            (NOBODY, [], NO_PROBLEM)
        ] * 2


# ---------------------------------------------------------------- routes and topics


def guarded() -> Guard:
    services = holder.current()
    entrance = Entrance(services.accounts, services.provided, Proxies())
    doors = auth.Doors(draw, entrance, setting="", known=frozenset({"en"}), secure=False)
    app = Starlette(routes=[live.ROUTE, export.ROUTE, *auth.routes(doors)])
    return Guard(app, entrance=entrance, origins={"localhost:3000": ORIGIN})


@asynccontextmanager
async def client():
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guarded()), base_url=ORIGIN) as found:
        yield found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", [*ROLES, None])
async def test_a_file_of_somebody_elses_thread_is_not_there(world, role, kind):
    thread, _ = await asked(world)
    cookie = await world.cookie_of(world.person("who", "Who", role)) if role else ""
    async with client() as browser:
        answers = [
            await browser.get(f"/api/threads/{one}/export/{kind}", headers={"cookie": cookie})
            for one in (thread, UNKNOWN)
        ]
        mine = await world.cookie_of(world.ada)
        own = await browser.get(f"/api/threads/{thread}/export/{kind}", headers={"cookie": mine})
    assert [one.status_code for one in answers] == ([404, 404] if role else [401, 401])
    assert answers[0].content == answers[1].content
    assert own.status_code == 200


async def heard(cookie: str, *said: dict) -> list[dict]:
    """Say something on the live channel and return what comes, up to the answers or the end."""
    to, back = asyncio.Queue(), asyncio.Queue()
    headers = [(b"host", b"localhost:3000"), (b"origin", ORIGIN.encode()), (b"cookie", cookie.encode())]
    scope = {
        "type": "websocket",
        "path": "/api/live",
        "headers": headers,
        "query_string": b"",
        "subprotocols": [],
    }
    to.put_nowait({"type": "websocket.connect"})
    serving = asyncio.ensure_future(guarded()(scope, to.get, back.put))
    frames: list[dict] = []
    for one in said:
        to.put_nowait({"type": "websocket.receive", "text": json.dumps(one)})
    while sum("t" in frame for frame in frames) < len(said):
        message = await within(back.get())
        if message["type"] == "websocket.close":
            frames.append(message)
            break
        if message["type"] == "websocket.send":
            frames.append(json.loads(message["text"]))
    to.put_nowait({"type": "websocket.disconnect", "code": 1001})
    await within(serving)
    return frames


TOPICS = {
    "sub": lambda thread: {"sub": thread},
    "older": lambda thread: {"older": {"thread": thread, "before": 5}},
    "past": lambda thread: {"past": {"thread": thread, "number": 1}},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("topic", TOPICS)
async def test_a_topic_of_somebody_elses_thread_is_gone(world, topic, role):
    thread, _ = await asked(world)
    cookie = await world.cookie_of(world.person("who", "Who", role))
    for place in (thread, UNKNOWN):
        frames = await heard(cookie, TOPICS[topic](place))
        assert {"t": place, "gone": True} in frames
        assert SECRET not in str(frames)


async def test_nobody_hears_anything(world):
    thread, _ = await asked(world)
    frames = await heard("", TOPICS["sub"](thread))
    assert [(frame["type"], frame["code"]) for frame in frames] == [("websocket.close", 4401)]


async def test_the_owner_hears_their_thread(world):
    thread, _ = await asked(world)
    assert SECRET in str(await heard(await world.cookie_of(world.ada), TOPICS["sub"](thread)))


# ---------------------------------------------------------------- secrets


async def test_no_secret_is_in_a_log_a_frame_or_an_export(world, caplog):
    caplog.set_level(logging.DEBUG)
    token = await world.people.invite(TERMINAL, ["user"], name="cat")
    with capture_logs() as logs:
        async with client() as browser:
            ours = {"origin": ORIGIN}
            await browser.get(f"/join/{token}", headers={"host": "evil.example"})
            joined = await browser.post(
                "/auth/join", data={"token": token, "password": "correct horse"}, headers=ours
            )
            await browser.post("/auth/sign-in", data={"name": "cat", "password": "wrong horse"}, headers=ours)
            account = await browser.get("/account", headers={"accept": "text/html"})
            cookie = browser.cookies["parley_session"]
            frames = await heard(f"parley_session={cookie}", {"sub": UNKNOWN})
    assert joined.status_code == 303
    ours = [
        one.getMessage() for one in caplog.records if not one.name.startswith("http")
    ]  # those are the browser's
    told = f"{logs} {ours} {account.text} {frames}"
    for secret in (token, "correct horse", "wrong horse", cookie, "argon2"):
        assert secret not in told
