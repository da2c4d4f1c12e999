"""Reads the inbox as one person may see it: a list, and the question that is open in it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import get_args

from sqlalchemy.orm import Session

from chat_app.data import endorsements, inbox, messages
from chat_app.data.inbox import InboxLine, Looker, Mark, Share, Sort, Tab, Wanted
from chat_app.data.records import InterruptRecord, MessageRecord, ThreadRecord
from chat_app.services.content import as_stored
from chat_app.services.deciding import able, ask_of, visible
from chat_app.services.digest import fingerprint
from chat_app.services.inbox.shapes import Choice, Item, Opened, Page, Query, Said
from chat_app.services.judging import looker, roles_in
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.projection import approval_row, said_in
from chat_app.services.rows import iso
from chat_app.services.two_people import name_of
from chat_app.services.views import read_question

MOST = 500
"""Questions of the longest stretch of a list that is shown at once."""
SOON = timedelta(minutes=30)
AGES = {"hour": timedelta(hours=1), "day": timedelta(days=1)}
LINES_BEFORE = 4
LONGEST_LINE = 1000
"""Characters of a line that are shown beside a question."""


def read_inbox(session: Session, policy: Policy, person: Person, query: Query, *, now: datetime) -> Page:
    """Return what a tab shows.

    Raises:
        Refused: this person has no inbox.
    """
    policy.require(person, Action.OPEN_INBOX)
    looks, wanted = looker(policy, person), wanted_of(query, now)
    found, counts = inbox.lines(session, looks, wanted), inbox.counts(session, looks)
    shares = inbox.shares(session, looks, wanted.tab)
    more = len(found) > wanted.limit
    return Page(
        questions=[item_of(line, looks) for line in found[: wanted.limit]],
        more=more,
        after=_after(found[wanted.limit - 1], wanted) if more and wanted.limit == MOST else "",
        mine=counts.mine,
        assigned=counts.assigned,
        all=counts.all,
        agents=_choices((share.agent, share.agent_name, share) for share in shares),
        tools=_choices((share.tool, share.tool, share) for share in shares),
        people=_choices((share.owner, share.owner_name, share) for share in shares),
        opened=read_opened(session, policy, person, query.open) if query.open else Opened(),
    )


def wanted_of(query: Query, now: datetime) -> Wanted:
    """Return what a tab asks for; what is no tab, order or age is the usual one."""
    tab: Tab = next((known for known in get_args(Tab) if known == query.tab), "all")
    sort: Sort = next((known for known in get_args(Sort) if known == query.sort), "oldest")
    age = AGES.get(query.age)
    return Wanted(
        tab=tab,
        agent=query.agent,
        tool=query.tool,
        owner=query.owner,
        asked_before=now - age if age is not None else None,
        expires_before=now + SOON if query.age == "soon" else None,
        sort=sort,
        limit=max(1, min(query.limit, MOST)),
        after=_mark(query.after),
    )


def _after(last: InboxLine, wanted: Wanted) -> str:
    moment = last.expires_at if wanted.sort == "expiry" else last.created
    return f"{iso(last.settled_at if wanted.tab == 'decided' else moment)}~{last.id}"


def _mark(after: str) -> Mark | None:
    """Return where a stretch begins; what is none begins at the beginning."""
    moment, _, interrupt_id = after.partition("~")
    try:
        at = datetime.fromisoformat(moment) if moment else None
        known = claimed(interrupt_id)
    except (ValueError, Refused):
        return None
    return Mark(at, known) if at is None or at.tzinfo is not None else None


def item_of(line: InboxLine, looks: Looker) -> Item:
    """Return one question of the list."""
    return Item(
        id=line.id,
        question=line.message or "",
        tool=line.tool or "",
        agent=line.agent_name,
        person=line.owner_name,
        risk=said_in(line.metadata, "risk"),
        at=iso(line.created),
        expires_at=iso(line.expires_at),
        status=line.status,
        decision=line.decision or "",
        decided_by=line.decider_name or "",
        decided_at=iso(line.settled_at),
        holder=line.holder_name or "",
        held=line.holder == looks.id,
        same=same_of(line),
        takes=line.status == "pending" and may_decide(line, looks),
        raised=line.escalated_at is not None,
    )


def same_of(line: InboxLine) -> str:
    """Return what is equal for two questions about the same call of the same tool; empty where that is not known."""
    if not line.tool or not line.digest:
        return ""
    return fingerprint(f"{line.agent_name}\n{line.tool}\n{line.digest}")[:16]


def may_decide(line: InboxLine, looks: Looker) -> bool:
    """Return whether a list offers a question to be decided, by what is kept beside it."""
    mine = line.owner == looks.id
    has_role = bool((line.roles | line.raised) & looks.roles)
    if line.by == "requester":
        return (mine and looks.asks) or bool(line.raised & looks.roles)
    return line.by != "nobody" and has_role and not (mine and line.by == "other")


def read_opened(session: Session, policy: Policy, person: Person, interrupt_id: str) -> Opened:
    """Return the question that is open, with what was said before it; nothing where it is not this person's."""
    try:
        asked, thread = visible(session, policy, person, interrupt_id)
    except Refused:
        return Opened()
    line = inbox.line(session, asked.id)
    if line is None:
        return Opened()
    ask = ask_of(session, asked, thread)
    may = policy.may_decide(person, ask)
    owns = policy.may(person, Action.READ_THREAD, owner=thread.owner)
    row = approval_row(read_question(session, asked))
    deciders = policy.deciders(ask)
    lies = inbox.get(session, asked.id)
    return Opened(
        id=asked.id,
        thread=thread.id if owns else "",
        agent=line.agent_name,
        person=line.owner_name,
        row=row if may or owns else replace(row, actions=[]),
        said=read_said(session, asked, thread, line.agent_name),
        by=deciders.by,
        roles=sorted(deciders.roles),
        raised=sorted(roles_in(line.raised)),
        may=may,
        holder=line.holder_name or "",
        held=line.holder == person.id,
        held_at=iso(lies.held_at) if lies is not None else "",
        endorsed=[name_of(session, one.by) for one in endorsements.of_interrupt(session, asked.id)],
        people=[Choice(one.id, one.display_name) for one in able(session, policy, ask)] if may else [],
    )


def read_said(session: Session, asked: InterruptRecord, thread: ThreadRecord, agent: str) -> list[Said]:
    """Return the last lines before a question: what people and the agent said, nothing of tools or thoughts."""
    page = messages.newest(session, thread.id, before=asked.position + 1, limit=4 * LINES_BEFORE)
    person = name_of(session, thread.owner)
    said = [_said(message, person if message.role == "user" else agent) for message in page.messages]
    return [line for line in said if line.text][-LINES_BEFORE:]


def _said(message: MessageRecord, name: str) -> Said:
    parts = [as_stored(part) for part in message.content]
    words = "\n".join(str(part.get("text", "")) for part in parts if part.get("kind") == "text").strip()
    cut = words if len(words) <= LONGEST_LINE else f"{words[:LONGEST_LINE]}…"
    role = "user" if message.role == "user" else "agent"
    return Said(message.key, role, name, iso(message.created), cut)


def _choices(found: Iterable[tuple[str, str, Share]]) -> list[Choice]:
    counted: Counter[tuple[str, str]] = Counter()
    for key, name, share in found:
        counted[key, name] += share.count
    named: Sequence[tuple[str, str]] = sorted(
        (pair for pair in counted if pair[0]), key=lambda pair: (pair[1].casefold(), pair[0])
    )
    return [Choice(key, name, counted[key, name]) for key, name in named]
