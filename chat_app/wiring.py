"""Builds the services from the settings: the one place that knows which part gets which."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from urllib.parse import urlsplit

from pydantic import JsonValue, SecretStr
from sqlalchemy import Table
from starlette.routing import BaseRoute, Mount

from chat_app.agent.awkward import build_awkward
from chat_app.agent.budget import Budget
from chat_app.agent.embedded import AgentPlan, EmbeddedAgent, ModelPlan, build_embedded, task_board
from chat_app.agent.gateway import agent_routes
from chat_app.agent.links import HttpLink, Link, StdioLink, UnusableServers
from chat_app.agent.models.providers import UnusableModel
from chat_app.agent.scenarios import SUGGESTIONS
from chat_app.agent.store import METADATA
from chat_app.data import engines
from chat_app.data.db import Database
from chat_app.data.ids import new_id
from chat_app.data.tables import Base
from chat_app.services.accounts import Accounts, CookieShape, Ways
from chat_app.services.agent_book import AgentBook
from chat_app.services.agents import Agents, Endpoint
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
from chat_app.services.notices import MailServer, Plan, Write, bare, open_office
from chat_app.services.oidc import Oidc, Provider
from chat_app.services.openings import Limits, Opener
from chat_app.services.oversight import Oversight
from chat_app.services.panels import PanelSpec
from chat_app.services.people import People
from chat_app.services.policy import Policy
from chat_app.services.provided import Provided
from chat_app.services.proxy import Proxies
from chat_app.services.queue import Lines, Queue
from chat_app.services.rates import Kind, Rates
from chat_app.services.relay import Relay
from chat_app.services.removal import Removal
from chat_app.services.rendering import Rendering
from chat_app.services.retention import Retention, Terms
from chat_app.services.rows import Suggestion
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
from chat_app.settings import Settings, SettingsError, ToolServer

AGENT_WAIT_S = 5.0
"""How long the embedded agent waits for its turn to write."""

KNOWN_LINES = tuple(Suggestion(each.title, each.phrase) for each in SUGGESTIONS)
"""What the page offers on an empty chat with the embedded agent."""


def build(settings: Settings, panels: Sequence[PanelSpec] = (), *, write: Write = bare) -> Services:
    """Build every service of the process, state shown in `panels`, mail worded by `write`.

    Nothing is contacted before it is started.
    """
    database = Database(settings.database_url.get_secret_value())
    policy, worker = Policy(), new_id()
    limits = Limits(per_user=settings.runs_per_user, per_process=settings.runs_per_process)
    rates = rates_of(settings)
    opener = Opener(worker=worker, now=now, new_id=new_id, limits=limits, rates=rates)
    accounts = Accounts(database, cookie(settings), now=now, new_id=new_id, ways=ways(settings), rates=rates)
    provided = Provided(database, accounts.sign_ins, settings.role_map, now=now, new_id=new_id)
    vault = Vault(settings.data_dir / "files")
    carry = partial(Carrier, database=database, vault=vault)
    keyring = Keyring(settings.secret_key.get_secret_value())
    agents = Agents(
        database,
        endpoint(settings),
        others=endpoints(settings),
        now=now,
        new_id=new_id,
        carry=carry,
        keyring=keyring,
        private=settings.private_agents,
    )
    bus = bus_of(database, worker)
    hub = _hub(database, settings, worker, panels)
    viewing = Viewing(database, policy, now=now, allowed=settings.open_threads)
    threads = Threads(database, policy, hub, viewing=viewing, bus=bus)
    files = Attachments(
        database, policy, vault, viewing=viewing, limit=settings.upload_limit, now=now, new_id=new_id
    )
    office = open_office(
        database, policy, keyring, notices(settings, write), worker=worker, now=now, new_id=new_id
    )
    tell = office.teller.tell
    ledger = SqlLedger(database, worker, now, agents.reach, tell)
    lines, search = Lines(database, policy, opener), Search(database)
    also = (files.sweep, search.index, office.post.purge)
    retention = Retention(database, _terms(settings), now=now, also=also)
    supervisor = _supervisor(settings, ledger, hub, threads, bus, lines, Times(database, opener, tell=tell))
    approvals = Approvals(database, policy, opener, threads, supervisor, tell=tell)
    relay = Relay(hub, threads, supervisor)
    return Services(
        accounts=accounts,
        agents=agents,
        agent_book=AgentBook(
            database,
            policy,
            agents,
            keyring,
            now=now,
            new_id=new_id,
            elapsed=time.monotonic,
            tell=partial(_wake_everybody, bus, relay),
        ),
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


def notices(settings: Settings, write: Write = bare) -> Plan:
    """Return how people are told outside the page."""
    return Plan(
        url=settings.page_url,
        names=settings.notice_names,
        private=settings.private_webhooks,
        mail=mail_server(settings),
        write=write,
    )


def mail_server(settings: Settings) -> MailServer | None:
    """Return the server that takes our mail; None when none is set."""
    if not settings.mail_host:
        return None
    return MailServer(
        host=settings.mail_host,
        port=settings.mail_port,
        security=settings.mail_security,
        sender=settings.mail_from,
        user=settings.mail_user,
        password=settings.mail_password.get_secret_value(),
    )


def _terms(settings: Settings) -> Terms:
    return Terms(settings.retention_days, timedelta(days=settings.undo_days))


def stored_tables() -> tuple[Table, ...]:
    """Return every table of the database, ours and the embedded agent's, those that others point at first."""
    return (*Base.metadata.sorted_tables, *METADATA.sorted_tables)


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def endpoint(settings: Settings) -> Endpoint:
    """Return the agent that settings name; the embedded one is asked for its token like any other."""
    headers = {name: value.get_secret_value() for name, value in settings.agent_headers.items()}
    if not settings.agent_url:
        headers = {"Authorization": f"Bearer {settings.agent_token.get_secret_value()}"}
    return Endpoint(
        name=settings.agent_name,
        url=settings.agent_endpoint,
        profile=settings.agent_profile,
        accepts=settings.agent_accepts or None,
        suggestions=() if settings.agent_url else KNOWN_LINES,
        headers=headers,
        connect_timeout=settings.connect_timeout,
        idle_limit=settings.agent_idle_limit,
        frame_cap=settings.frame_cap,
    )


def endpoints(settings: Settings) -> tuple[Endpoint, ...]:
    """Return the further agents that settings name; what is said of none of them alone is as for the first."""
    return tuple(
        Endpoint(
            name=name,
            url=one.url,
            profile=one.profile,
            accepts=one.accepts,
            suggestions=tuple(Suggestion(line, line) for line in one.suggestions),
            headers=_revealed(one.headers),
            connect_timeout=settings.connect_timeout,
            idle_limit=one.idle_limit,
            frame_cap=settings.frame_cap,
        )
        for name, one in settings.agents.items()
    )


def cookie(settings: Settings) -> CookieShape:
    """Return the session cookie of this instance; cookies know no ports, so its name tells two instances apart."""
    instance = sha256(settings.page_url.encode()).hexdigest()[:8]
    return CookieShape(
        name=f"parley_session_{instance}",
        days=settings.session_days,
        secure=settings.page_url.startswith("https:"),
        most_days=settings.session_most_days,
    )


def ways(settings: Settings) -> Ways:
    """Return how people come in; without any way there is the local user."""
    return Ways(
        password="password" in settings.sign_in,
        provider=settings.oidc_name if "oidc" in settings.sign_in else "",
        proxy="proxy" in settings.sign_in,
    )


def rates_of(settings: Settings) -> Rates:
    """Return how often people may do things; several processes count in their Redis."""
    limits: dict[Kind, str] = {
        "sign_in": settings.sign_in_limit,
        "address": settings.address_limit,
        "run": settings.run_limit,
        "decision": settings.decision_limit,
    }
    shared = settings.redis_url.get_secret_value().replace("unix://", "redis+unix://", 1)
    return Rates(limits, storage=shared or "memory://")


def origins(settings: Settings) -> dict[str, str]:
    """Return the Host values this instance answers to, each with the Origin of the pages people open there.

    They are loopback names with its port, and those of its URLs; a proxy may end TLS, so the scheme is the URL's.
    """
    local = [f"http://{name}:{settings.port}" for name in ("localhost", "127.0.0.1", "[::1]")]
    urls = [urlsplit(url) for url in (*local, settings.local_url, settings.page_url)]
    return {url.netloc.lower(): f"{url.scheme}://{url.netloc}".lower() for url in urls}


def proxies(settings: Settings) -> Proxies:
    """Return what is believed of the proxies in front; they vouch for people only where that is a way to sign in."""
    return Proxies(
        networks=settings.proxy_addresses,
        secret=settings.proxy_secret.get_secret_value() if "proxy" in settings.sign_in else "",
        user_header=settings.proxy_user_header,
        groups_header=settings.proxy_groups_header,
    )


def provider(settings: Settings) -> Provider:
    """Return the sign-in provider that settings name."""
    return Provider(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret.get_secret_value(),
        scopes=settings.oidc_scopes,
        groups_claim=settings.oidc_groups_claim,
        back=f"{settings.page_url}/auth/provider/back",
    )


def embedded_agent(settings: Settings) -> EmbeddedAgent:
    """Return the agent in the box: with the model that is configured, else with its scripted demos.

    It reaches the database by an engine of its own, as any other program would.

    Raises:
        SettingsError: its models or its tool servers cannot be used; the message says why and what to do.
    """
    engine = engines.build(engines.parse(settings.database_url.get_secret_value()), wait_s=AGENT_WAIT_S)
    plan = AgentPlan(
        token=settings.agent_token.get_secret_value(),
        engine=engine,
        now=now,
        new_id=new_id,
        model=_model(settings) if settings.model else None,
        pace=1.0 if settings.agent_pace is None else settings.agent_pace,
    )
    try:
        return build_embedded(plan)
    except (UnusableModel, UnusableServers) as unusable:
        engine.dispose()
        raise SettingsError(str(unusable)) from unusable


def agent_mounts(settings: Settings, agent: EmbeddedAgent) -> list[BaseRoute]:
    """Return the routes of the embedded agent at `/agent`, and when asked for, of the awkward one of the tests."""
    awkward = [Mount("/awkward", build_awkward())] if settings.awkward_agent else []
    return [*agent_routes("/agent", agent.app), *awkward]


def _model(settings: Settings) -> ModelPlan:
    budget = Budget(
        max_steps=settings.turn_steps, max_tokens=settings.turn_tokens, seconds=settings.turn_seconds
    )
    return ModelPlan(
        name=settings.model,
        others=settings.models,
        key=settings.model_key.get_secret_value(),
        budget=budget,
        system=settings.agent_instructions,
        tools=settings.agent_tools,
        asks=settings.agent_asks,
        links=_links(settings),
    )


def _links(settings: Settings) -> list[Link]:
    """Return where the tool servers are; the task board keeps its boards in a file of its own."""
    limit = settings.tool_timeout
    board = task_board(f"sqlite:///{settings.data_dir / 'tasks.db'}", timeout=limit)
    named = [_link(name, server, limit) for name, server in settings.tool_servers.items()]
    return [*([board] if settings.task_board else []), *named]


def _link(name: str, server: ToolServer, limit: float) -> Link:
    if server.url:
        return HttpLink(name=name, url=server.url, headers=_revealed(server.headers), timeout=limit)
    return StdioLink(
        name=name,
        command=server.command,
        arguments=server.args,
        environment=_revealed(server.env),
        timeout=limit,
    )


def _revealed(secrets: Mapping[str, SecretStr]) -> dict[str, str]:
    return {name: secret.get_secret_value() for name, secret in secrets.items()}


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


def _supervisor(  # noqa: PLR0913, PLR0917 - what it is built from
    settings: Settings,
    ledger: SqlLedger,
    hub: LiveHub,
    threads: Threads,
    bus: Bus,
    lines: Lines,
    times: Times,
) -> Supervisor:
    def told(thread_ids: frozenset[str]) -> None:
        bus.post(frozenset(map(Wake, thread_ids)))

    interval = settings.flush_interval_ms / 1000
    journal = Journal(ledger.write, interval=interval, most=settings.flush_events, told=told)
    return Supervisor(
        ledger,
        hub,
        journal,
        Makers(now, new_id, settings.store_raw),
        changed=threads.changed,
        due=lambda thread: (*lines.due(thread), *times.due(thread)),
        look_after=times.look_after,
    )
