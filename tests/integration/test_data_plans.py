"""Every query that grows with use is answered from an index, as SQLite itself explains it."""

import re

import pytest
from sqlalchemy import event

from chat_app.data import (
    audit,
    auth_sessions,
    branches,
    decisions,
    events,
    exchanges,
    interrupts,
    messages,
    personal,
    queued_sends,
    runs,
    state_versions,
    threads,
    tool_calls,
    users,
)
from chat_app.data.branches import Stretch
from chat_app.data.tables import Base
from tests.support.records import NOON, a_user, stored_thread

pytest_plugins = ("tests.support.databases",)


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
    "audit of a thing": (lambda s: audit.of_object(s, "thread:t1"), {"ix_audit_object_seq"}),
    "acts of a person": (lambda s: audit.of_actor(s, "u1"), {"ix_audit_actor_seq"}),
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
    "user by name": (lambda s: users.named(s, "ada"), {"sqlite_autoindex_user_2"}),
}

MAY_SORT = {
    "waiting lines",
    "sign-ins of a person",
    "answers of a person",
    "things of a person",
    "held",
    "questions of a run",
    "answers of a run",
    "carried answers",
    "calls of messages",
}
"""A handful of rows each, found by an index on something else than their order."""


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_answered_from_its_index(sqlite, name):
    ask, indexes = QUERIES[name]
    with sqlite.transaction() as session:
        stored_thread(session, owner=users.ensure(session, a_user(id="u1")).id)
        explained = Explained(session)
        ask(session)
    plan = "\n".join(explained.steps)

    assert indexes <= set(re.findall(r"USING (?:COVERING )?INDEX (\w+)", plan)), plan
    scanned = set(re.findall(r"SCAN (\w+)(?! USING INDEX ix_exchange_lease)\b", plan))
    assert not scanned & set(Base.metadata.tables), plan
    assert name in MAY_SORT or "USE TEMP B-TREE" not in plan, plan
