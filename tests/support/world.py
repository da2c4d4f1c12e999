"""The services of a process over a real SQLite file, with an agent that a test plays and a clock it turns.

Use it by `pytest_plugins = ("tests.support.databases",)` and the fixture `sqlite`.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from ag_ui.core import RunAgentInput
from pwdlib.hashers.argon2 import Argon2Hasher
from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import TOLERANT, ConnectFailed
from chat_app.data import agents, exchanges, interrupts, messages, runs, threads, users
from chat_app.data.db import Database
from chat_app.data.errors import DatabaseBusy
from chat_app.data.records import AgentRecord, ThreadRecord, UserRecord
from chat_app.data.tables import Agent, table_of
from chat_app.services.accounts import Accounts, CookieShape, Ways
from chat_app.services.agent_book import AgentBook
from chat_app.services.agents import Agents, Endpoint, Peer
from chat_app.services.approvals import Approvals
from chat_app.services.attachments import Attachments
from chat_app.services.auditing import Auditing
from chat_app.services.branching import Branching
from chat_app.services.bus import EVERYTHING, Bus, LocalBus, Wake
from chat_app.services.chat import Chat
from chat_app.services.choosing import Choosing
from chat_app.services.departures import Departures
from chat_app.services.exchange import Makers
from chat_app.services.exports import Exports
from chat_app.services.feedback import Feedback
from chat_app.services.forming import Forms
from chat_app.services.health import Health
from chat_app.services.holder import Services
from chat_app.services.hub import LiveHub
from chat_app.services.inbox import Inbox
from chat_app.services.journal import Journal
from chat_app.services.keeping import Keeping
from chat_app.services.keyring import Keyring
from chat_app.services.ledger import SqlLedger
from chat_app.services.notices import Plan, open_office
from chat_app.services.oidc import Oidc, Provider
from chat_app.services.openings import Limits, Opener
from chat_app.services.oversight import Oversight
from chat_app.services.panels import PanelSpec
from chat_app.services.passwords import Passwords
from chat_app.services.people import People
from chat_app.services.policy import Person, Policy
from chat_app.services.provided import Provided
from chat_app.services.queue import Lines, Queue
from chat_app.services.rates import Rates
from chat_app.services.relay import Relay
from chat_app.services.removal import Removal
from chat_app.services.rendering import Rendering
from chat_app.services.retention import Retention, Terms
from chat_app.services.rows import Suggestion, View
from chat_app.services.run_details import RunDetails
from chat_app.services.search import Search
from chat_app.services.shared_state import SharedState
from chat_app.services.shelf import Shelf
from chat_app.services.sign_ins import Visitor
from chat_app.services.supervisor import Supervisor
from chat_app.services.tail import Seen, Tail, look
from chat_app.services.threads import Threads
from chat_app.services.timelines import Timelines
from chat_app.services.times import Times
from chat_app.services.usage import Usage
from chat_app.services.vault import Vault
from chat_app.services.versions import recall
from chat_app.services.viewing import Viewing
from chat_app.services.views import read_view
from tests.fakes import WAIT, FakeClock, counting_ids, until

ENDPOINT = Endpoint(
    name="Parley",
    url="http://agent.example/agent",
    profile="tolerant",
    accepts=("image", "pdf", "file"),
    suggestions=(Suggestion("Say hello", "Hello!"),),
    headers={"Authorization": "Bearer secret"},
    connect_timeout=30.0,
    idle_limit=None,
    frame_cap=2**20,
)
PROVIDER = Provider(
    issuer="http://id.example", client_id="parley", back="http://localhost:3000/auth/provider/back"
)
CHEAP = Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)
"""As argon2 in all but what it costs."""
NO_FILES = Path("/dev/null/files")
"""Where no file can be kept: a world whose files matter gets a folder of its test."""
COOKIE = CookieShape(name="parley_session", days=30, secure=False)


class Gate(asyncio.Event):
    """A place in a script where the agent waits until the test opens it."""


class PlayedAgent:
    """Answers each run with the next script: frames, exceptions to raise, gates to wait at."""

    def __init__(self, *scripts: Callable[[RunAgentInput], Iterable[object]]) -> None:
        self.scripts = list(scripts)
        self.requests: list[RunAgentInput] = []
        self.left = 0
        self.waiting = 0

    async def run(self, run_input: RunAgentInput, /) -> AsyncIterator[dict]:
        self.requests.append(run_input)
        script = self.scripts.pop(0)
        try:
            for item in script(run_input):
                if isinstance(item, Exception):
                    raise item
                if isinstance(item, Gate):
                    self.waiting += 1
                    await item.wait()
                else:
                    yield item
        except (asyncio.CancelledError, GeneratorExit):
            self.left += 1
            raise


def started(run: RunAgentInput) -> dict:
    return {"type": "RUN_STARTED", "threadId": run.thread_id, "runId": run.run_id}


def finished(run: RunAgentInput, **more: object) -> dict:
    return {"type": "RUN_FINISHED", "threadId": run.thread_id, "runId": run.run_id, **more}


def asking(run: RunAgentInput, *questions: dict) -> dict:
    return finished(run, outcome={"type": "interrupt", "interrupts": list(questions)})


def opened(key: str) -> dict:
    return {"type": "TEXT_MESSAGE_START", "messageId": key, "role": "assistant"}


def said(key: str, delta: str) -> dict:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": key, "delta": delta}


def closed(key: str) -> dict:
    return {"type": "TEXT_MESSAGE_END", "messageId": key}


def text(key: str, *deltas: str) -> list[dict]:
    return [opened(key), *(said(key, delta) for delta in deltas), closed(key)]


def called(key: str, arguments: str = "{}", name: str = "send_mail") -> list[dict]:
    return [
        {"type": "TOOL_CALL_START", "toolCallId": key, "toolCallName": name},
        {"type": "TOOL_CALL_ARGS", "toolCallId": key, "delta": arguments},
        {"type": "TOOL_CALL_END", "toolCallId": key},
    ]


def answer(*words: str) -> Callable[[RunAgentInput], list[object]]:
    """Script a run that says one message."""
    return lambda run: [started(run), *text(f"a-{run.run_id}", *words), finished(run)]


def question(key: str = "q1", call: str | None = "c1", **more: object) -> dict:
    about = {"toolCallId": call} if call else {}
    return {"id": key, "reason": "tool_call", "message": "May I?", **about, **more}


def ask(*questions: dict, arguments: str = '{"to":"a@b.c"}') -> Callable[[RunAgentInput], list[object]]:
    """Script a run that calls tools and asks before it goes on."""
    asked = questions or (question(),)
    calls = [event for one in asked if "toolCallId" in one for event in called(one["toolCallId"], arguments)]
    return lambda run: [started(run), *calls, asking(run, *asked)]


def unreachable(_run: RunAgentInput) -> list[object]:
    """Script a run that never reaches its agent."""
    return [ConnectFailed("Nobody answers.")]


class Fragile:
    """A database that can be taken away: while it is, every write is refused as busy."""

    def __init__(self, write: Callable[[list], list[str]]) -> None:
        self._write = write
        self.away = False
        self.refused = 0

    def __call__(self, batches: list) -> list[str]:
        if self.away:
            self.refused += 1
            raise DatabaseBusy("The database is away.")
        return self._write(batches)


@dataclass
class World:
    """One process of Parley, its person Ada, and everything a test looks at."""

    database: Database
    agent: PlayedAgent = field(default_factory=PlayedAgent)
    clock: FakeClock = field(default_factory=lambda: FakeClock(step=timedelta(milliseconds=1)))
    new_id: Callable[[], str] = field(default_factory=counting_ids)
    worker: str = "worker-1"
    tick: float = 60.0
    grace: float = 0.05
    bus: Bus = field(default_factory=LocalBus)
    tools: tuple = ()
    limits: Limits = field(default_factory=Limits)
    panels: tuple[PanelSpec, ...] = ()
    ways: Ways = field(default_factory=Ways)
    rates: Rates = field(default_factory=Rates)
    opens: bool = True
    files: Path = NO_FILES
    private: bool = False
    plan: Plan = field(default_factory=lambda: Plan(url="http://localhost:3000", tick=60.0))
    role_map: dict = field(default_factory=lambda: {"*": "user"})

    def __post_init__(self) -> None:
        policy = Policy()
        makers = Makers(self.clock, self.new_id)
        self.opener = Opener(
            worker=self.worker, now=self.clock, new_id=self.new_id, limits=self.limits, rates=self.rates
        )
        self.lines = Lines(self.database, policy, self.opener)
        keyring = Keyring("a key of the tests")
        office = open_office(
            self.database, policy, keyring, self.plan, worker=self.worker, now=self.clock, new_id=self.new_id
        )
        self.post, self.notices, self.tell = office.post, office.book, office.teller.tell
        self.mailboxes = office.mailboxes
        self.times = Times(self.database, self.opener, tell=self.tell)
        self.vault = Vault(self.files)
        self.agents = Agents(
            self.database,
            ENDPOINT,
            now=self.clock,
            new_id=self.new_id,
            keyring=keyring,
            private=self.private,
        )
        self.hub = LiveHub(
            self._look,
            window=0.0,
            window_max=0.0,
            new_epoch=self.new_id,
            panels=self.panels,
            recall=self._recall,
        )
        self.viewing = Viewing(self.database, policy, now=self.clock, allowed=self.opens)
        self.threads = Threads(
            self.database,
            policy,
            self.hub,
            viewing=self.viewing,
            bus=self.bus,
        )
        self.ledger = SqlLedger(self.database, self.worker, self.clock, self._peer, self.tell)
        self.writes = Fragile(self.ledger.write)
        self.journal = Journal(self.writes, interval=0.01, most=64, retry=0.01, told=self._told)
        self.supervisor = Supervisor(
            self.ledger,
            self.hub,
            self.journal,
            makers,
            changed=self.threads.changed,
            due=lambda thread: (*self.lines.due(thread), *self.times.due(thread)),
            look_after=self.times.look_after,
            tick=self.tick,
            grace=self.grace,
        )
        self.chat = Chat(self.database, self.opener, self.agents, self.threads, self.supervisor)
        self.choosing = Choosing(self.database, policy, self.agents, self.viewing)
        self.approvals = Approvals(
            self.database, policy, self.opener, self.threads, self.supervisor, tell=self.tell
        )
        self.queue = Queue(self.database, self.opener, self.lines, self.threads, self.supervisor)
        self.removal = Removal(self.database, policy, self.opener, self.threads, self.supervisor)
        self.branching = Branching(self.database, self.opener, self.threads, self.supervisor)
        self.feedback = Feedback(self.database, self.threads, now=self.clock, new_id=self.new_id)
        terms = Terms(None, timedelta(days=30))
        self.attachments = Attachments(
            self.database,
            policy,
            self.vault,
            viewing=self.viewing,
            limit=1_000,
            now=self.clock,
            new_id=self.new_id,
        )
        self.retention = Retention(self.database, terms, now=self.clock)
        self.accounts = Accounts(
            self.database,
            COOKIE,
            now=self.clock,
            new_id=self.new_id,
            ways=self.ways,
            rates=self.rates,
            hashes=Passwords(CHEAP),
        )
        sign_ins, clock = self.accounts.sign_ins, self.clock
        self.provided = Provided(self.database, sign_ins, self.role_map, now=clock, new_id=self.new_id)
        self.oidc = Oidc(self.database, self.provided, PROVIDER, now=clock)
        watch = self.accounts.watch
        self.people = People(self.database, policy, now=self.clock, new_id=self.new_id, watch=watch)
        elapsed = lambda: 0.0  # noqa: E731 - a clock that stands
        self.agent_book = AgentBook(
            self.database,
            policy,
            self.agents,
            keyring,
            now=self.clock,
            new_id=self.new_id,
            elapsed=elapsed,
            tell=lambda: self.services.relay.hear(frozenset({EVERYTHING})),
        )
        self.auditing = Auditing(self.database, policy, now=self.clock)
        self.timelines = Timelines(self.database, policy, self.viewing)
        self.search = Search(self.database)
        self.oversight = Oversight(
            self.database, policy, self.viewing, self.threads, search=self.search, now=self.clock
        )
        self.shared = SharedState(self.database, policy, self.threads, panels=self.panels, now=self.clock)
        self.shelf = Shelf(self.database, self.threads)
        self.inbox = Inbox(
            self.database,
            policy,
            self.hub,
            threads=self.threads,
            approvals=self.approvals,
            now=self.clock,
            tell=self.tell,
        )
        self.services = Services(
            accounts=self.accounts,
            agents=self.agents,
            agent_book=self.agent_book,
            approvals=self.approvals,
            attachments=self.attachments,
            branching=self.branching,
            chat=self.chat,
            choosing=self.choosing,
            bus=self.bus,
            forms=Forms(self.database, policy),
            departures=Departures(self.database, policy, now=self.clock, watch=watch),
            exports=Exports(self.database, policy, self.viewing, now=self.clock),
            feedback=self.feedback,
            health=Health(self.database, self.agents.reached),
            mailboxes=self.mailboxes,
            notices=self.notices,
            oidc=self.oidc,
            inbox=self.inbox,
            auditing=self.auditing,
            oversight=self.oversight,
            usage=Usage(self.database, policy, now=self.clock),
            timelines=self.timelines,
            people=self.people,
            provided=self.provided,
            post=self.post,
            queue=self.queue,
            relay=Relay(self.hub, self.threads, self.supervisor, retry=0.01),
            removal=self.removal,
            rendering=Rendering(),
            keeping=self.keeping_of(self.retention),
            retention=self.retention,
            search=self.search,
            run_details=RunDetails(self.database, policy),
            shared=self.shared,
            shelf=self.shelf,
            supervisor=self.supervisor,
            threads=self.threads,
            viewing=self.viewing,
        )
        self.ada, self.bob = self.person("ada", "Ada"), self.person("bob", "Bob")

    # ------------------------------------------------------------ people and threads

    def person(self, name: str, display_name: str, *roles: str) -> Person:
        roles = roles or ("user",)
        user = UserRecord(
            id=self.new_id(), name=name, display_name=display_name, roles=roles, created=self.clock()
        )
        with self.database.transaction() as session:
            user = users.ensure(session, user)
        return Person(user.id, display_name, user.roles)

    def user(self, person: Person) -> UserRecord:
        with self.database.reading() as session:
            found = users.get(session, person.id)
        assert found is not None
        return found

    def nameless(self) -> str:
        """Store a person who was erased, and return the id that is left of them."""
        gone = self.person(self.new_id(), "Gone")
        with self.database.transaction() as session:
            users.make_nameless(session, gone.id)
        return gone.id

    def agent_called(self, name: str, **fields: object) -> AgentRecord:
        """Store an agent that an admin added."""
        now = self.clock()
        values = {"url": f"http://{name.lower()}.example/agent", "created": now, "updated": now, **fields}
        record = AgentRecord(id=self.new_id(), name=name, **values)
        with self.database.transaction() as session:
            assert agents.create(session, record)
        return record

    def change_agent(self, agent_id: str, **values: object) -> None:
        """Change an agent, as an admin does."""
        with self.database.transaction() as session:
            assert agents.change(session, agent_id, **values)

    def rule(self, policy: JsonValue) -> None:
        """Give the agent a policy."""
        with self.database.transaction() as session:
            self._agent(session)
            session.execute(table_of(Agent).update().values(policy=policy))

    async def cookie_of(self, person: Person) -> str:
        """Sign a person in, and return the header that says so."""
        return await cookie_of(self.accounts, person)

    def thread(self, owner: Person | None = None, **fields: object) -> ThreadRecord:
        """Store a thread that nobody has written in yet."""
        now = self.clock()
        thread_id = self.new_id()
        with self.database.transaction() as session:
            record = ThreadRecord(
                **{
                    "id": thread_id,
                    "owner": (owner or self.ada).id,
                    "agent": self._agent(session).id,
                    "wire_id": thread_id,
                    "title": "A thread",
                    "created": now,
                    "updated": now,
                    **fields,
                }
            )
            threads.create(session, record)
        return record

    def keeping_of(self, retention: Retention) -> Keeping:
        """Return what looks after how long chats are kept by such terms."""
        return Keeping(self.database, Policy(), retention, now=self.clock)

    def _agent(self, session: Session) -> AgentRecord:
        now = self.clock()
        wanted = AgentRecord(
            id=self.new_id(),
            name=ENDPOINT.name,
            url=ENDPOINT.url,
            profile=ENDPOINT.profile,
            builtin=True,
            created=now,
            updated=now,
        )
        return agents.ensure_builtin(session, wanted)

    def _look(self, thread_id: str, tail: Tail | None, whole: bool) -> Seen:
        with self.database.reading() as session:
            return look(session, thread_id, tail, worker=self.worker, whole=whole)

    def _recall(self, thread_id: str):
        with self.database.reading() as session:
            return recall(session, thread_id)

    def _peer(self, _agent: AgentRecord) -> Peer:
        return Peer(self.agent, TOLERANT, self.tools)

    def _told(self, thread_ids: frozenset[str]) -> None:
        self.bus.post(frozenset(map(Wake, thread_ids)))

    def take_away(self, thread_id: str, worker: str = "worker-2") -> None:
        """Let another worker take over the live exchange of a thread, at whatever moment its lease is renewed."""
        with self.database.transaction() as session:
            # locked before it is looked at: a renewal in between would leave it where it is
            exchanges.held(session, [exchanges.live_of(session, thread_id).id], worker_id=self.worker)
            seen = exchanges.live_of(session, thread_id)
            later = self.clock() + timedelta(hours=1)
            assert exchanges.take_over(session, seen, worker_id=worker, lease_until=later)

    # ------------------------------------------------------------ looking

    def view(self, thread_id: str) -> View:
        with self.database.reading() as session:
            return read_view(session, thread_id)

    def get_thread(self, thread_id: str) -> ThreadRecord:
        with self.database.reading() as session:
            found = threads.get(session, thread_id)
        assert found is not None
        return found

    def runs(self, thread_id: str):
        with self.database.reading() as session:
            return runs.of_thread(session, thread_id)

    def messages(self, thread_id: str):
        with self.database.reading() as session:
            return messages.of_thread(session, thread_id)

    def questions(self, thread_id: str):
        with self.database.reading() as session:
            return interrupts.placed(session, thread_id, first=0)

    def live(self, thread_id: str):
        with self.database.reading() as session:
            return exchanges.live_of(session, thread_id)

    async def idle(self, seconds: float = WAIT) -> None:
        """Wait until no exchange is live in this process."""
        await until(lambda: not self.supervisor._lives, seconds)

    async def said(self, words: str, *scripts: Callable, thread: str | None = None) -> str:
        """Let Ada say something, the agent answer by the scripts, and everything end; return the thread."""
        self.agent.scripts.extend(scripts)
        thread_id = await self.chat.send(self.ada, thread, words)
        await self.idle()
        return thread_id

    async def said_from(self, draft: str, words: str, *scripts: Callable) -> str:
        """Let Ada say something in a chat that she may have begun before; return the thread."""
        self.agent.scripts.extend(scripts)
        thread_id = await self.chat.send(self.ada, None, words, draft=draft)
        await self.idle()
        return thread_id

    @asynccontextmanager
    async def running(self) -> AsyncIterator["World"]:
        """Start the services, and stop them however the test ends."""
        await self.services.start()
        try:
            yield self
        finally:
            self.writes.away = False
            with suppress(IndexError):
                await self.services.stop()


def texts(view: View) -> list[str]:
    return [part.text for row in view.rows for part in row.parts]


def frame_of(text_frame: str) -> dict:
    return json.loads(text_frame)


async def cookie_of(accounts: Accounts, person: Person) -> str:
    """Sign a person in, whatever the ways are, and return the header that says so."""

    def begun() -> bytes:
        with accounts._database.transaction() as session:
            user = users.get(session, person.id)
            assert user is not None
            return accounts.sign_ins.begin(session, user, way="password", visitor=Visitor())

    return (await asyncio.to_thread(begun)).decode().partition(";")[0]
