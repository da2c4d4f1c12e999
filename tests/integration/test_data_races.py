"""Many threads at one row: exactly one of them wins, on both databases."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from chat_app.data import decisions, events, exchanges, interrupts, migrate, runs, threads
from chat_app.data.db import Database
from chat_app.data.errors import ThreadBusy
from tests.support.records import (
    NOON,
    SECOND,
    a_decision,
    an_event,
    an_exchange,
    stored_exchange,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


def together(number: int, act: Callable[[int], object]) -> list[object]:
    """Run `act` in so many threads that all start at once; return what each returned."""
    barrier = threading.Barrier(number)

    def start(which: int) -> object:
        barrier.wait(10)
        return act(which)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(start, range(number)))


def test_one_of_many_starters_of_a_thread_wins(database):
    with database.transaction() as session:
        thread = stored_thread(session)

    def start(_which: int) -> bool:
        record = an_exchange(thread=thread.id, by=thread.owner)
        try:
            with database.transaction() as session:
                exchanges.start(session, record)
        except ThreadBusy:
            return False
        return True

    assert sorted(together(10, start)) == [False] * 9 + [True]


def test_fifty_threads_seal_a_run_once(database):
    with database.transaction() as session:
        run = stored_run(session, stored_exchange(session, stored_thread(session)), status="interrupted")

    def seal(which: int) -> bool:
        with database.transaction() as session:
            return runs.seal(session, run.id, now=NOON + which * SECOND)

    assert together(50, seal).count(True) == 1


def test_one_of_many_answers_to_a_question_is_kept(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        run = stored_run(session, stored_exchange(session, thread), status="interrupted")
        question = stored_question(session, run)

    def answer(_which: int) -> bool:
        with database.transaction() as session:
            return decisions.record(session, a_decision(interrupt=question.id, by=thread.owner))

    assert together(20, answer).count(True) == 1
    with database.reading() as session:
        assert len(decisions.of_run(session, run.id)) == 1


@pytest.mark.parametrize("attempt", range(5))
def test_answers_to_all_questions_at_once_start_one_resume(database, attempt):
    number = 8
    with database.transaction() as session:
        thread = stored_thread(session)
        run = stored_run(session, stored_exchange(session, thread), status="interrupted")
        questions = [stored_question(session, run, position=n) for n in range(number)]

    def answer(which: int) -> bool:
        with database.transaction() as session:
            assert runs.lock(session, run.id)
            decisions.record(session, a_decision(interrupt=questions[which].id, by=thread.owner))
            if interrupts.undecided(session, run.id, now=NOON):
                return False
            return runs.seal(session, run.id, now=NOON)

    assert together(number, answer).count(True) == 1, attempt
    with database.reading() as session:
        assert len(decisions.of_run(session, run.id)) == number


def test_an_answer_is_in_before_the_seal_or_refused(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        run = stored_run(session, stored_exchange(session, thread), status="interrupted")
        questions = [stored_question(session, run, position=n) for n in range(10)]

    def act(which: int) -> int:
        """Answer one question each; the last thread seals, and counts what was in by then."""
        with database.transaction() as session:
            if which < len(questions):
                answer = a_decision(interrupt=questions[which].id, by=thread.owner)
                return int(decisions.record(session, answer))
            runs.seal(session, run.id, now=NOON)
            return len(decisions.of_run(session, run.id))

    *answered, sealed = together(11, act)

    assert sum(answered) == sealed


def test_a_late_worker_loses_its_exchange_to_one_reaper(database):
    with database.transaction() as session:
        late = stored_exchange(session, stored_thread(session))

    def reap(which: int) -> bool:
        with database.transaction() as session:
            return exchanges.take_over(
                session, late, worker_id=f"reaper-{which}", lease_until=NOON + 99 * SECOND
            )

    assert together(10, reap).count(True) == 1
    with database.transaction() as session:
        assert not exchanges.end(session, late.id, worker_id="w1", now=NOON)


def test_a_flush_and_a_reaper_exclude_each_other(database):
    """A worker that found its exchange held keeps it until its batch is in, however late its lease is."""
    with database.transaction() as session:
        thread = stored_thread(session)
        exchange = stored_exchange(session, thread)

    def act(which: int) -> bool:
        with database.transaction() as session:
            if which == 0:
                return exchanges.take_over(session, exchange, worker_id="w2", lease_until=NOON + 99 * SECOND)
            if not exchanges.held(session, [exchange.id], worker_id="w1"):
                return False
            events.append(session, [an_event(thread=thread.id, seq=which)])
            return bool(exchanges.held(session, [exchange.id], worker_id="w1"))

    taken, *flushed = together(10, act)

    assert taken
    with database.reading() as session:
        assert len(events.of_thread(session, thread.id)) == flushed.count(True)


def test_numbers_of_a_thread_are_given_out_once(database):
    with database.transaction() as session:
        thread = stored_thread(session)

    def reserve(which: int) -> list[int]:
        count = which % 3 + 1
        with database.transaction() as session:
            first = threads.reserve(session, thread.id, count=count)
        return list(range(first, first + count))

    given = [number for numbers in together(20, reserve) for number in numbers]

    assert sorted(given) == list(range(1, len(given) + 1))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_workers_that_start_together_upgrade_once(kind, tmp_path, request):
    if kind == "sqlite":
        url = f"sqlite:///{tmp_path}/parley.db"
    else:
        cluster = request.getfixturevalue("postgres")
        url = cluster.url(cluster.new())
    workers = [Database(url) for _ in range(4)]

    together(4, lambda which: migrate.upgrade(workers[which]))

    assert all(migrate.heads_match(worker) for worker in workers)
    for worker in workers:
        worker.dispose()
