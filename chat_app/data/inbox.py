"""Where questions lie in the inbox, and lists of them as one person may see them.

Who may decide is kept beside each question as the agent's rules said when it was judged, so that a page of ten
thousand is one indexed query. It is a finding aid: a decision is always judged anew, by the rules in force.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Select, and_, case, false, func, literal_column, or_, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import DecidedBy, InboxItemRecord, InterruptRecord, InterruptStatus
from chat_app.data.tables import Agent, Decision, Endorsement, InboxItem, Interrupt, Thread, User, table_of

item = table_of(InboxItem)
interrupt = table_of(Interrupt)
decision = table_of(Decision)
endorsement = table_of(Endorsement)
thread = table_of(Thread)
agent = table_of(Agent)
_owner, _holder, _decider = (table_of(User).alias(name) for name in ("owner", "holder", "decider"))
_all = select(*sql.columns_of(InboxItemRecord, item))
_asked = select(*sql.columns_of(InterruptRecord, interrupt))
# written out, not bound: SQLite uses a partial index only when it can read the condition
_pending: ColumnElement[bool] = interrupt.c.status == literal_column("'pending'")
_open = item.join(interrupt, interrupt.c.id == item.c.interrupt)

Tab = Literal["mine", "assigned", "all", "decided"]
Sort = Literal["oldest", "newest", "expiry"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looker:
    """Who looks: their id, their roles as bits, and whether they may answer what they asked for themselves."""

    id: str
    roles: int
    asks: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which questions are wanted: of a tab, narrowed by what is given, in an order, `after` one that was shown."""

    tab: Tab = "all"
    agent: str = ""
    tool: str = ""
    owner: str = ""
    asked_before: datetime | None = None
    expires_before: datetime | None = None
    sort: Sort = "oldest"
    limit: int = 50
    after: "Mark | None" = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A question in a list: the moment by which that is ordered (None: it never expires), and its id."""

    at: datetime | None
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxLine:
    """One question as a list shows it, with the names of those it concerns."""

    id: str
    thread: str
    message: str | None
    tool: str | None
    digest: str | None
    metadata: JsonValue
    created: datetime
    expires_at: datetime | None
    status: InterruptStatus
    settled_at: datetime | None
    by: DecidedBy
    roles: int
    raised: int
    owner: str
    owner_name: str
    agent_name: str
    holder: str | None
    holder_name: str | None
    decision: str | None
    decider_name: str | None
    escalated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Share:
    """How many waiting questions of one kind there are."""

    agent: str
    agent_name: str
    tool: str
    owner: str
    owner_name: str
    count: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many questions wait in each tab; `open` leaves out those that the person has agreed to already."""

    mine: int
    assigned: int
    all: int
    open: int


# ------------------------------------------------------------ one item


def put(session: Session, records: Sequence[InboxItemRecord]) -> None:
    """Store items, or judge those that are there anew: who holds one, and what was sent about it, stays."""
    judged = {"by", "roles", "rules", "remind_at", "escalate_at"}
    kept = [column.name for column in item.c if column.name not in judged]
    sql.add_or_change(session, item, records, by=("interrupt",), keep=kept)


def get(session: Session, interrupt_id: str) -> InboxItemRecord | None:
    """Return where a question lies."""
    return sql.one(session, InboxItemRecord, _all.where(item.c.interrupt == interrupt_id))


def hold(  # noqa: PLR0913 - one row, and who it was with
    session: Session, interrupt_id: str, *, holder: str | None, by: str, at: datetime, was: str | None
) -> bool:
    """Give a question to somebody, or to nobody; False when another than `was` holds it by now."""
    held = item.c.holder.is_(None) if was is None else item.c.holder == was
    values = {"holder": holder, "held_at": at if holder else None, "held_by": by if holder else None}
    this = item.c.interrupt == interrupt_id
    return sql.changed(session, update(item).where(this, held).values(values)) == 1


# ------------------------------------------------------------ what time brings


def due(session: Session, *, now: datetime, limit: int) -> tuple[str, ...]:
    """Return waiting questions whose reminder or escalation is due, by id."""
    reminders = item.c.reminded_at.is_(None), item.c.remind_at <= now
    escalations = item.c.escalated_at.is_(None), item.c.escalate_at <= now
    found: dict[str, None] = {}
    for conditions in (reminders, escalations):
        waiting = select(item.c.interrupt).select_from(_open).where(_pending, *conditions).limit(limit)
        found.update(dict.fromkeys(session.execute(waiting).scalars()))
    return tuple(found)


def remind(session: Session, interrupt_id: str, *, now: datetime) -> bool:
    """Note that people are reminded of a question; True for exactly one caller, when it is time."""
    this = item.c.interrupt == interrupt_id, item.c.reminded_at.is_(None), item.c.remind_at <= now
    return sql.changed(session, update(item).where(*this).values(reminded_at=now)) == 1


def escalate(session: Session, interrupt_id: str, *, now: datetime, to: int) -> bool:
    """Let the roles `to` (bits) decide a question too; True for exactly one caller, when it is time."""
    this = item.c.interrupt == interrupt_id, item.c.escalated_at.is_(None), item.c.escalate_at <= now
    values = {"escalated_at": now, "raised": to}
    return sql.changed(session, update(item).where(*this).values(values)) == 1


# ------------------------------------------------------------ judging


def origins(session: Session, thread_ids: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return owner and agent of threads, by thread; deleted ones too."""
    rows = select(thread.c.id, thread.c.owner, thread.c.agent).where(thread.c.id.in_(thread_ids))
    return {row.id: (row.owner, row.agent) for row in session.execute(rows)}


def unjudged(session: Session, *, limit: int) -> tuple[InterruptRecord, ...]:
    """Return waiting questions that lie nowhere yet."""
    missing = _asked.outerjoin(item, item.c.interrupt == interrupt.c.id).where(
        _pending, item.c.interrupt.is_(None)
    )
    return sql.many(session, InterruptRecord, missing.limit(limit))


def judged_by_others(
    session: Session, agent_id: str, rules: str, *, limit: int
) -> tuple[InterruptRecord, ...]:
    """Return waiting questions of an agent that were judged by other rules than these."""
    stale = _asked.join(item, item.c.interrupt == interrupt.c.id).where(
        _pending, item.c.agent == agent_id, item.c.rules != rules
    )
    return sql.many(session, InterruptRecord, stale.limit(limit))


# ------------------------------------------------------------ lists


def entitled(looker: Looker) -> ColumnElement[bool]:
    """Return the condition that an answer of `looker` counts for a question, as `Policy.may_decide` says it."""
    mine = item.c.owner == looker.id
    has_role = item.c.roles.op("&")(looker.roles) != 0
    was_raised = item.c.raised.op("&")(looker.roles) != 0
    return or_(
        and_(item.c.by == "requester", mine) if looker.asks else false(),
        and_(item.c.by.in_(("role", "two")), or_(has_role, was_raised)),
        and_(item.c.by == "other", or_(has_role, was_raised), ~mine),
        and_(item.c.by == "requester", was_raised),
    )


def counts(session: Session, looker: Looker) -> Counts:
    """Return how many questions wait for `looker`, tab by tab."""
    may = entitled(looker)
    held, open_ = and_(may, item.c.holder == looker.id), and_(may, ~_agreed_by(looker.id))
    columns = [
        func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
        for condition in (item.c.owner == looker.id, held, may, open_)
    ]
    row = session.execute(select(*columns).select_from(_open).where(_pending)).one()
    return Counts(*row)


def newest(session: Session, looker: Looker) -> tuple[str, str] | None:
    """Return the newest question that waits for `looker`, and its thread where that is theirs (else "")."""
    row = session.execute(
        select(interrupt.c.id, interrupt.c.thread, item.c.owner)
        .select_from(_open)
        .where(_pending, entitled(looker))
        .order_by(interrupt.c.created.desc(), interrupt.c.id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else (row.id, row.thread if row.owner == looker.id else "")


def shares(session: Session, looker: Looker, tab: Tab) -> tuple[Share, ...]:
    """Return what waits in a tab, by agent, tool and person; by what a list can be narrowed."""
    kinds = (item.c.agent, interrupt.c.tool_name, item.c.owner)
    inner = (
        select(*kinds, func.count().label("count"))
        .select_from(_open)
        .where(*_in_tab(looker, tab))
        .group_by(*kinds)
        .subquery()
    )
    named = (
        select(
            inner.c.agent,
            agent.c.name,
            func.coalesce(inner.c.tool_name, ""),
            inner.c.owner,
            _owner.c.display_name,
            inner.c.count,
        )
        .join(agent, agent.c.id == inner.c.agent)
        .join(_owner, _owner.c.id == inner.c.owner)
    )
    return tuple(Share(*row) for row in session.execute(named))


def lines(session: Session, looker: Looker, wanted: Wanted) -> tuple[InboxLine, ...]:
    """Return the questions that are wanted, one more than `limit` when there are others."""
    order = _order(wanted)
    chosen = (
        select(interrupt.c.id)
        .select_from(_open)
        .where(*_in_tab(looker, wanted.tab), *_narrowed(wanted), *_after(wanted))
        .order_by(*order)
        .limit(wanted.limit + 1)
    )
    # the names are looked up for those that are shown, not for all that could be
    shown = _lines().where(interrupt.c.id.in_(chosen)).order_by(*order)
    return sql.many(session, InboxLine, shown)


def line(session: Session, interrupt_id: str) -> InboxLine | None:
    """Return one question as a list shows it, whoever looks."""
    return sql.one(session, InboxLine, _lines().where(interrupt.c.id == interrupt_id))


def alike(session: Session, looker: Looker, interrupt_ids: Collection[str]) -> tuple[InboxLine, ...]:
    """Return those of some waiting questions that `looker` may decide, oldest first."""
    these = _lines().where(interrupt.c.id.in_(interrupt_ids), _pending, entitled(looker))
    return sql.many(session, InboxLine, these.order_by(interrupt.c.created, interrupt.c.id))


def print_of(session: Session) -> str:
    """Return what differs whenever something in anybody's inbox does: a finding aid, not a proof."""
    waiting = select(
        func.count(),
        func.max(interrupt.c.id),
        func.max(interrupt.c.expires_at),
        func.count(item.c.holder),
        func.max(item.c.held_at),
        func.sum(item.c.raised),
        func.count(item.c.rules.distinct()),
    ).select_from(_open)
    settled = (
        select(interrupt.c.settled_at, interrupt.c.id)
        .where(interrupt.c.settled_at.is_not(None))
        .order_by(interrupt.c.settled_at.desc(), interrupt.c.id.desc())
        .limit(1)
    )
    newest = [select(table.c.id).order_by(table.c.id.desc()).limit(1) for table in (decision, endorsement)]
    found = [session.execute(one).one_or_none() for one in (waiting.where(_pending), settled, *newest)]
    return repr([None if row is None else tuple(row) for row in found])


def _in_tab(looker: Looker, tab: Tab) -> tuple[ColumnElement[bool], ...]:
    mine, may = item.c.owner == looker.id, entitled(looker)
    if tab == "decided":
        return interrupt.c.settled_at.is_not(None), _is_there(), or_(mine, may, _decided_by(looker.id))
    if tab == "mine":
        return _pending, mine
    return (_pending, may, item.c.holder == looker.id) if tab == "assigned" else (_pending, may)


def _is_there() -> ColumnElement[bool]:
    there = select(thread.c.id).where(thread.c.id == interrupt.c.thread, thread.c.deleted_at.is_(None))
    return there.correlate(interrupt).exists()


def _decided_by(person: str) -> ColumnElement[bool]:
    return (
        select(decision.c.id)
        .where(decision.c.interrupt == interrupt.c.id, decision.c.by == person)
        .correlate(interrupt)
        .exists()
    )


def _agreed_by(person: str) -> ColumnElement[bool]:
    said = select(endorsement.c.id).where(
        endorsement.c.interrupt == interrupt.c.id, endorsement.c.by == person
    )
    return and_(item.c.by == "two", said.correlate(interrupt).exists())


def _narrowed(wanted: Wanted) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.agent:
        conditions.append(item.c.agent == wanted.agent)
    if wanted.tool:
        conditions.append(interrupt.c.tool_name == wanted.tool)
    if wanted.owner:
        conditions.append(item.c.owner == wanted.owner)
    if wanted.asked_before is not None:
        conditions.append(interrupt.c.created <= wanted.asked_before)
    if wanted.expires_before is not None:
        conditions.append(interrupt.c.expires_at <= wanted.expires_before)
    return conditions


def _order(wanted: Wanted) -> tuple[ColumnElement[Any], ...]:
    if wanted.tab == "decided":
        return interrupt.c.settled_at.desc(), interrupt.c.id.desc()
    if wanted.sort == "newest":
        return interrupt.c.created.desc(), interrupt.c.id.desc()
    if wanted.sort == "expiry":
        return interrupt.c.expires_at.is_(None), interrupt.c.expires_at, interrupt.c.id
    return interrupt.c.created, interrupt.c.id


def _after(wanted: Wanted) -> tuple[ColumnElement[bool], ...]:
    """Return the condition that a question comes behind the mark, in the order of `_order`."""
    mark = wanted.after
    if mark is None:
        return ()
    if wanted.tab != "decided" and wanted.sort == "expiry":
        return (_expires_after(mark),)
    falling = wanted.tab == "decided" or wanted.sort == "newest"
    moment = interrupt.c.settled_at if wanted.tab == "decided" else interrupt.c.created
    beyond, tie = (
        (moment < mark.at, interrupt.c.id < mark.id)
        if falling
        else (moment > mark.at, interrupt.c.id > mark.id)
    )
    return (or_(beyond, and_(moment == mark.at, tie)),)


def _expires_after(mark: Mark) -> ColumnElement[bool]:
    ends, never, tie = interrupt.c.expires_at, interrupt.c.expires_at.is_(None), interrupt.c.id > mark.id
    if mark.at is None:
        return and_(never, tie)
    return or_(never, ends > mark.at, and_(ends == mark.at, tie))


def _lines() -> Select[Any]:
    asked = ("id", "thread", "message", "created", "expires_at", "status", "settled_at")
    lies = ("by", "roles", "raised", "owner", "holder", "escalated_at")
    return (
        select(
            *(interrupt.c[name] for name in asked),
            interrupt.c.tool_name.label("tool"),
            interrupt.c.args_digest.label("digest"),
            interrupt.c["metadata"],
            *(item.c[name] for name in lies),
            _owner.c.display_name.label("owner_name"),
            agent.c.name.label("agent_name"),
            _holder.c.display_name.label("holder_name"),
            decision.c.kind.label("decision"),
            _decider.c.display_name.label("decider_name"),
        )
        .select_from(_open)
        .join(agent, agent.c.id == item.c.agent)
        .join(_owner, _owner.c.id == item.c.owner)
        .outerjoin(_holder, _holder.c.id == item.c.holder)
        .outerjoin(decision, decision.c.interrupt == interrupt.c.id)
        .outerjoin(_decider, _decider.c.id == decision.c.by)
    )
