import httpx
import pytest
from structlog.contextvars import get_contextvars
from structlog.testing import capture_logs

from chat_app.data.errors import DatabaseBusy
from chat_app.services.accounts import Ways
from chat_app.services.policy import Person
from chat_app.services.problems import ProviderFailed
from chat_app.services.proxy import Proxies
from chat_app.services.sign_ins import SignIn, Visitor
from chat_app.web.entrance import Entrance
from chat_app.web.guard import Guard, person_of, sign_in_of

HOST = "localhost:3000"
ORIGIN = f"http://{HOST}"
ADA = Person("ada", "Ada")
SIGN_IN = SignIn("s1", ADA, "password", "ada")


class Accounts:
    """Knows one session, and signs in whoever asks for a page."""

    def __init__(self) -> None:
        self.ways = Ways()
        self.local = 0
        self.away = False
        self.asked: list[str] = []

    async def signed_in(self, cookie_header: str) -> SignIn | None:
        self.asked.append(cookie_header)
        if self.away:
            raise DatabaseBusy("away")
        return SIGN_IN if "session=ada" in cookie_header else None

    async def sign_in_local(self, _visitor: Visitor) -> bytes:
        self.local += 1
        return b"session=new; HttpOnly"


class Inner:
    """What is guarded: remembers who came through, and answers."""

    def __init__(self) -> None:
        self.seen: list[dict] = []

    async def __call__(self, scope, _receive, send) -> None:
        self.seen.append(scope)
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"x-inner", b"1")]})
            await send({"type": "http.response.body", "body": b"inner"})
        elif scope["type"] == "websocket":
            await send({"type": "websocket.accept"})


ORIGINS = {HOST: ORIGIN, "chat.example": "https://chat.example"}


def entrance_of(accounts: Accounts) -> Entrance:
    return Entrance(accounts, None, Proxies())


@pytest.fixture
def accounts():
    return Accounts()


@pytest.fixture
def inner():
    return Inner()


@pytest.fixture
def guard(inner, accounts):
    return Guard(inner, entrance=entrance_of(accounts), origins=ORIGINS)


@pytest.fixture
async def client(guard):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url=ORIGIN) as client:
        yield client


async def connect(
    guard: Guard, path: str, *headers: tuple[bytes, bytes], host: bytes = HOST.encode()
) -> dict:
    """Open a WebSocket and return the first thing that is answered."""
    sent: list[dict] = []

    async def receive() -> dict:
        return {"type": "websocket.connect"}

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": path, "headers": [(b"host", host), *headers]}
    await guard(scope, receive, send)
    return sent[0]


OURS = (b"origin", ORIGIN.encode())
SESSION = (b"cookie", b"session=ada")


# ---------------------------------------------------------------- host


@pytest.mark.parametrize("host", ["evil.example", "localhost", "localhost:3001", "127.0.0.1:3000", ""])
async def test_another_host_is_refused_whatever_is_asked(client, inner, host):
    for path in ("/", "/agent", "/healthz", "/api/live"):
        answer = await client.get(path, headers={"host": host, "origin": f"http://{host}"})
        assert answer.status_code == 421
        assert b"PARLEY_PUBLIC_URL" in answer.content
    assert inner.seen == []


async def test_a_host_is_compared_without_its_case(client):
    assert (await client.get("/", headers={"host": "LocalHost:3000"})).status_code == 200
    assert (await client.get("/", headers={"host": "Chat.Example"})).status_code == 200


async def test_a_request_without_a_host_is_refused(guard, inner):
    sent = []

    async def send(message):
        sent.append(message)

    await guard({"type": "http", "method": "GET", "path": "/", "headers": []}, None, send)
    assert sent[0]["status"] == 421
    assert inner.seen == []


async def test_a_socket_of_another_host_is_refused(guard, inner):
    answer = await connect(guard, "/api/live", SESSION, host=b"evil.example")
    assert answer == {"type": "websocket.close", "code": 4421}
    assert inner.seen == []


# ---------------------------------------------------------------- origin


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:3001"])
async def test_an_unsafe_method_from_another_site_is_refused(client, inner, method, origin):
    answer = await client.request(method, "/_upload", headers={"origin": origin, "cookie": "session=ada"})
    assert answer.status_code == 403
    assert inner.seen == []


async def test_an_unsafe_method_of_our_own_page_passes(client):
    answer = await client.post("/_upload", headers={"origin": ORIGIN, "cookie": "session=ada"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("site", "status"), [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)]
)
async def test_without_an_origin_the_browsers_word_on_the_site_counts(client, site, status):
    answer = await client.post("/_upload", headers={"sec-fetch-site": site, "cookie": "session=ada"})
    assert answer.status_code == status


async def test_a_link_from_another_site_may_open_the_page(client):
    answer = await client.get("/", headers={"origin": "http://evil.example", "accept": "text/html"})
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/api/live", "/_event/"])
async def test_a_socket_from_another_site_is_refused(guard, inner, path):
    answer = await connect(guard, path, SESSION, (b"origin", b"http://evil.example"))
    assert answer == {"type": "websocket.close", "code": 4403}
    assert inner.seen == []


# ---------------------------------------------------------------- session


@pytest.mark.parametrize("path", ["/_event/", "/_upload", "/api/live", "/api/anything"])
async def test_what_needs_a_session_is_refused_without_one(client, guard, inner, accounts, path):
    answer = await client.get(path, headers={"accept": "text/html"})
    assert (answer.status_code, answer.text) == (401, "Sign in first.")
    if path != "/api/live":
        assert await connect(guard, path, OURS) == {"type": "websocket.close", "code": 4401}
    assert inner.seen == []
    assert accounts.local == 0


async def test_a_socket_with_a_session_passes_with_its_person(guard, inner):
    assert (await connect(guard, "/api/live", OURS, SESSION))["type"] == "websocket.accept"
    assert person_of(inner.seen[0]) == ADA


async def test_cookies_in_headers_of_their_own_are_read_together(guard, accounts):
    crumbs = [(b"cookie", b"a=1"), (b"cookie", b"session=ada"), (b"cookie", b"b=2")]
    assert (await connect(guard, "/api/live", OURS, *crumbs))["type"] == "websocket.accept"
    assert accounts.asked == ["a=1; session=ada; b=2"]


async def test_a_page_signs_its_browser_in(client, inner):
    answer = await client.get("/", headers={"accept": "text/html,*/*"})
    assert answer.headers["set-cookie"] == "session=new; HttpOnly"
    assert answer.headers["x-inner"] == "1"
    assert person_of(inner.seen[0]) is None


async def test_a_signed_in_browser_gets_no_second_cookie(client, accounts):
    answer = await client.get("/", headers={"accept": "text/html", "cookie": "session=ada"})
    assert "set-cookie" not in answer.headers
    assert accounts.local == 0


async def test_scripts_and_pictures_ask_for_no_session(client, accounts):
    assert (await client.get("/assets/app.css", headers={"accept": "text/css"})).status_code == 200
    assert (accounts.asked, accounts.local) == ([], 0)


async def test_an_absent_database_is_said_and_a_socket_tries_again(client, guard, accounts, inner):
    accounts.away = True
    page = await client.get("/", headers={"accept": "text/html"})
    assert page.status_code == 503
    assert b"database" in page.content
    assert await connect(guard, "/api/live", OURS, SESSION) == {"type": "websocket.close", "code": 4503}
    assert inner.seen == []


def test_a_connection_nobody_judged_is_nobodys():
    assert person_of({}) is None
    assert person_of({"state": {}}) is None
    assert person_of({"state": {"sign_in": "ada"}}) is None


# ---------------------------------------------------------------- the agent


@pytest.mark.parametrize("path", ["/agent", "/agent/", "/agent/capabilities", "/awkward/x"])
async def test_the_agent_judges_its_callers_itself(client, accounts, path):
    answer = await client.post(path, headers={"origin": "http://elsewhere.example", "accept": "text/html"})
    assert answer.status_code == 200
    assert (accounts.asked, "set-cookie" in answer.headers) == ([], False)


@pytest.mark.parametrize("path", ["/agents", "/agent-x", "/AGENT", "//agent"])
async def test_only_the_agents_own_paths_are_open(client, path):
    answer = await client.request("POST", f"{ORIGIN}{path}", headers={"origin": "http://elsewhere.example"})
    assert answer.status_code == 403


# ---------------------------------------------------------------- answers


async def test_every_answer_that_passes_carries_the_security_headers(client):
    for path in ("/", "/agent", "/healthz"):
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "'unsafe-eval'" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


async def test_a_server_that_starts_is_not_judged(guard, inner):
    await guard({"type": "lifespan"}, None, None)
    assert inner.seen == [{"type": "lifespan"}]


async def test_what_is_logged_on_the_way_names_the_request_and_the_person(accounts):
    bound: list[dict] = []

    async def inner(_scope, _receive, send) -> None:
        bound.append(get_contextvars())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard = Guard(inner, entrance=entrance_of(accounts), origins=ORIGINS)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url=ORIGIN) as client:
        for name in ("from-the-proxy", "two\tparts", ""):
            await client.get("/api/x", headers={"x-request-id": name, "cookie": "session=ada"})
    assert [one["user"] for one in bound] == ["ada"] * 3
    ids = [one["request"] for one in bound]
    assert ids[0] == "from-the-proxy"
    assert [len(one) for one in ids[1:]] == [32, 32]
    assert get_contextvars() == {}


# ---------------------------------------------------------------- with accounts


async def test_a_page_without_a_session_leads_to_the_sign_in(client, accounts, inner):
    accounts.ways = Ways(password=True)
    for path in ("/", "/t/abc?x=1"):
        answer = await client.get(path, headers={"accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (
            303,
            f"/sign-in?back={path.partition('?')[0]}",
        )
    assert (inner.seen, accounts.local) == ([], 0)


@pytest.mark.parametrize("path", ["/sign-in", "/join/abc", "/auth/sign-in", "/account"])
async def test_doors_are_open_and_know_who_is_in(client, accounts, inner, path):
    accounts.ways = Ways(password=True)
    await client.get(path, headers={"accept": "text/html"})
    await client.get(path, headers={"cookie": "session=ada"})
    assert [sign_in_of(scope) for scope in inner.seen] == [None, SIGN_IN]


async def test_the_live_channel_tells_a_browser_that_it_is_out(guard, accounts, inner):
    accounts.ways = Ways(password=True)
    sent = []

    async def receive() -> dict:
        return {"type": "websocket.connect"}

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/api/live", "headers": [(b"host", HOST.encode()), OURS]}
    await guard(scope, receive, send)
    assert sent == [{"type": "websocket.accept"}, {"type": "websocket.close", "code": 4401}]
    assert inner.seen == []


@pytest.mark.parametrize(
    "origin", ["http://chat.example", "https://chat.example:444", "https://evil.example", "null"]
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_another_scheme_is_another_origin(guard, inner, origin, method):
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(guard), base_url="http://chat.example"
    ) as client:
        answer = await client.request(method, "/auth/sign-out", headers={"origin": origin})
        assert answer.status_code == 403
        ours = await client.request(method, "/auth/sign-out", headers={"origin": "https://Chat.example"})
        assert ours.status_code == 200
    assert len(inner.seen) == 1


async def test_a_link_that_works_once_is_in_no_log(client):
    with capture_logs() as logs:
        await client.get("/join/a-secret", headers={"host": "evil.example"})
    assert "a-secret" not in str(logs)


async def test_whom_a_proxy_vouches_for_and_nobody_may_let_in_is_refused(inner):
    class Closed:
        async def look(self, *_: object, **__: object):
            raise ProviderFailed("kept out")

    guard = Guard(inner, entrance=Closed(), origins=ORIGINS)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url=ORIGIN) as client:
        assert (await client.get("/", headers={"accept": "text/html"})).status_code == 403
