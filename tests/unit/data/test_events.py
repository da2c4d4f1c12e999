from chat_app.data import events
from tests.support.records import an_event, stored_exchange, stored_run, stored_thread

pytest_plugins = ("tests.support.databases",)


def test_a_log_comes_back_in_order_whatever_order_it_was_written_in(database):
    with database.transaction() as session:
        thread, other = stored_thread(session), stored_thread(session)
        log = [an_event(thread=thread.id, seq=n, payload={"delta": "é\x00\ud83d" * n}) for n in (3, 1, 2)]
        events.append(session, [*log, an_event(thread=other.id, seq=1)])

    with database.reading() as session:
        assert events.of_thread(session, thread.id) == (log[1], log[2], log[0])
        assert events.of_thread(session, thread.id, after=1, limit=1) == (log[2],)
        assert events.of_thread(session, "unknown") == ()


def test_the_entries_of_one_run_are_had_alone(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        run = stored_run(session, stored_exchange(session, thread))
        during = [an_event(thread=thread.id, seq=n, run=run.id, payload=None) for n in (2, 3)]
        events.append(session, [an_event(thread=thread.id, seq=1), *during])

        assert events.of_run(session, run.id) == tuple(during)


def test_nothing_to_append_is_no_statement(database):
    with database.reading() as session:
        events.append(session, [])
