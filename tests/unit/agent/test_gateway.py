import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from chat_app.agent.gateway import AgentOptions, agent_routes, build_agent
from chat_app.agent.runner import Swap, SwapPolicy
from chat_app.agent.switchboard import Switchboard
from chat_app.agent.turn import TurnFailed
from chat_app.agent.work import Work
from tests.support.agent_harness import TOKEN, Clock, check_order, counting_ids, decode, run_input, text_of


def agent(**keywords):
    return build_agent(TOKEN, now=Clock(), new_id=counting_ids(), options=AgentOptions(pace=0, **keywords))


def client(app, *, token=TOKEN):
    headers = {"accept": "text/event-stream"} | ({"authorization": f"Bearer {token}"} if token else {})
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://agent", headers=headers)


@pytest.fixture
def mounted():
    return Starlette(routes=[*agent_routes("/agent", agent())])


@pytest.mark.parametrize("path", ["/agent", "/agent/"])
async def test_a_run_is_answered_at_the_mount_with_and_without_a_slash(mounted, path):
    async with client(mounted) as http:
        response = await http.post(path, json=run_input("Echo: naïve 🚲"))
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream"
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["x-accel-buffering"] == "no"
    events = decode(response.content)
    check_order(events)
    assert text_of(events) == "naïve 🚲"
    assert "🚲".encode() in response.content


@pytest.mark.parametrize("root", ["/agent", "/deep/agent"])
async def test_any_mount_that_passes_its_own_address_on_works(root):
    inner = agent()

    async def strip(scope, receive, send):
        await inner({**scope, "root_path": root}, receive, send)

    async with client(strip) as http:
        assert (await http.post(root, json=run_input("Echo: hi"))).status_code == 200


async def test_an_app_of_its_own_answers_at_the_root():
    async with client(agent()) as http:
        assert (await http.post("/", json=run_input("Echo: hi"))).status_code == 200


async def test_a_plain_mount_answers_below_its_address():
    async with client(Starlette(routes=[Mount("/agent", agent())])) as http:
        assert (await http.post("/agent/", json=run_input("Echo: hi"))).status_code == 200


async def test_capabilities_are_readable(mounted):
    async with client(mounted) as http:
        response = await http.get("/agent/capabilities", headers={"accept": "application/json"})
    assert response.status_code == 200
    assert response.json()["identity"]["type"] == "parley-scripted"


@pytest.mark.parametrize(
    "authorization", [None, "Bearer wrong", "Bearer", f"Basic {TOKEN}", TOKEN, "Bearer ü"]
)
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/agent"), ("GET", "/agent/capabilities"), ("GET", "/agent/x")]
)
async def test_nothing_is_told_without_the_token(mounted, authorization, method, path):
    headers = {} if authorization is None else {"authorization": authorization.encode()}
    async with client(mounted, token=None) as http:
        response = await http.request(method, path, headers=headers)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert "needs its bearer token" in response.json()["detail"]


async def test_the_scheme_is_read_without_regard_to_case(mounted):
    async with client(mounted, token=None) as http:
        response = await http.get("/agent/capabilities", headers={"authorization": f"bearer  {TOKEN}"})
    assert response.status_code == 200


def test_an_empty_token_is_refused_when_the_agent_is_built():
    with pytest.raises(ValueError, match="would let everybody in"):
        build_agent("", now=Clock(), new_id=counting_ids())


@pytest.mark.parametrize(
    ("ask", "fields", "status", "words"),
    [
        (
            ("POST", "/agent"),
            {"content": b"{}", "headers": {"content-type": "text/plain"}},
            415,
            "says text/plain",
        ),
        (("POST", "/agent"), {"json": {}, "headers": {"accept": "image/png"}}, 406, "accepts image/png"),
        (("GET", "/agent"), {}, 405, "Ask for a run with POST"),
        (("POST", "/agent/capabilities"), {}, 405, "read with GET at /capabilities"),
        (("GET", "/agent/nothing"), {}, 404, "There is nothing here"),
        (("POST", "/agent/capabilities/"), {}, 404, "There is nothing here"),
    ],
)
async def test_refusals_are_sentences(mounted, ask, fields, status, words):
    async with client(mounted) as http:
        response = await http.request(*ask, **fields)
    assert response.status_code == status
    assert words in response.json()["detail"]


async def test_an_invalid_input_is_explained_field_by_field(mounted):
    async with client(mounted) as http:
        response = await http.post("/agent", json={"threadId": "t", "messages": 1})
    assert response.status_code == 422
    assert response.json() == {
        "detail": [
            {"type": "missing", "loc": ["body", "runId"], "msg": "Field required"},
            {"type": "list_type", "loc": ["body", "messages"], "msg": "Input should be a valid array"},
        ]
    }


async def test_a_client_that_leaves_while_asking_is_let_go():
    sent = []

    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    headers = [(b"authorization", b"Bearer " + TOKEN.encode()), (b"content-type", b"application/json")]
    await agent()({"type": "http", "method": "POST", "path": "/", "headers": headers}, receive, send)
    assert [message.get("status") for message in sent] == [400, None]


async def test_the_app_starts_and_stops_on_its_own():
    messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    sent = []

    async def receive():
        return next(messages)

    async def send(message):
        sent.append(message["type"])

    await agent()({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


@pytest.mark.parametrize(("version", "warned"), [("1.0", False), ("1.1", True), ("banana", True)])
async def test_a_version_nobody_knows_is_served_with_a_warning(mounted, caplog, version, warned):
    async with client(mounted) as http:
        response = await http.post("/agent", json=run_input("Echo: hi", protocolVersion=version))
    assert text_of(decode(response.content)) == "hi"
    assert (f"speaks version {version!r}" in caplog.text) is warned


async def test_fragments_of_a_moment_leave_together(mounted):
    async with client(mounted) as http:
        response = await http.post("/agent", json=run_input("Write a guide"))
    events = decode(response.content)
    assert text_of(events).startswith("# Packing a bicycle")
    assert len(events) < 50


DECISION = {"interruptId": "approval::c9", "status": "resolved", "payload": {"approved": True}}


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"threadId": "thread-1", "entry": DECISION}, 404, "Nobody waits for an answer to 'approval::c9'"),
        ({"threadId": "thread-1"}, 422, "Field required"),
        ({"threadId": "thread-1", "entry": DECISION, "more": 1}, 422, "Extra inputs"),
        (
            {"threadId": "thread-1", "entry": {**DECISION, "status": "maybe"}},
            422,
            "'resolved' or 'cancelled'",
        ),
    ],
)
async def test_a_decision_nobody_can_use_is_refused_in_words(mounted, body, status, words):
    async with client(mounted) as http:
        response = await http.post("/agent/permissions", json=body)
    assert response.status_code == status
    assert words in response.text


async def test_a_live_question_is_answered_beside_its_run():
    asked = asyncio.Event()

    async def play(turn):
        with turn.means.desk.question("thread-1", "approval::c9", judge=_read) as decided:
            asked.set()
            await turn.say(await decided)

    app = agent(permissions="live", mind=lambda _conversation: Work(play=play, model="test"))
    async with client(app) as http:
        running = asyncio.ensure_future(http.post("/", json=run_input("hi")))
        await asyncio.wait_for(asked.wait(), 5)
        for payload, status in (({}, 422), ({"approved": True}, 204)):
            body = {"threadId": "thread-1", "entry": {**DECISION, "payload": payload}}
            response = await http.post("/permissions", json=body)
            assert response.status_code == status, response.text
        events = decode((await asyncio.wait_for(running, 5)).content)
    assert text_of(events) == "approved"


def _read(entry):
    if not entry.payload:
        raise TurnFailed("Say yes or no.", code="INVALID_ANSWER")
    return "approved"


class Runner:
    def __init__(self):
        self.swaps = []

    def swap(self, swap):
        self.swaps.append(swap)


async def test_another_model_reaches_the_turn_that_is_under_way():
    board, runner = Switchboard(["big"]), Runner()
    with board.under_way("thread-1", runner):
        async with client(agent(switchboard=board)) as http:
            body = {"threadId": "thread-1", "model": "big", "policy": "restart_turn"}
            response = await http.post("/model", json=body)
    assert (response.status_code, response.content) == (204, b"")
    assert runner.swaps == [Swap(model="big", policy=SwapPolicy.RESTART_TURN)]


@pytest.mark.parametrize(
    ("model", "status", "words"),
    [("big", 404, "No turn of this thread is under way"), ("huge", 422, "on offer is big")],
)
async def test_another_model_that_nobody_can_take_is_refused_in_words(model, status, words):
    async with client(agent(switchboard=Switchboard(["big"]))) as http:
        response = await http.post("/model", json={"threadId": "thread-1", "model": model})
    assert response.status_code == status
    assert words in response.json()["detail"]
