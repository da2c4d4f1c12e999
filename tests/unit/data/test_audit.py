from dataclasses import replace
from datetime import timedelta, timezone

import pytest
from sqlalchemy import delete, text, update

from chat_app.data import audit
from chat_app.data.audit import Act
from chat_app.data.audit import audit as table
from chat_app.data.errors import ConstraintBroken
from chat_app.data.sql import add
from tests.support.records import (
    NOON,
    SECOND,
    stored_exchange,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


def act(**values) -> Act:
    return Act(**{"action": "decided", "object": "interrupt:i1", "actor": "u1", "at": NOON} | values)


@pytest.fixture
def chain(database):
    """Three entries, and the database that holds them."""
    with database.transaction() as session:
        for number in range(3):
            detail = {"digest": "d", "b": [number, None, 1.5], "a": "ä"}
            audit.append(
                session, act(object=f"interrupt:i{number}", at=NOON + number * SECOND, detail=detail)
            )
    return database


def test_each_entry_holds_the_hash_of_the_one_before(chain):
    with chain.reading() as session:
        first, second, third = audit.entries(session, page=2)
        assert audit.broken_at(session, page=2) is None

    assert [first.seq, second.seq, third.seq] == [1, 2, 3]
    assert [first.previous, second.previous, third.previous] == [audit.FIRST, first.hash, second.hash]


def test_acts_are_found_by_what_they_were_done_to_and_by_whom(chain):
    with chain.transaction() as session:
        audit.append(session, act(actor=None, action="expired", reason="time"))

    with chain.reading() as session:
        assert [(one.actor, one.action, one.reason) for one in audit.of_object(session, "interrupt:i1")] == [
            ("u1", "decided", ""),
            (None, "expired", "time"),
        ]
        assert [one.seq for one in audit.of_actor(session, "u1")] == [1, 2, 3]


@pytest.mark.parametrize("statement", [update(table).values(reason="x"), delete(table)])
def test_no_entry_can_be_changed_or_taken_out(chain, statement):
    with pytest.raises(ConstraintBroken), chain.transaction() as session:
        session.execute(statement)

    with chain.reading() as session:
        assert audit.broken_at(session) is None


def unprotected(session) -> None:
    """Take the protection away, as somebody with the file or the server could."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SET LOCAL session_replication_role = replica"))
    else:
        session.execute(text("DROP TRIGGER audit_is_kept_UPDATE"))
        session.execute(text("DROP TRIGGER audit_is_kept_DELETE"))


@pytest.mark.parametrize(
    ("crime", "noticed"),
    [
        (update(table).where(table.c.seq == 2).values(actor="u2"), 2),
        (update(table).where(table.c.seq == 3).values(detail={"digest": "e"}), 3),
        (delete(table).where(table.c.seq == 1), 1),
        (delete(table).where(table.c.seq == 2), 2),
    ],
)
def test_whoever_goes_around_the_protection_is_noticed(chain, crime, noticed):
    with chain.transaction() as session:
        unprotected(session)
        session.execute(crime)

    with chain.reading() as session:
        assert audit.broken_at(session) == noticed


def test_an_entry_put_in_between_is_noticed(chain):
    with chain.transaction() as session:
        last = list(audit.entries(session))[-1]
        add(session, table, [replace(last, seq=5, hash="f" * 64)])

    with chain.reading() as session:
        assert audit.broken_at(session) == 4


def test_a_moment_of_another_zone_is_the_same_moment(database):
    noon_there = NOON.astimezone(timezone(timedelta(hours=5)))
    with database.transaction() as session:
        audit.append(session, act(at=noon_there))

    with database.reading() as session:
        assert audit.broken_at(session) is None


def found(session, **sought) -> list[int]:
    return [entry.seq for entry in audit.newest(session, audit.Sought(**sought), limit=9)]


def test_entries_are_found_by_what_they_are_about(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        asked = stored_question(session, stored_run(session, stored_exchange(session, thread)))
        told = {"thread": thread.id, "tool": 'a "tool"\x00', "other": '"tool":"refund"'}
        for entry in (
            act(object=f"interrupt:{asked.id}", action="question.propose", detail=told),
            act(object=f"thread:{thread.id}", action="thread.view", actor="u2", at=NOON + SECOND),
            act(object=f"agent:{thread.agent}", action="agent.changed"),
            act(object="interrupt:erased", action="questionable", detail={"thread": "erased"}),
        ):
            audit.append(session, entry)
        assert audit.last(session) == 4
        assert found(session) == [4, 3, 2, 1]
        assert found(session, kind="question") == found(session, tool='a "tool"\x00') == [1]
        assert found(session, thread=thread.id) == [2, 1]
        assert found(session, agent=thread.agent) == [3, 2, 1]
        assert found(session, thread="erased") == found(session, actions=["questionable"]) == [4]
        assert found(session, tool="refund") == found(session, tool="%") == found(session, agent="a") == []
        assert found(session, actor="u2") == found(session, since=NOON + SECOND) == [2]
        assert found(session, thing="interrupt:erased", until=NOON + SECOND) == [4]
        pages = audit.oldest(session, audit.Sought(), after=1, upto=3)
        assert [entry.seq for entry in pages] == [2, 3]


def test_an_empty_audit_has_no_last_entry(database):
    with database.reading() as session:
        assert (audit.last(session), audit.get(session, 1)) == (0, None)


def test_one_entry_is_compared_with_the_one_before_it(chain):
    with chain.reading() as session:
        first, second, third = audit.entries(session)
        assert audit.get(session, 2) == second
    assert audit.fits(first, None)
    assert audit.fits(third, second)
    assert not audit.fits(third, first)
    assert not audit.fits(replace(second, reason="no"), first)
