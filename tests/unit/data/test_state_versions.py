import pytest

from chat_app.data import state_versions
from chat_app.data.branches import Stretch
from chat_app.data.errors import ConstraintBroken
from chat_app.data.records import StateVersionRecord
from tests.support.records import NOON, stored_thread

pytest_plugins = ("tests.support.databases",)


def a_version(thread, seq: int, **values) -> StateVersionRecord:
    return StateVersionRecord(
        **{"thread": thread.id, "seq": seq, "document": {"n": seq}, "at": NOON} | values
    )


def test_the_newest_version_of_a_path_is_found_and_what_it_is_made_of(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        whole = a_version(thread, 3)
        patch = a_version(thread, 6, kind="patch", base=3, depth=1, document=[])
        beyond = a_version(thread, 9, kind="patch", base=6, depth=2, document=[])
        for version in (whole, patch, beyond):
            state_versions.add(session, version)

        assert state_versions.newest(session, thread.id, (Stretch(0),)) == beyond
        assert state_versions.newest(session, thread.id, (Stretch(1), Stretch(0, 9))) == patch
        assert state_versions.newest(session, thread.id, (Stretch(1), Stretch(0, 3))) is None
        assert state_versions.chain(session, beyond) == [whole, patch, beyond]
        assert state_versions.of_thread(session, thread.id) == (whole, patch, beyond)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "odd"},
        {"kind": "patch"},
        {"base": 3, "depth": 1},
        {"kind": "patch", "base": 3},
        {"kind": "patch", "base": 4, "depth": 1},
        {"kind": "patch", "base": 9, "depth": 1},
        {"depth": 1},
    ],
)
def test_a_version_that_stands_on_nothing_is_refused(database, wrong):
    with database.transaction() as session:
        thread = stored_thread(session)
        state_versions.add(session, a_version(thread, 3))
    with pytest.raises(ConstraintBroken), database.transaction() as session:
        state_versions.add(session, a_version(thread, 6, **wrong))
