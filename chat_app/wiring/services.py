"""Builds the services: the one place that knows which part gets which."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue
from sqlalchemy import Table

from chat_app.agent.store import METADATA
from chat_app.data.db import Database
from chat_app.data.ids import new_id
from chat_app.data.tables import Base
from chat_app.services.accounts import Accounts
from chat_app.services.agent_book import AgentBook
from chat_app.services.agents import Agents
from chat_app.services.approvals import Approvals
from chat_app.services.attachments import Attachments
from chat_app.services.auditing import Auditing
from chat_app.services.branching import Branching
from chat_app.services.bus import EVERYTHING, Bus, PollingBus, PostgresBus, Wake
from chat_app.services.carrying import Carrier
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
from chat_app.services.notices import NoticeOffice, Write, bare, open_office
from chat_app.services.oidc import Oidc
from chat_app.services.openings import Limits, Opener
from chat_app.services.oversight import Oversight
from chat_app.services.panels import PanelSpec
from chat_app.services.people import People
from chat_app.services.policy import Policy
from chat_app.services.provided import Provided
from chat_app.services.queue import Lines, Queue
from chat_app.services.relay import Relay
from chat_app.services.removal import Removal
from chat_app.services.rendering import Rendering
from chat_app.services.retention import Retention
from chat_app.services.run_details import RunDetails
from chat_app.services.search import Search
from chat_app.services.shared_state import SharedState
from chat_app.services.shelf import Shelf
from chat_app.services.supervisor import Supervisor
from chat_app.services.tail import Seen, Tail, look
from chat_app.services.threads import Threads
from chat_app.services.timelines import Timelines
from chat_app.services.times import Times
from chat_app.services.usage import Usage
from chat_app.services.vault import Vault
from chat_app.services.versions import recall
from chat_app.services.viewing import Viewing
from chat_app.settings import Settings
from chat_app.wiring.plans import cookie, endpoint, endpoints, notices, now, provider, rates_of, terms, ways


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What most services stand on."""

    worker: str
    database: Database
    policy: Policy
    opener: Opener
    keyring: Keyring
    vault: Vault
    accounts: Accounts
    agents: Agents
    bus: Bus
    hub: LiveHub
    viewing: Viewing
    threads: Threads
    office: NoticeOffice
    search: Search


def build(settings: Settings, panels: Sequence[PanelSpec] = (), *, write: Write = bare) -> Services:
    """Build every service of the process, state shown in `panels`, mail worded by `write`.

    Nothing is contacted before it is started.
    """
    return _upon(_ground(settings, panels, write), settings, panels)


def _ground(settings: Settings, panels: Sequence[PanelSpec], write: Write) -> Ground:
    database, policy, worker = Database(settings.database_url.get_secret_value()), Policy(), new_id()
    limits = Limits(per_user=settings.runs_per_user, per_process=settings.runs_per_process)
    rates = rates_of(settings)
    keyring, vault = Keyring(settings.secret_key.get_secret_value()), Vault(settings.data_dir / "files")
    bus = bus_of(database, worker)
    hub = _hub(database, settings, worker, panels)
    viewing = Viewing(database, policy, now=now, allowed=settings.open_threads)
    return Ground(
        worker=worker,
        database=database,
        policy=policy,
        opener=Opener(worker=worker, now=now, new_id=new_id, limits=limits, rates=rates),
        keyring=keyring,
        vault=vault,
        accounts=Accounts(
            database, cookie(settings), now=now, new_id=new_id, ways=ways(settings), rates=rates
        ),
        agents=Agents(
            database,
            endpoint(settings),
            others=endpoints(settings),
            now=now,
            new_id=new_id,
            carry=partial(Carrier, database=database, vault=vault),
            keyring=keyring,
            private=settings.private_agents,
        ),
        bus=bus,
        hub=hub,
        viewing=viewing,
        threads=Threads(database, policy, hub, viewing=viewing, bus=bus),
        office=open_office(
            database, policy, keyring, notices(settings, write), worker=worker, now=now, new_id=new_id
        ),
        search=Search(database),
    )


def _upon(ground: Ground, settings: Settings, panels: Sequence[PanelSpec]) -> Services:
    database, policy, opener, agents = ground.database, ground.policy, ground.opener, ground.agents
    accounts, viewing, threads, office = ground.accounts, ground.viewing, ground.threads, ground.office
    bus, hub, search, tell = ground.bus, ground.hub, ground.search, ground.office.teller.tell
    lines = Lines(database, policy, opener)
    supervisor = _supervisor(ground, settings, lines)
    files = Attachments(
        database, policy, ground.vault, viewing=viewing, limit=settings.upload_limit, now=now, new_id=new_id
    )
    also = (files.sweep, search.index, office.post.purge)
    retention = Retention(database, terms(settings), now=now, also=also)
    provided = Provided(database, accounts.sign_ins, settings.role_map, now=now, new_id=new_id)
    approvals = Approvals(database, policy, opener, threads, supervisor, tell=tell)
    relay = Relay(hub, threads, supervisor)
    return Services(
        accounts=accounts,
        agents=agents,
        agent_book=_agent_book(ground, relay),
        attachments=files,
        approvals=approvals,
        auditing=Auditing(database, policy, now=now),
        bus=bus,
        branching=Branching(database, opener, threads, supervisor),
        choosing=Choosing(database, policy, agents, viewing),
        chat=Chat(database, opener, agents, threads, supervisor),
        forms=Forms(database, policy),
        departures=Departures(database, policy, now=now, watch=accounts.watch),
        exports=Exports(database, policy, viewing, now=now),
        feedback=Feedback(database, threads, now=now, new_id=new_id),
        health=Health(database, agents.reached),
        oidc=Oidc(database, provided, provider(settings), now=now),
        provided=provided,
        inbox=Inbox(database, policy, hub, threads=threads, approvals=approvals, now=now, tell=tell),
        mailboxes=office.mailboxes,
        notices=office.book,
        oversight=Oversight(database, policy, viewing, threads, search=search, now=now),
        people=People(database, policy, now=now, new_id=new_id, watch=accounts.watch),
        post=office.post,
        queue=Queue(database, opener, lines, threads, supervisor),
        relay=relay,
        removal=Removal(database, policy, opener, threads, supervisor),
        rendering=Rendering([*settings.image_hosts], settings.formulas, settings.diagrams),
        keeping=Keeping(database, policy, retention, now=now),
        retention=retention,
        search=search,
        shelf=Shelf(database, threads),
        run_details=RunDetails(database, policy),
        shared=SharedState(database, policy, threads, panels=panels, now=now),
        supervisor=supervisor,
        threads=threads,
        timelines=Timelines(database, policy, viewing),
        usage=Usage(database, policy, now=now),
        viewing=viewing,
    )


def stored_tables() -> tuple[Table, ...]:
    """Return every table of the database, ours and the embedded agent's, those that others point at first."""
    return (*Base.metadata.sorted_tables, *METADATA.sorted_tables)


def bus_of(database: Database, worker: str) -> Bus:
    """Return how this process and others on its database wake each other."""
    if database.dialect == "sqlite":
        return PollingBus(database.file)
    return PostgresBus(database, me=worker)


def _wake_everybody(bus: Bus, relay: Relay) -> None:
    """Let every process look at everything it shows, this one too."""
    bus.post(frozenset({EVERYTHING}))
    relay.hear(frozenset({EVERYTHING}))


def _hub(database: Database, settings: Settings, worker: str, panels: Sequence[PanelSpec]) -> LiveHub:
    def look_at(thread_id: str, tail: Tail | None, whole: bool) -> Seen:
        with database.reading() as session:
            return look(session, thread_id, tail, worker=worker, whole=whole)

    def look_back(thread_id: str) -> list[tuple[JsonValue, str]]:
        with database.reading() as session:
            return recall(session, thread_id)

    return LiveHub(
        look_at,
        panels=panels,
        recall=look_back,
        window=settings.live_window_ms / 1000,
        window_max=settings.live_window_max_ms / 1000,
        new_epoch=new_id,
    )


def _agent_book(ground: Ground, relay: Relay) -> AgentBook:
    return AgentBook(
        ground.database,
        ground.policy,
        ground.agents,
        ground.keyring,
        now=now,
        new_id=new_id,
        elapsed=time.monotonic,
        tell=partial(_wake_everybody, ground.bus, relay),
    )


def _supervisor(ground: Ground, settings: Settings, lines: Lines) -> Supervisor:
    bus, tell = ground.bus, ground.office.teller.tell

    def told(thread_ids: frozenset[str]) -> None:
        bus.post(frozenset(map(Wake, thread_ids)))

    interval = settings.flush_interval_ms / 1000
    ledger = SqlLedger(ground.database, ground.worker, now, ground.agents.reach, tell)
    times = Times(ground.database, ground.opener, tell=tell)
    return Supervisor(
        ledger,
        ground.hub,
        Journal(ledger.write, interval=interval, most=settings.flush_events, told=told),
        Makers(now, new_id, settings.store_raw),
        changed=ground.threads.changed,
        due=lambda thread: (*lines.due(thread), *times.due(thread)),
        look_after=times.look_after,
    )
