import dataclasses

import pytest

from chat_app.data import runs
from tests.support.records import NOON, SECOND, stored_exchange, stored_run, stored_thread

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def exchange(database):
    with database.transaction() as session:
        return stored_exchange(session, stored_thread(session))


@pytest.fixture
def run(database, exchange):
    with database.transaction() as session:
        return stored_run(session, exchange)


def test_a_run_comes_back_as_it_was_stored(database, run):
    with database.transaction() as session:
        assert runs.get(session, run.id) == runs.lock(session, run.id) == run
        assert runs.get(session, "unknown") is runs.lock(session, "unknown") is None


def test_how_a_run_ended_is_written_once(database, run):
    ending = {
        "status": "failed",
        "ended": NOON + SECOND,
        "error_code": "E",
        "error_message": "broke\x00",
        "usage": [{"input": 1}],
        "diagnostics": {"dropped": 2},
        "note_position": 4,
    }
    with database.transaction() as session:
        assert runs.finish(session, run.id, **ending)
        assert not runs.finish(session, run.id, status="success", ended=NOON)
        found = runs.get(session, run.id)

    assert found == dataclasses.replace(run, **ending | {"error_message": "broke\ufffd"})


def test_runs_of_a_thread_are_listed_oldest_first(database, exchange, run):
    with database.transaction() as session:
        follow_up = stored_run(session, exchange, started=NOON + SECOND, parent=run.id)

        assert runs.of_thread(session, exchange.thread) == (run, follow_up)
        assert runs.last_of(session, exchange.thread) == follow_up
        assert runs.last_of(session, "unknown") is None


def test_only_runs_that_go_on_are_running(database, exchange, run):
    with database.transaction() as session:
        stored_run(session, exchange, status="success")

        assert runs.running_of(session, exchange.id) == (run,)


def test_the_next_number_counts_the_runs_of_the_thread(database, exchange, run):
    with database.transaction() as session:
        stored_run(session, stored_exchange(session, stored_thread(session)))

        assert runs.next_number(session, exchange.thread) == 2
        assert runs.next_number(session, "unknown") == 1


def test_runs_are_found_where_the_transcript_tells_of_their_end(database, exchange, run):
    with database.transaction() as session:
        told = [stored_run(session, exchange, status="failed", note_position=n) for n in (9, 3, 6)]

        assert runs.noted(session, exchange.thread, first=6) == (told[2], told[0])
        assert runs.noted(session, exchange.thread, first=1, before=9) == (told[1], told[2])


def test_an_interrupted_run_is_sealed_once(database, exchange):
    with database.transaction() as session:
        asked = stored_run(session, exchange, status="interrupted")

        assert runs.seal(session, asked.id, now=NOON)
        assert not runs.seal(session, asked.id, now=NOON + SECOND)
        assert runs.get(session, asked.id).sealed_at == NOON


def test_a_run_that_did_not_ask_is_not_sealed(database, run):
    with database.transaction() as session:
        assert not runs.seal(session, run.id, now=NOON)


def test_some_runs_are_found_by_their_ids(database, exchange, run):
    with database.transaction() as session:
        other = stored_run(session, exchange)
        assert set(runs.some(session, {run.id, other.id, "unknown"})) == {run, other}
        assert runs.some(session, set()) == ()
