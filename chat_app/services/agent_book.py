"""The agents people can talk to, for admins: added by address, tried, changed, switched off.

Headers are stored encrypted; what comes back of them is their names. The agent that settings name keeps its address and
headers there; its rules, tools, suggestions and switch are kept here.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import PROFILES
from chat_app.data import agents, audit
from chat_app.data.agents import AgentChange
from chat_app.data.db import Database
from chat_app.data.errors import ConstraintBroken
from chat_app.data.records import AgentRecord
from chat_app.services.agent_probe import Probe, Probed, Trial
from chat_app.services.agents import Agents
from chat_app.services.keyring import Keyring
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import AgentGone, BadAgent, HeadersLost, NameTaken
from chat_app.services.rows import iso
from chat_app.services.rules import read_rules
from chat_app.services.waiting import read_waiting
from chat_app.tools import known

__all__ = ["PROFILE_NAMES", "AgentBook", "AgentRecord", "Known", "Written"]

T = TypeVar("T")
LONGEST = 2000
MOST_SUGGESTIONS = 4
PROFILE_NAMES = tuple(profile.name for profile in PROFILES)
"""How strictly an agent may be read."""
OURS = ("policy", "suggestions", "tools")
"""What is kept here of an agent that settings name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a form says of an agent: `policy` is JSON, `suggestions` are lines; empty `headers` leave those kept.

    `tools` are names of those that we offer to it.
    """

    name: str
    url: str
    headers: str = ""
    profile: str = "tolerant"
    policy: str = ""
    suggestions: str = ""
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """An agent as it is shown: of its headers, the names; of its last test, when it was and what it found."""

    agent: AgentRecord
    headers: tuple[str, ...]
    tested_at: str = ""
    found: tuple[Probed, ...] = ()


class AgentBook:
    """Add, try and change agents."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        policy: Policy,
        agents: Agents,
        keyring: Keyring,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        elapsed: Callable[[], float],
        tell: Callable[[], None] = lambda: None,
    ) -> None:
        """Keep agents in `database`, headers by `keyring`; reach them as chats do, by `agents`.

        `tell` is called after a change: pages that are open may look different, and lines that wait may go.
        """
        self._tell = tell
        self._database = database
        self._policy = policy
        self._agents = agents
        self._keyring = keyring
        self._now = now
        self._new_id = new_id
        self._elapsed = elapsed

    async def every(self, by: Person) -> tuple[AgentRecord, ...]:
        """Return all agents, by name.

        Raises:
            Refused: `by` does not manage agents.
        """
        return await self._act(by, agents.every)

    async def one(self, by: Person, agent_id: str) -> Known:
        """Return what is known of an agent.

        Raises:
            Refused: `by` does not manage agents, or there is no such agent.
        """
        return self._known(await self._act(by, lambda session: _required(session, claimed(agent_id))))

    async def add(self, by: Person, written: Written) -> str:
        """Add an agent and return its id.

        Raises:
            Refused: `by` does not manage agents.
            BadAgent, NameTaken: as their names say.
        """
        self._policy.require(by, Action.MANAGE_AGENTS)
        now, read = self._now(), self._read(written)
        record = AgentRecord(
            id=self._new_id(),
            name=read["name"],
            url=read["url"],
            headers_encrypted=self._keyring.sealed(_headers(written.headers)),
            profile=read["profile"],
            policy=read["policy"],
            suggestions=read["suggestions"],
            tools=read["tools"],
            created=now,
            updated=now,
        )
        return await self._act(by, lambda session: self._add(session, by, record))

    async def change(self, by: Person, agent_id: str, written: Written) -> None:
        """Change an agent; of the one that settings name, its rules, tools and suggestions alone.

        Raises:
            Refused: `by` does not manage agents, or there is no such agent.
            BadAgent, NameTaken: as their names say.
        """
        self._policy.require(by, Action.MANAGE_AGENTS)
        values = self._read(written)
        headers = _headers(written.headers)
        if headers:
            values["headers_encrypted"] = self._keyring.sealed(headers)
        try:
            await self._act(by, lambda session: self._change(session, by, claimed(agent_id), values))
        except ConstraintBroken as error:
            raise NameTaken from error
        self._tell()

    async def switch(self, by: Person, agent_id: str, *, enabled: bool) -> None:
        """Let people talk to an agent, or not any more; answers under way go on.

        Raises:
            Refused: `by` does not manage agents, or there is no such agent.
        """
        await self._act(by, lambda session: self._switch(session, by, claimed(agent_id), enabled=enabled))
        self._tell()

    async def test(self, by: Person, agent_id: str, *, asking: str = "") -> None:
        """Try an agent as a chat would, and keep what was found.

        Raises:
            Refused: `by` does not manage agents, or there is no such agent.
        """
        agent = (await self.one(by, agent_id)).agent
        found = await self._tried(agent, asking)
        report: JsonValue = {"at": iso(self._now()), "found": [asdict(one) for one in found]}
        await self._act(by, lambda session: agents.change(session, agent.id, tested=report))

    async def _tried(self, agent: AgentRecord, asking: str) -> tuple[Probed, ...]:
        try:
            peer = self._agents.peer(agent)
        except (HeadersLost, AgentGone) as error:
            return (Probed("signed_in", "bad", "", error.problem.told),)

        async def declared() -> JsonValue:
            return await self._agents.declared(agent)

        probe = Probe(
            peer.transport, peer.profile, new_id=self._new_id, elapsed=self._elapsed, declared=declared
        )
        return await probe.look(Trial(asking=asking[:LONGEST]))

    # ------------------------------------------------------------ transactions

    async def _act(self, by: Person, use_case: Callable[[Session], T]) -> T:
        self._policy.require(by, Action.MANAGE_AGENTS)
        return await asyncio.to_thread(self._transact, use_case)

    def _transact(self, use_case: Callable[[Session], T]) -> T:
        with self._database.transaction() as session:
            return use_case(session)

    def _add(self, session: Session, by: Person, record: AgentRecord) -> str:
        if not agents.create(session, record):
            raise NameTaken
        self._note(session, by, "agent.added", record.id)
        return record.id

    def _change(self, session: Session, by: Person, agent_id: str, values: AgentChange) -> None:
        if _required(session, agent_id).builtin:
            values = {name: values[name] for name in OURS}  # type: ignore[literal-required,assignment]
        values["updated"] = self._now()
        agents.change(session, agent_id, **values)
        self._note(session, by, "agent.changed", agent_id)

    def _switch(self, session: Session, by: Person, agent_id: str, *, enabled: bool) -> None:
        agents.change(session, _required(session, agent_id).id, enabled=enabled)
        self._note(session, by, "agent.enabled" if enabled else "agent.disabled", agent_id)

    def _note(self, session: Session, by: Person, action: str, agent_id: str) -> None:
        act = audit.Act(action=action, object=f"agent:{agent_id}", actor=by.id or None, at=self._now())
        audit.append(session, act)

    # ------------------------------------------------------------ forms

    def _read(self, written: Written) -> AgentChange:
        """Return what a form says.

        Raises:
            BadAgent: saying what of it cannot be used.
        """
        name, url = written.name.strip(), written.url.strip()
        parts = urlsplit(url)
        if not name or len(name) > 200:
            raise BadAgent("name")
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or parts.username
            or len(url) > LONGEST
        ):
            raise BadAgent("url")
        if written.profile not in PROFILE_NAMES:
            raise BadAgent("profile")
        lines = tuple(line.strip() for line in written.suggestions.splitlines() if line.strip())
        return {
            "name": name,
            "url": url,
            "profile": written.profile,
            "policy": _policy(written.policy),
            "suggestions": tuple(line[:LONGEST] for line in lines[:MOST_SUGGESTIONS]),
            "tools": tuple(name for name in known() if name in written.tools),
        }

    def _known(self, agent: AgentRecord) -> Known:
        try:
            names = tuple(self._keyring.opened(agent.headers_encrypted))
        except HeadersLost:
            names = ("?",)
        at, found = _tested(agent.tested)
        return Known(agent, names, at, found)


def _required(session: Session, agent_id: str) -> AgentRecord:
    agent = agents.get(session, agent_id)
    if agent is None:
        raise Refused
    return agent


def _policy(text: str) -> JsonValue:
    if not text.strip():
        return None
    try:
        policy: JsonValue = json.loads(text)
        read_rules(policy)
        read_waiting(policy)
    except ValueError as error:  # RulesBroken and WaitingBroken are of its kind
        raise BadAgent("policy") from error
    return policy


def _headers(text: str) -> Mapping[str, str]:
    """Return headers, one "Name: value" a line.

    Raises:
        BadAgent: a line is none.
    """
    found = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not line.isascii() or not line.isprintable():
            raise BadAgent("headers")
        found[name.strip()] = value.strip()
    return found


def _tested(report: JsonValue) -> tuple[str, tuple[Probed, ...]]:
    if not isinstance(report, dict):
        return "", ()
    found = report.get("found")
    entries = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return str(report.get("at", "")), tuple(Probed(**one) for one in entries)  # type: ignore[arg-type]
