from chat_app.data.db import Database
from chat_app.services.states import Moment, keep
from chat_app.services.versions import RECALLED, read_held, recall
from tests.support.records import NOON, stored_thread

pytest_plugins = ("tests.support.databases",)


def kept(database: Database, thread, *states) -> None:
    with database.transaction() as session:
        for seq, state in enumerate(states, start=1):
            keep(session, state, Moment(thread=thread.id, seq=seq, branch=0, run=None, at=NOON))


def test_a_thread_whose_agent_never_spoke_of_a_state_holds_none(sqlite):
    with sqlite.transaction() as session:
        held = read_held(session, stored_thread(session))
    assert held.state is None
    assert not held.shared.seen


def test_a_state_from_before_versions_were_kept_has_none(sqlite):
    with sqlite.transaction() as session:
        held = read_held(session, stored_thread(session, state={"n": 1}, state_seen=True))
    assert held.state == ({"n": 1},)
    assert (held.shared.count, held.shared.at, held.shared.yours) == (0, "", [])


def test_the_newest_of_the_earlier_states_are_recalled_newest_first(sqlite):
    with sqlite.transaction() as session:
        thread = stored_thread(session)
    kept(sqlite, thread, *({"n": n} for n in range(20)))
    with sqlite.reading() as session:
        recalled = recall(session, thread.id)
    assert [state["n"] for state, _ in recalled] == [18 - n for n in range(RECALLED)]
