"""Every statement that grows with use is answered from an index, as SQLite itself explains it.

`QUERIES` names the index; `BY_KEY` holds what asks for rows by what identifies them. A repository function that is in
neither, and not named as one that reads a whole table, fails the last test here.
"""

import importlib
import inspect
import pkgutil
import re

import pytest
from sqlalchemy import event

from chat_app import data
from chat_app.data import (
    agents,
    attachments,
    audit,
    auth_sessions,
    branches,
    decisions,
    deliveries,
    endorsements,
    events,
    exchanges,
    feedback,
    identities,
    inbox,
    interrupts,
    invitations,
    mail_addresses,
    messages,
    oversight,
    passwords,
    personal,
    queued_sends,
    runs,
    search,
    sign_in_attempts,
    state_versions,
    threads,
    tool_calls,
    users,
    webhooks,
)
from chat_app.data.branches import Stretch
from chat_app.data.oversight import Wanted
from chat_app.data.records import StateVersionRecord
from chat_app.data.tables import Base
from chat_app.data.threads import Place
from tests.support.records import NOON, a_decision, a_user, an_exchange, stored_thread

pytest_plugins = ("tests.support.databases",)


LOOKER = inbox.Looker(id="u1", roles=2, asks=True)


class Explained:
    """Notes how SQLite answers each statement of a session."""

    def __init__(self, session) -> None:
        self.steps: list[str] = []
        connection = session.connection()
        event.listen(connection, "before_cursor_execute", self._explain)

    def _explain(self, connection, _cursor, statement, parameters, _context, _many) -> None:
        raw = connection.connection.cursor()
        raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        self.steps += [row[3] for row in raw.fetchall()]


def newest_threads(session):
    first = threads.listed(session, "u1", limit=1).threads
    threads.listed(session, "u1", before=first[0])


def next_branch(session):
    branches.add(session, branches.root("t1", wire_id="t1", by="u1", now=NOON))
    branches.next_number(session, "t1")


def chained(session):
    first = StateVersionRecord(thread="t1", seq=1, branch=0, kind="snapshot", document={}, at=NOON)
    then = StateVersionRecord(
        thread="t1", seq=2, branch=0, kind="patch", base=1, depth=1, document=[], at=NOON
    )
    for version in (first, then):
        state_versions.add(session, version)
    state_versions.chain(session, then)


QUERIES = {
    "thread list": (newest_threads, {"ix_thread_list"}),
    "thread": (lambda s: threads.owned(s, "t1", owner="u1"), {"sqlite_autoindex_thread_1"}),
    "erasure": (
        lambda s: threads.due_deleted(s, before=NOON, limit=9),
        {"ix_thread_deleted", "uq_exchange_live"},
    ),
    "unused threads": (
        lambda s: threads.due_unused(s, agent="a1", before=NOON, limit=9),
        {"ix_thread_agent_updated_id", "uq_exchange_live"},
    ),
    "size of an erasure": (
        lambda s: threads.count_deleted(s, before=NOON),
        {"ix_thread_deleted", "uq_exchange_live"},
    ),
    "how many are unused": (
        lambda s: threads.count_unused(s, agent="a1", before=NOON, but_deleted=NOON),
        {"ix_thread_agent_updated_id", "uq_exchange_live"},
    ),
    "threads of everybody": (
        lambda s: oversight.page(s, Wanted(words="x"), before=Place(NOON, "t1")),
        {"ix_thread_newest"},
    ),
    "threads of one among all": (
        lambda s: oversight.page(s, Wanted(owner="u1")),
        {"ix_thread_list"},
    ),
    "threads with an agent": (
        lambda s: oversight.page(s, Wanted(agent="a1")),
        {"ix_thread_agent_updated_id"},
    ),
    "threads in a state": (
        lambda s: oversight.page(s, Wanted(mark="failed")),
        {"ix_thread_mark_newest"},
    ),
    "threads with a tool": (
        lambda s: oversight.page(s, Wanted(tool="refund")),
        {"ix_tool_call_name_message"},
    ),
    "threads in which a person wrote words": (
        lambda s: oversight.page(s, Wanted(owner="u1", texts=("x",))),
        {"ix_search_entry_owner_at_id"},
    ),
    "what is in threads": (
        lambda s: oversight.holds(s, ["t1", "t2"]),
        {"ix_message_thread_branch_position_key", "ix_run_thread_branch_started_id"},
    ),
    "what runs took": (
        lambda s: oversight.took(s, since=NOON, until=NOON),
        {"ix_run_started"},
    ),
    "how long questions waited": (
        lambda s: oversight.waited(s, since=NOON, until=NOON),
        {"ix_interrupt_settled_at_id", "sqlite_autoindex_decision_2"},
    ),
    "threads of a person": (lambda s: threads.ids_of(s, "u1"), {"ix_thread_owner_id"}),
    "branches": (lambda s: branches.of_thread(s, "t1"), {"sqlite_autoindex_branch_1"}),
    "log of a branch": (
        lambda s: events.of_path(s, "t1", (Stretch(1), Stretch(0, 9))),
        {"sqlite_autoindex_run_event_1", "sqlite_autoindex_run_1"},
    ),
    "last line of a branch": (
        lambda s: messages.last(s, "t1", branch=1, before=9),
        {"ix_message_thread_branch_position_key"},
    ),
    "first row from a place": (
        lambda s: messages.first_from(s, "t1", 9),
        {"ix_message_thread_branch_position_key"},
    ),
    "newest state": (
        lambda s: state_versions.newest(s, "t1", (Stretch(0, 9),)),
        {"ix_state_version_thread_branch_seq"},
    ),
    "states of a branch": (
        lambda s: state_versions.marks(s, "t1", (Stretch(1), Stretch(0, 9))),
        {"sqlite_autoindex_state_version_1"},
    ),
    "states of a thread": (
        lambda s: state_versions.of_thread(s, "t1"),
        {"sqlite_autoindex_state_version_1"},
    ),
    "whole branch": (lambda s: messages.of_thread(s, "t1"), {"ix_message_thread_branch_position_key"}),
    "rows that vanished": (lambda s: messages.drop(s, "t1", ["k"]), {"sqlite_autoindex_message_2"}),
    "opinions of a message": (lambda s: feedback.of_message(s, "m1"), {"sqlite_autoindex_feedback_2"}),
    "opinions of a branch": (
        lambda s: feedback.by_key(s, "t1", "u1"),
        {"ix_message_thread_branch_position_key", "sqlite_autoindex_feedback_2"},
    ),
    "answers to questions": (
        lambda s: decisions.of_interrupts(s, ["i1"]),
        {"sqlite_autoindex_decision_2"},
    ),
    "questions without an answer": (
        lambda s: interrupts.undecided(s, "r1", now=NOON),
        {"sqlite_autoindex_interrupt_2", "sqlite_autoindex_decision_2"},
    ),
    "number of a run": (lambda s: runs.next_number(s, "t1"), {"sqlite_autoindex_run_2"}),
    "sign-ins that end": (
        lambda s: auth_sessions.revoke_all(s, "u1", now=NOON),
        {"ix_auth_session_user"},
    ),
    "calls that vanished": (
        lambda s: tool_calls.drop_others(s, ["m1"], []),
        {"sqlite_autoindex_tool_call_2"},
    ),
    "erasure of a person": (
        lambda s: personal.erase(s, "u1"),
        {"ix_identity_user", "ix_queued_send_by", "ix_feedback_by", "ix_attachment_by", "ix_decision_by"},
    ),
    "open sign-ins": (lambda s: auth_sessions.open_of(s, "u1", now=NOON), {"ix_auth_session_user"}),
    "endorsements of a question": (
        lambda s: endorsements.of_interrupt(s, "i1"),
        {"sqlite_autoindex_endorsement_2"},
    ),
    "endorsements of questions": (
        lambda s: endorsements.of_interrupts(s, ["i1", "i2"]),
        {"sqlite_autoindex_endorsement_2"},
    ),
    "endorsements of a person": (lambda s: endorsements.by_user(s, "u1"), {"ix_endorsement_by"}),
    "hits of a search": (
        lambda s: search.find(s, "u1", ["word"], limit=9),
        {"ix_search_entry_owner_at_id"},
    ),
    "threads to search": (lambda s: threads.unindexed(s, "u1", limit=9), {"ix_thread_unindexed"}),
    "messages to search": (
        lambda s: search.stale(s, "t1", limit=9),
        {"sqlite_autoindex_message_2", "sqlite_autoindex_search_entry_1"},
    ),
    "audit of a thing": (lambda s: audit.of_object(s, "thread:t1"), {"ix_audit_object_seq"}),
    "acts of a person": (lambda s: audit.of_actor(s, "u1"), {"ix_audit_actor_seq"}),
    "audit of a person": (
        lambda s: audit.newest(s, audit.Sought(actor="u1"), limit=9),
        {"ix_audit_actor_seq"},
    ),
    "audit of one thing": (
        lambda s: audit.newest(s, audit.Sought(thing="audit"), limit=9),
        {"ix_audit_object_seq"},
    ),
    "sign-ins of a person": (lambda s: auth_sessions.of_user(s, "u1"), {"ix_auth_session_user"}),
    "sign-ins that are over": (lambda s: auth_sessions.purge(s, before=NOON), {"ix_auth_session_expires_at"}),
    "answers of a person": (lambda s: decisions.by_user(s, "u1"), {"ix_decision_by"}),
    "things of a person": (
        lambda s: list(personal.of_user(s, "u1")),
        {"ix_identity_user", "ix_queued_send_by", "ix_feedback_by", "ix_attachment_by"},
    ),
    "newest messages": (
        lambda s: messages.newest(s, "t1", limit=5),
        {"ix_message_thread_branch_position_key"},
    ),
    "older messages": (
        lambda s: messages.newest(s, "t1", before=9, limit=5),
        {"ix_message_thread_branch_position_key"},
    ),
    "message by key": (lambda s: messages.by_key(s, "t1", "k"), {"sqlite_autoindex_message_2"}),
    "calls of messages": (lambda s: tool_calls.of_messages(s, ["m1"]), {"sqlite_autoindex_tool_call_2"}),
    "log": (lambda s: events.of_thread(s, "t1", after=5), {"sqlite_autoindex_run_event_1"}),
    "log of a run": (lambda s: events.of_run(s, "r1"), {"ix_run_event_run_seq"}),
    "newest runs": (lambda s: runs.latest(s, "t1", limit=9), {"ix_run_thread_started_id"}),
    "runs of an exchange": (lambda s: runs.of_exchange(s, "e1"), {"ix_run_exchange"}),
    "size of a run": (lambda s: events.count_of_run(s, "r1"), {"ix_run_event_run_seq"}),
    "calls of a run": (
        lambda s: tool_calls.of_run(s, "r1", limit=9),
        {"ix_message_run", "sqlite_autoindex_tool_call_2"},
    ),
    "runs": (lambda s: runs.of_thread(s, "t1"), {"ix_run_thread_started_id"}),
    "last run": (lambda s: runs.last_of(s, "t1"), {"ix_run_thread_branch_started_id"}),
    "running": (lambda s: runs.running_of(s, "e1"), {"ix_run_exchange"}),
    "notes": (lambda s: runs.noted(s, "t1", first=1, before=9), {"ix_run_note"}),
    "live exchange": (lambda s: exchanges.live_of(s, "t1"), {"uq_exchange_live"}),
    "live exchanges": (exchanges.live, {"ix_exchange_lease"}),
    "late exchanges": (lambda s: exchanges.expired(s, now=NOON), {"ix_exchange_lease"}),
    "held": (lambda s: exchanges.held(s, ["e1", "e2"], worker_id="w"), {"sqlite_autoindex_exchange_1"}),
    "pending questions": (lambda s: interrupts.pending(s, "t1"), {"ix_interrupt_thread_position_id"}),
    "shown questions": (lambda s: interrupts.placed(s, "t1", first=1), {"ix_interrupt_thread_position_id"}),
    "questions in the way": (lambda s: interrupts.unsealed(s, "t1"), {"ix_interrupt_thread_position_id"}),
    "questions of a thread": (
        lambda s: interrupts.of_thread(s, "t1", status="withdrawn"),
        {"ix_interrupt_thread_position_id"},
    ),
    "tools that ask": (lambda s: interrupts.asking_tools(s, "t1"), {"ix_interrupt_thread_position_id"}),
    "waiting lines": (lambda s: queued_sends.of_thread(s, "t1"), {"sqlite_autoindex_queued_send_2"}),
    "count of waiting lines": (lambda s: queued_sends.count(s, "t1"), {"sqlite_autoindex_queued_send_2"}),
    "next line": (lambda s: queued_sends.get(s, "q1"), {"sqlite_autoindex_queued_send_1"}),
    "live of a person": (lambda s: exchanges.alive(s, by="u1"), {"ix_exchange_lease"}),
    "live of a worker": (lambda s: exchanges.alive(s, worker_id="w1"), {"ix_exchange_lease"}),
    "late questions": (lambda s: interrupts.overdue(s, now=NOON), {"ix_interrupt_expiry"}),
    "questions of a run": (lambda s: interrupts.of_run(s, "r1"), {"sqlite_autoindex_interrupt_2"}),
    "answers of a run": (
        lambda s: decisions.of_run(s, "r1"),
        {"sqlite_autoindex_interrupt_2", "sqlite_autoindex_decision_2"},
    ),
    "carried answers": (lambda s: decisions.carried(s, "r1"), {"ix_decision_resume_run"}),
    "owed answers": (
        lambda s: decisions.owed(s, "t1"),
        {"ix_interrupt_thread_position_id", "sqlite_autoindex_decision_2"},
    ),
    "sign-in": (lambda s: auth_sessions.find(s, "h", now=NOON), {"sqlite_autoindex_auth_session_2"}),
    "notices that are due": (
        lambda s: deliveries.due(s, now=NOON, limit=9),
        {"ix_delivery_state_created_id"},
    ),
    "newest notices in a state": (
        lambda s: deliveries.newest(s, limit=9, state="failed"),
        {"ix_delivery_state_created_id"},
    ),
    "person at an issuer": (
        lambda s: identities.of_user(s, "u1", "https://id"),
        {"ix_identity_user"},
    ),
    "user by name": (lambda s: users.named(s, "ada"), {"sqlite_autoindex_user_2"}),
}

BY_KEY = {
    "inbox.get": lambda s: inbox.get(s, "i1"),
    "inbox.remind": lambda s: inbox.remind(s, "i1", now=NOON),
    "inbox.escalate": lambda s: inbox.escalate(s, "i1", now=NOON, to=8),
    "inbox.due": lambda s: inbox.due(s, now=NOON, limit=9),
    "inbox.hold": lambda s: inbox.hold(s, "i1", holder="u1", by="u1", at=NOON, was=None),
    "inbox.line": lambda s: inbox.line(s, "i1"),
    "inbox.alike": lambda s: inbox.alike(s, LOOKER, ["i1"]),
    "inbox.origins": lambda s: inbox.origins(s, ["t1"]),
    "inbox.judged_by_others": lambda s: inbox.judged_by_others(s, "a1", "r", limit=1),
    "deliveries.get": lambda s: deliveries.get(s, "d1"),
    "deliveries.take": lambda s: deliveries.take(s, "d1", by="w", now=NOON, until=NOON),
    "deliveries.settle": lambda s: deliveries.settle(s, "d1", by="w", state="sent", outcome="200", at=NOON),
    "deliveries.postpone": lambda s: deliveries.postpone(s, "d1", by="w", outcome="500", due=NOON),
    "deliveries.again": lambda s: deliveries.again(s, "d1", now=NOON),
    "webhooks.get": lambda s: webhooks.get(s, "w1"),
    "webhooks.change": lambda s: webhooks.change(s, "w1", enabled=True),
    "webhooks.drop": lambda s: webhooks.drop(s, "w1"),
    "mail_addresses.get": lambda s: mail_addresses.get(s, "u1"),
    "mail_addresses.drop": lambda s: mail_addresses.drop(s, "u1"),
    "mail_addresses.want": lambda s: mail_addresses.want(s, "u1", wanted=True, at=NOON),
    "mail_addresses.wanting": lambda s: mail_addresses.wanting(s, ["u1"]),
    "attachments.forget": lambda s: attachments.forget(s, "f1", by="u1"),
    "attachments.forget_unsent": lambda s: attachments.forget_unsent(s, before=NOON),
    "attachments.get": lambda s: attachments.get(s, "f1"),
    "attachments.is_kept": lambda s: attachments.is_kept(s, "0" * 64),
    "attachments.send": lambda s: attachments.send(s, ["f1"], thread="t1", message=None),
    "attachments.some": lambda s: attachments.some(s, ["f1"]),
    "attachments.unsent_size": lambda s: attachments.unsent_size(s, "u1"),
    "auth_sessions.living": lambda s: auth_sessions.living(s, ["x"], now=NOON),
    "decisions.withdraw": lambda s: decisions.withdraw(s, "i1"),
    "endorsements.withdraw": lambda s: endorsements.withdraw(s, "i1", by="u1"),
    "identities.drop": lambda s: identities.drop(s, "u1", "https://id"),
    "identities.find": lambda s: identities.find(s, "https://id", "1"),
    "identities.touch": lambda s: identities.touch(s, "x", now=NOON),
    "invitations.find": lambda s: invitations.find(s, "h", now=NOON),
    "invitations.use": lambda s: invitations.use(s, "x", now=NOON),
    "invitations.withdraw": lambda s: invitations.withdraw(s, "x"),
    "messages.between": lambda s: messages.between(s, "t1", 1, 9),
    "passwords.of_user": lambda s: passwords.of_user(s, "u1"),
    "sign_in_attempts.take": lambda s: sign_in_attempts.take(s, "h", now=NOON),
    "users.set_active": lambda s: users.set_active(s, "u1", active=False),
    "users.set_display_name": lambda s: users.set_display_name(s, "u1", "Ada"),
    "users.set_roles": lambda s: users.set_roles(s, "u1", ["user"]),
    "agents.change": lambda s: agents.change(s, "a1", enabled=True),
    "audit.newest": lambda s: audit.newest(s, audit.Sought(tool="refund"), limit=9),
    "audit.oldest": lambda s: audit.oldest(s, audit.Sought(tool="refund"), after=1, upto=9),
    "audit.get": lambda s: audit.get(s, 1),
    "oversight.one": lambda s: oversight.one(s, "t1"),
    "agents.get": lambda s: agents.get(s, "a1"),
    "auth_sessions.touch": lambda s: auth_sessions.touch(s, "x", now=NOON, expires_at=NOON),
    "auth_sessions.revoke": lambda s: auth_sessions.revoke(s, "x", now=NOON),
    "branches.next_number": next_branch,
    "branches.path": lambda s: branches.path(s, "t1"),
    "decisions.record": lambda s: decisions.record(s, a_decision(interrupt="i1", by="u1")),
    "decisions.revise": lambda s: decisions.revise(s, a_decision(interrupt="i1", by="u1")),
    "decisions.set_resume_run": lambda s: decisions.set_resume_run(s, ["d1"], resume_run="r1"),
    "exchanges.get": lambda s: exchanges.get(s, "e1"),
    "exchanges.renew": lambda s: exchanges.renew(s, ["e1"], worker_id="w", lease_until=NOON),
    "exchanges.take_over": lambda s: exchanges.take_over(
        s, an_exchange(thread="t1", by="u1"), worker_id="w", lease_until=NOON
    ),
    "exchanges.request_stop": lambda s: exchanges.request_stop(s, "t1", by="u1", now=NOON),
    "exchanges.end": lambda s: exchanges.end(s, "e1", worker_id="w", now=NOON),
    "feedback.take_back": lambda s: feedback.take_back(s, "m1", "u1"),
    "interrupts.get": lambda s: interrupts.get(s, "i1"),
    "interrupts.set_status": lambda s: interrupts.set_status(s, ["i1"], status="answered"),
    "messages.ids": lambda s: messages.ids(s, "t1", ["k"]),
    "messages.get": lambda s: messages.get(s, "m1"),
    "queued_sends.lock": lambda s: queued_sends.lock(s, "q1"),
    "queued_sends.change": lambda s: queued_sends.change(s, "q1", text="x", now=NOON),
    "queued_sends.hurry": lambda s: queued_sends.hurry(s, "q1", now=NOON),
    "queued_sends.take": lambda s: queued_sends.take(s, "q1"),
    "runs.get": lambda s: runs.get(s, "r1"),
    "runs.lock": lambda s: runs.lock(s, "r1"),
    "runs.some": lambda s: runs.some(s, ["r1", "r2"]),
    "runs.finish": lambda s: runs.finish(s, "r1", status="failed", ended=NOON),
    "runs.seal": lambda s: runs.seal(s, "r1", now=NOON),
    "state_versions.chain": chained,
    "state_versions.at_number": lambda s: state_versions.at_number(s, "t1", 1),
    "threads.get": lambda s: threads.get(s, "t1"),
    "threads.any_of": lambda s: threads.any_of(s, "t1"),
    "threads.deleted": lambda s: threads.deleted(s, "t1"),
    "threads.line": lambda s: threads.line(s, "t1"),
    "threads.change": lambda s: threads.change(s, "t1", title="x"),
    "threads.reserve": lambda s: threads.reserve(s, "t1"),
    "threads.advance": lambda s: threads.advance(s, "t1", last_seq=9),
    "threads.see": lambda s: threads.see(s, "t1", seq=9),
    "threads.delete": lambda s: threads.delete(s, "t1", now=NOON),
    "threads.restore": lambda s: threads.restore(s, "t1"),
    "threads.erase": lambda s: threads.erase(s, ["t1"]),
    "users.get": lambda s: users.get(s, "u1"),
    "users.lock": lambda s: users.lock(s, "u1"),
    "users.make_nameless": lambda s: users.make_nameless(s, "u1"),
}

WHOLE = {
    "inbox.counts",  # what waits at all: ten thousand take 40 ms (benchmarks/inbox.py)
    "inbox.lines",
    "inbox.newest",
    "inbox.print_of",
    "inbox.shares",
    "inbox.unjudged",
    "invitations.usable",  # links that are open: few, and not for long
    "invitations.withdraw_all",
    "users.active_with",  # the people of an installation, when one of them is changed
    "users.every",
    "users.lock_admins",
    "agents.ensure_builtin",  # a handful of agents
    "agents.rename_builtin",
    "agents.drop_builtin",
    "agents.names",
    "webhooks.every",  # a handful of webhooks
    "deliveries.counts",  # what was sent in the last days, for the page of an admin
    "deliveries.purge",
    "deliveries.release",  # once, by a process that is alone
    "agents.enabled",
    "agents.every",
    "audit.append",  # the newest entry, by number
    "audit.entries",  # page by page, by number
    "audit.broken_at",
    "audit.last",  # the newest number
    "queued_sends.waiting",  # what waits at all: few lines, and not for long
    "threads.every_id",  # `parley db verify` looks at everything
}
"""What reads a table from its beginning or end, and why that may be."""

ADDS = {
    "inbox.put",
    "attachments.add",
    "deliveries.add",
    "webhooks.create",
    "mail_addresses.put",
    "endorsements.put",
    "identities.create",
    "invitations.create",
    "passwords.put",
    "search.put",
    "sign_in_attempts.begin",
    "users.create",
    "agents.create",
    "auth_sessions.create",
    "branches.add",
    "events.append",
    "exchanges.start",
    "feedback.put",
    "interrupts.add",
    "messages.upsert",
    "queued_sends.add",
    "runs.create",
    "state_versions.add",
    "threads.begin",
    "threads.create",
    "tool_calls.upsert",
    "users.ensure",
}
"""What adds rows: there is nothing to look for."""

MAY_SORT = {
    "notices that are due",  # those that wait
    "person at an issuer",
    "threads in which a person wrote words",  # one person's
    "what is in threads",  # to name each tool once
    "runs of an exchange",
    "calls of a run",
    "threads of one among all",  # one person's
    "threads with a tool",  # those in which it was called
    "waiting lines",
    "sign-ins of a person",
    "answers of a person",
    "things of a person",
    "held",
    "questions of a run",
    "answers of a run",
    "carried answers",
    "calls of messages",
    "opinions of a message",
    "open sign-ins",
    "endorsements of a question",
    "endorsements of a person",
    "endorsements of questions",
    "messages to search",
    "threads to search",
    "questions without an answer",
    "answers to questions",
}
"""A handful of rows each, found by an index on something else than their order."""


def explained(database, ask) -> str:
    """Return how the statements of a question are answered."""
    with database.transaction() as session:
        stored_thread(session, id="t1", owner=users.ensure(session, a_user(id="u1")).id)
        steps = Explained(session)
        ask(session)
    return "\n".join(steps.steps)


def scanned(plan: str) -> set[str]:
    """Return our tables that are read row by row."""
    found = set(re.findall(r"SCAN (\w+)(?! USING INDEX ix_exchange_lease)\b", plan))
    return found & set(Base.metadata.tables)


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_answered_from_its_index(sqlite, name):
    ask, indexes = QUERIES[name]
    plan = explained(sqlite, ask)

    assert indexes <= set(re.findall(r"USING (?:COVERING )?INDEX (\w+)", plan)), plan
    assert not scanned(plan), plan
    assert name in MAY_SORT or "USE TEMP B-TREE" not in plan, plan


@pytest.mark.parametrize("name", BY_KEY)
def test_what_is_asked_for_by_its_key_is_found_by_it(sqlite, name):
    plan = explained(sqlite, BY_KEY[name])
    assert "SEARCH" in plan, plan
    assert not scanned(plan), plan
    assert "USE TEMP B-TREE" not in plan, plan


def functions() -> set[str]:
    """Return every public repository function: those that take a session first."""
    found = set()
    for each in pkgutil.iter_modules(data.__path__):
        module = importlib.import_module(f"{data.__name__}.{each.name}")
        found |= {
            f"{each.name}.{name}"
            for name, member in vars(module).items()
            if inspect.isfunction(member)
            and member.__module__ == module.__name__
            and not name.startswith("_")
            if next(iter(inspect.signature(member).parameters), "") == "session"
        }
    return found


def named(ask) -> set[str]:
    """Return the repository functions that a question calls."""
    module = ask.__module__.rpartition(".")[2]
    words = ask.__code__.co_names
    return {f"{module}.{ask.__name__}"} | {f"{one}.{other}" for one in words for other in words}


def test_every_repository_function_is_explained_or_excused():
    asked = set().union(*(named(ask) for ask, _ in QUERIES.values()))
    helpers = {name for name in functions() if name.partition(".")[0] in HELPERS}
    left = functions() - asked - set(BY_KEY) - WHOLE - ADDS - helpers
    assert left == set(), "say in QUERIES, BY_KEY, WHOLE or ADDS how these are answered"


HELPERS = {"sql", "columns", "db", "migrate", "notices", "transfer", "presence"}
"""Modules that are no repositories, or speak of whole databases."""
