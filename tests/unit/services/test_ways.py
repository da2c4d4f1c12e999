import pytest

from chat_app.data.branches import Stretch
from chat_app.data.records import BranchRecord
from chat_app.services.rows import Row
from chat_app.services.ways import forks, shown_at, with_ways
from tests.support.records import NOON, stored_thread

pytest_plugins = ("tests.support.databases",)


def a_branch(number: int, parent: int | None, fork: int = 0) -> BranchRecord:
    return BranchRecord(
        thread="t", number=number, parent=parent, fork=fork, wire_id="w", by="u", created=NOON
    )


def test_alternatives_are_those_that_left_at_one_place():
    known = [a_branch(0, None), a_branch(1, 0, 5), a_branch(2, 0, 5), a_branch(3, 1, 9)]

    assert forks(known) == {(0, 5): [0, 1, 2], (1, 9): [1, 3]}


@pytest.mark.parametrize(
    ("path", "way"),
    [
        ((Stretch(0),), 0),
        ((Stretch(1), Stretch(0, 5)), 1),
        ((Stretch(3), Stretch(1, 9), Stretch(0, 5)), 1),
        ((Stretch(4), Stretch(0, 8)), 0),
        ((Stretch(4), Stretch(0, 3)), None),
        ((Stretch(4), Stretch(3, 20)), None),
    ],
)
def test_a_path_takes_one_of_them_or_does_not_come_by(path, way):
    assert shown_at(path, 0, 5, [0, 1, 2]) == way


def test_a_chat_that_was_never_edited_has_no_alternatives(sqlite):
    rows = [Row(key="k", kind="user", position=1)]
    with sqlite.transaction() as session:
        assert with_ways(session, stored_thread(session).id, rows) == rows
