import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat_app.data import state_versions
from chat_app.data.branches import Stretch
from chat_app.services.states import DEEPEST, LARGEST, Moment, keep, state_at
from tests.support.records import NOON, stored_thread

pytest_plugins = ("tests.support.databases",)
ROOT = (Stretch(0),)
LONG = {"text": "x" * 500}


@pytest.fixture
def thread(sqlite):
    with sqlite.transaction() as session:
        return stored_thread(session)


def kept(database, thread, *states) -> list:
    """Keep states one after the other; return what kind each became and what is read then."""
    with database.transaction() as session:
        for state in states:
            seq = len(state_versions.of_thread(session, thread.id)) + 1
            keep(session, state, Moment(thread=thread.id, seq=seq, branch=0, run=None, at=NOON))
            read = state_at(session, thread.id, ROOT)
            assert json.dumps(read, sort_keys=True) == json.dumps((state,), sort_keys=True)
        return [version.kind for version in state_versions.of_thread(session, thread.id)]


def test_an_agent_that_never_spoke_of_a_state_has_none(sqlite, thread):
    with sqlite.reading() as session:
        assert state_at(session, thread.id, ROOT) is None


def test_a_small_change_is_kept_as_a_patch_and_no_change_not_at_all(sqlite, thread):
    states = [LONG | {"n": 1}, LONG | {"n": 1}, LONG | {"n": 2}]

    assert kept(sqlite, thread, *states) == ["snapshot", "patch"]


@pytest.mark.parametrize(
    "states",
    [
        [{"n": 1}, {"n": 2}],  # as short whole
        [LONG, ["y" * 500]],
        [None, LONG],
        [{"t": "x" * LARGEST, "n": 1}, {"t": "x" * LARGEST, "n": 2}],
    ],
)
def test_what_no_patch_makes_shorter_is_kept_whole(sqlite, thread, states):
    assert kept(sqlite, thread, *states) == ["snapshot", "snapshot"]


@pytest.mark.parametrize("after", [True, 1.0])
def test_a_value_of_another_kind_is_a_change_though_it_is_equal(sqlite, thread, after):
    assert len(kept(sqlite, thread, LONG | {"n": 1}, LONG | {"n": after})) == 2


def test_reading_a_version_is_always_short(sqlite, thread):
    kinds = kept(sqlite, thread, *(LONG | {"n": n} for n in range(DEEPEST + 3)))

    assert kinds == ["snapshot", *["patch"] * DEEPEST, "snapshot", "patch"]


documents = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(documents.map(lambda inner: LONG | {"inner": inner}), max_size=5))
def test_every_version_reads_as_it_was_kept(sqlite, states):
    with sqlite.transaction() as session:
        thread = stored_thread(session)
    kept(sqlite, thread, *states)
