"""A Parley that runs, asked for everything it answers to, by everybody, with what is theirs, another's and nobody's.

What may be done is what the policy grants for the action that the table of `tests/support/rights.py` names; nothing
else is done, shown or told apart.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
import pytest_asyncio

from chat_app.services.policy import Action, Ask, Person, Policy
from chat_app.services.problems import GONE, NotAlike, NotYours, Sent, SignedOut
from chat_app.services.rules import read_rules
from chat_app.web.guard import SENTENCES
from tests.support.askings import answer, arguments, asked
from tests.support.bare import closed_with, live, page
from tests.support.inventory import ANY, Inventory, inventory
from tests.support.rights import (
    FRAMEWORK,
    HANDLERS,
    OPEN,
    PROGRAMS,
    ROUTES,
    SOCKETS,
    TOPICS,
    Right,
)
from tests.support.site import Site, running_site
from tests.support.things import Things

pytest_plugins = ("tests.support.postgres",)
pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="module")]

ROLES = ("user", "approver", "auditor", "admin")
BY_OTHERS = {"decide": [{"by": "other", "roles": ["approver"]}]}
SECRET = "what only its owner and who may decide should read"
DONE, REFUSED, OUT = "done", "refused", "signed out"
REFUSALS = {one.title for one in (GONE, NotYours.problem, NotAlike.problem, Sent.problem)}
ROOT = "reflex___state____state"
CHAT = f"{ROOT}.chat_app___state___chat____chat"
GO = "_redirect"
HARMLESS = {"chat.dismiss_problem", "side.let_go"}
"""What asks nobody anything."""
SOCKET_PATHS = ("/_event/?EIO=4&transport=websocket&token=t", "/api/live")


@dataclass(frozen=True, slots=True)
class Known:
    """Whose things somebody names: their own, another's, or what is not there."""

    whose: str
    owner: Person | None
    things: Things


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["sqlite", "postgresql"])
async def site(request, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    settings = {}
    if request.param == "postgresql":
        cluster = request.getfixturevalue("postgres")
        settings["PARLEY_DATABASE_URL"] = cluster.url(cluster.new())
    async with running_site(tmp_path_factory.mktemp("site") / "data", **settings) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def found(tmp_path_factory: pytest.TempPathFactory) -> Inventory:
    folder = tmp_path_factory.mktemp("inventory") / "data"
    return await inventory(folder, PARLEY_SIGN_IN="password", PARLEY_AWKWARD_AGENT="true")


def each(site: Site, person: Person) -> list[Known]:
    """Return new things of the person, of somebody else, and the ids of nothing."""
    other = site.person("Zoe", "user")
    return [
        Known("own", person, site.things(person, words="my own")),
        Known("another's", other, site.things(other, words=SECRET)),
        Known("nobody's", None, Things()),
    ]


def may(person: Person, right: Right, known: Known, rules: object = None) -> bool:
    """Return what the policy says."""
    policy = Policy()
    if right.action is None:
        return True
    if right.about == "deleted":
        return False
    if right.about in ("question", "asked") and known.owner is not None:
        ask = Ask(owner=known.owner.id, rules=read_rules(rules))
        asked = right.about == "asked" and policy.may(person, right.action, owner=known.owner.id)
        return asked or policy.may_decide(person, ask)
    if right.about == "nothing":
        return any(policy.may(person, right.action, owner=owner) for owner in (person.id, ""))
    if right.about in ("agent", "entry", "hook", "delivery"):
        return policy.may(person, right.action, owner="" if known.owner is not None else None)
    return policy.may(person, right.action, owner=known.owner.id if known.owner is not None else None)


# ---------------------------------------------------------------- what there is


async def test_everything_that_answers_is_in_the_table(found: Inventory):
    assert {name for name, one in found.handlers.items() if one.public} == set(HANDLERS)
    assert {name for name, one in found.handlers.items() if not one.public} - setters(found) == FRAMEWORK
    assert found.routes == {*ROUTES, *OPEN, *SOCKETS, *PROGRAMS}
    assert found.topics == set(TOPICS)


def setters(found: Inventory) -> set[str]:
    return {name for name in found.handlers if name.endswith(".setvar")}


# ---------------------------------------------------------------- handlers


async def told(site: Site, found: Inventory, name: str, person: Person, things: Things) -> list[dict]:
    """Let a person's browser call a handler on the page of a thread; return what came back."""
    handler = found.handlers[name]
    async with page(site.url, site.cookies[person.id], f"/t/{things.thread}") as opened:
        return await opened.call(handler.event, arguments(handler.takes, things))


def outcome(updates: list[dict]) -> str:
    """Return what became of a call; what is neither done nor refused in words is an error of ours."""
    chat = [update["delta"][CHAT] for update in updates if CHAT in update.get("delta", {})]
    problems = {one["problem_rx_state_"]["title"] for one in chat if "problem_rx_state_" in one}
    alarms = [event for update in updates for event in update.get("events", ()) if event["name"] != GO]
    assert not alarms, alarms
    if SignedOut.problem.title in problems:
        return OUT
    return REFUSED if REFUSALS & problems else DONE


def shown(updates: list[dict]) -> list[dict]:
    """Return what a call put on the page; the address of that is the browser's own."""
    deltas = [update.get("delta", {}) for update in updates]
    return [{name: told for name, told in delta.items() if name != ROOT} for delta in deltas]


async def wrongs(site: Site, found: Inventory, name: str, person: Person, rules: object) -> list[str]:
    """Let a person call a handler with everything there is to name; return what went otherwise than it should."""
    right, wrong, refused = HANDLERS[name], [], []
    for known in each(site, person):
        before = site.rows_of(known.things.thread)
        updates = await told(site, found, name, person, known.things)
        allowed = may(person, right, known, rules)
        if outcome(updates) != (DONE if allowed else REFUSED):
            wrong.append(f"{name}, {known.whose}: {outcome(updates)}")
        if not allowed and known.whose != "own":
            refused.append(shown(updates))
        if known.whose == "another's" and (right.action is None or not allowed):
            changed = site.rows_of(known.things.thread) != before
            wrong += [f"{name}: {what}" for what in ["wrote"] * changed + ["told"] * (SECRET in str(updates))]
    told_apart = len(refused) == 2 and refused[0] != refused[1]
    return wrong + [f"{name}: another's and nobody's look different: {refused}"] * told_apart


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("rules", [None, BY_OTHERS], ids=["askers decide", "others decide"])
async def test_a_handler_does_what_the_policy_allows_and_nothing_else(site, found, role, rules):
    site.rule(rules)
    person = site.person("Who", role)
    asked = [name for name, right in HANDLERS.items() if rules is None or right.action is Action.DECIDE]
    wrong = [each for name in asked for each in await wrongs(site, found, name, person, rules)]
    assert not wrong, "\n".join(map(str, wrong))


async def test_a_session_that_is_over_does_nothing_through_a_socket_that_is_open(site, found):
    person = site.person("Who", "user", "approver", "auditor", "admin")
    for name in HANDLERS:
        handler, things = found.handlers[name], site.things(person, words="my own")
        async with page(site.url, site.cookies[person.id], f"/t/{things.thread}") as opened:
            async with site.client(person) as client:
                await client.post("/auth/sign-out")
            before = site.rows_of(things.thread)
            updates = await opened.call(handler.event, arguments(handler.takes, things))
            assert site.rows_of(things.thread) == before, name
            assert outcome(updates) == OUT or name in HARMLESS, name
        site.sign_in(person)


async def test_nobody_sets_a_var_and_reflex_is_asked_for_nothing_of_ours(site, found):
    person = site.person("Who", "user", "approver", "auditor", "admin")
    async with page(site.url, site.cookies[person.id]) as opened:
        for name in sorted(setters(found)):
            updates = await opened.call(
                found.handlers[name].event, {"var_name": "user_name", "value": "somebody"}
            )
            assert shown(updates) == [{}], name
        stored = {f"{CHAT}.user_name_rx_state_": "somebody", f"{CHAT}._draft": "x"}
        vars_of = found.handlers["update_vars_internal_state.update_vars_internal"].event
        assert "somebody" not in str(await opened.call(vars_of, {"vars": stored}))
        assert shown(await opened.call(f"{CHAT}._person", {})) == [{}]


# ---------------------------------------------------------------- routes


def got(response: httpx.Response) -> str:
    """Return what became of a request."""
    if response.content == SENTENCES[401] or response.headers.get("location", "").startswith("/sign-in?"):
        return OUT
    assert response.status_code < 500, response.text
    return REFUSED if response.status_code == 404 else DONE


@pytest.mark.parametrize("role", ROLES)
async def test_a_route_does_what_the_policy_allows_and_nothing_else(site, role):
    site.rule(None)
    person = site.person("Who", role)
    wrong = []
    async with site.client(person) as client:
        for (method, path), right in ROUTES.items():
            knowns = each(site, person)
            answers = [await asked(client, method, path, known.things) for known in knowns]
            allowed = [may(person, right, known) for known in knowns]
            wanted = [DONE if one else REFUSED for one in allowed]
            if [got(answer) for answer in answers] != wanted:
                wrong.append((method, path, [answer.status_code for answer in answers], wanted))
            if not allowed[1]:
                assert answers[1].content == answers[2].content, path
                assert answers[1].headers.keys() == answers[2].headers.keys(), path
                assert SECRET not in answers[1].text
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("accept", ["*/*", "text/html"])
async def test_nobody_is_shown_the_sign_in_and_nothing_else(site, accept):
    owner = site.person("Zoe", "user")
    things = site.things(owner, words=SECRET)
    before = site.rows_of(things.thread)
    async with site.client(None, accept=accept) as client:
        answers = [await asked(client, method, path, things) for method, path in ROUTES]
        open_to_all = [await asked(client, method, path, things) for method, path in OPEN - {(ANY, "/")}]
        document = await client.get(f"/t/{things.thread}", headers={"accept": "text/html"})
    assert [got(answer) for answer in [*answers, document]] == [OUT] * (len(ROUTES) + 1)
    told = " ".join(answer.text for answer in [*answers, *open_to_all, document])
    assert SECRET not in told
    assert owner.id not in told
    assert site.rows_of(things.thread) == before


# ---------------------------------------------------------------- topics


def heard(frame: dict) -> str:
    inbox = frame.get("inbox")
    gone = frame.get("gone") or (inbox is not None and inbox.get("gone"))
    return REFUSED if gone else DONE


@pytest.mark.parametrize("role", ROLES)
async def test_a_topic_tells_what_the_policy_allows_and_nothing_else(site, role):
    site.rule(None)
    person = site.person("Who", role)
    wrong = []
    for topic, right in TOPICS.items():
        for known in each(site, person):
            async with live(site.url, site.cookies[person.id]) as opened:
                frame = await answer(opened, topic, known.things)
            wanted = DONE if may(person, right, known) else REFUSED
            if heard(frame) != wanted:
                wrong.append((topic, known.whose, frame))
            assert SECRET not in str(opened.frames), topic
    assert not wrong, "\n".join(map(str, wrong))


async def test_a_question_of_somebody_else_lies_open_in_the_inbox_of_who_decides_it_alone(site):
    site.rule(BY_OTHERS)
    approver, user = site.person("Aiko", "approver"), site.person("Una", "user")
    things = site.things(site.person("Zoe", "user"), words=SECRET)
    seen = {}
    for person in (approver, user):
        async with live(site.url, site.cookies[person.id]) as opened:
            seen[person.name] = SECRET in str(await answer(opened, "inbox", things))
    assert seen == {"Aiko": True, "Una": False}


# ---------------------------------------------------------------- from elsewhere


EVIL = "http://evil.example"


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"host": "localhost:1", "origin": EVIL}])
async def test_another_host_is_refused_by_everything(site, headers):
    person = site.person("Who", "user", "approver", "auditor", "admin")
    things = site.things(person, words=SECRET)
    async with site.client(person, **headers) as client:
        for method, path in {*ROUTES, *OPEN, *PROGRAMS}:
            sent = "GET" if method == ANY else method
            refused = await asked(client, sent, path, things)
            assert (refused.status_code, refused.content) == (421, SENTENCES[421]), path
    for socket in SOCKET_PATHS:
        assert await closed_with(site.url, socket, cookie=site.cookies[person.id], **headers) == 403


@pytest.mark.parametrize("origin", [EVIL, "null", "https://localhost"])
async def test_another_origin_is_refused_by_all_that_changes_something_and_by_both_sockets(site, origin):
    person = site.person("Who", "user", "approver", "auditor", "admin")
    things = site.things(person, words=SECRET)
    before = site.rows_of(things.thread)
    async with site.client(person, origin=origin) as client:
        for method, path in {*ROUTES, *OPEN}:
            if method in ("GET", ANY):
                continue
            refused = await asked(client, method, path, things)
            assert (refused.status_code, refused.content) == (403, SENTENCES[403]), path
    for socket in SOCKET_PATHS:
        code = await closed_with(site.url, socket, cookie=site.cookies[person.id], origin=origin)
        assert code == 403
    assert site.rows_of(things.thread) == before


async def test_programs_are_asked_for_their_token_and_a_session_is_none(site):
    person = site.person("Who", "user", "approver", "auditor", "admin")
    async with site.client(person) as client:
        for method, path in PROGRAMS:
            answer = await asked(client, "POST" if method == ANY else method, path, Things())
            # a mount leads to its own root; the awkward agents have names, and exist for tests alone
            assert answer.status_code in (401, 307, 404), path
