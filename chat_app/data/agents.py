"""AG-UI endpoints people can talk to."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TypedDict, Unpack

from pydantic import JsonValue
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.errors import ConstraintBroken
from chat_app.data.records import AgentRecord
from chat_app.data.tables import Agent, table_of

agent = table_of(Agent)
_all = select(*sql.columns_of(AgentRecord, agent))

LEARNED = ("id", "created", "capabilities", "policy", "suggestions", "tested", "tools", "enabled")
"""What settings do not know about an agent, so naming it again leaves it alone."""


class AgentChange(TypedDict, total=False):
    """What a person may change of an agent."""

    name: str
    url: str
    headers_encrypted: str | None
    profile: str
    capabilities: JsonValue
    policy: JsonValue
    suggestions: tuple[str, ...]
    tested: JsonValue
    tools: tuple[str, ...]
    enabled: bool
    updated: datetime


def ensure_builtin(session: Session, record: AgentRecord) -> AgentRecord:
    """Return the agent that settings name, created or brought up to date from the record.

    Raises:
        ConstraintBroken: a person has given an agent of theirs that name.
    """
    assert record.builtin
    insert = sql.insert_into(session, agent).values(sql.values_of(record))
    known = {c.name: insert.excluded[c.name] for c in agent.c if c.name not in {*LEARNED, "name"}}
    ours = agent.c.builtin.is_(True)
    session.execute(insert.on_conflict_do_update(index_elements=["name"], set_=known, where=ours))
    found = sql.one(session, AgentRecord, _all.where(agent.c.name == record.name, ours))
    if found is None:
        raise ConstraintBroken(
            f"An agent called {record.name} exists already; name the one in the settings otherwise."
        )
    return found


def rename_builtin(session: Session, record: AgentRecord, *, named: Collection[str]) -> bool:
    """Give an agent at the address of the record, whose name settings do not say any more, the record's name.

    It stays the agent that its threads talk to. False when there is none, or one of that name already.
    """
    moved = agent.c.builtin.is_(True), agent.c.url == record.url, agent.c.name.not_in(named)
    old = session.execute(select(agent.c.id).where(*moved).order_by(agent.c.updated.desc())).scalars().first()
    taken = sql.one(session, AgentRecord, _all.where(agent.c.name == record.name))
    if old is None or taken is not None:
        return False
    return change(session, old, name=record.name)


def drop_builtin(session: Session, *, named: Collection[str]) -> int:
    """Note of each agent that settings named once whether they still do; return how many that changes."""
    lost = agent.c.name.not_in(named)
    differs = agent.c.builtin.is_(True), agent.c.dropped != lost
    return sql.changed(session, update(agent).where(*differs).values(dropped=lost))


def get(session: Session, agent_id: str) -> AgentRecord | None:
    """Return an agent by id, enabled or not."""
    return sql.one(session, AgentRecord, _all.where(agent.c.id == agent_id))


def enabled(session: Session) -> tuple[AgentRecord, ...]:
    """Return the agents a new thread may use, those of the settings first, then by name."""
    usable = agent.c.enabled.is_(True), agent.c.dropped.is_(False)
    found = _all.where(*usable).order_by(agent.c.builtin.desc(), agent.c.name)
    return sql.many(session, AgentRecord, found)


def names(session: Session) -> Mapping[str, str]:
    """Return what people call each agent, by id, enabled or not."""
    return {one.id: one.name for one in session.execute(select(agent.c.id, agent.c.name))}


def every(session: Session) -> tuple[AgentRecord, ...]:
    """Return all agents, enabled or not, by name."""
    return sql.many(session, AgentRecord, _all.order_by(agent.c.name))


def create(session: Session, record: AgentRecord) -> bool:
    """Store an agent that a person added; False when there is one of that name."""
    return sql.add_unless(session, agent, record)


def change(session: Session, agent_id: str, **values: Unpack[AgentChange]) -> bool:
    """Change an agent; False when it is unknown.

    Raises:
        ConstraintBroken: another agent has that name.
    """
    return sql.changed(session, update(agent).where(agent.c.id == agent_id).values(**values)) == 1
