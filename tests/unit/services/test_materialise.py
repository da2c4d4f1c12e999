import pytest

from chat_app.agui import BadEvent
from chat_app.services.materialise import fold
from tests.support.records import NOON, SECOND, an_event

RUN = {"threadId": "t", "runId": "r"}
LOG = [
    ("user_message", 1, {"id": "u", "role": "user", "content": "Hi"}),
    ("RUN_STARTED", 2, RUN),
    ("TEXT_MESSAGE_START", 3, {"messageId": "a", "role": "assistant"}),
    ("TEXT_MESSAGE_CONTENT", 5, {"messageId": "a", "delta": "Hello"}),
    ("TEXT_MESSAGE_END", 6, {"messageId": "a"}),
    ("decision", 7, {"by": "u1"}),
    ("RAW", 8, {"event": {}}),
    ("RUN_FINISHED", 9, RUN),
]


def log(*entries):
    return [
        an_event(
            thread="t", run="r", seq=seq, type=kind, payload=_payload(kind, payload), at=NOON + seq * SECOND
        )
        for kind, seq, payload in entries
    ]


def _payload(kind, payload):
    return payload if kind.islower() else {"type": kind, **payload}


def test_rows_stand_where_they_stood_live():
    folded = fold(log(*LOG))

    assert [(row.key, row.role, row.position, row.run) for row in folded.rows] == [
        ("u", "user", 1, "r"),
        ("a", "assistant", 4, "r"),
    ]
    assert folded.rows[1].created == NOON + 3 * SECOND
    assert folded.rows[1].content[0]["ended"] == (NOON + 6 * SECOND).isoformat()
    assert (folded.state, folded.last_seq) == (None, 9)


def test_the_last_state_an_agent_spoke_of_is_kept_even_when_it_is_null():
    assert fold(log(("STATE_SNAPSHOT", 1, {"snapshot": {"n": 1}}))).state == ({"n": 1},)
    assert fold(log(("STATE_SNAPSHOT", 1, {"snapshot": None}))).state == (None,)


def test_a_row_that_a_snapshot_takes_away_is_gone():
    folded = fold(log(*LOG, ("MESSAGES_SNAPSHOT", 10, {"messages": []})))

    assert "a" not in {row.key for row in folded.rows}


def test_what_nobody_has_written_is_told():
    with pytest.raises(BadEvent):
        fold(log(("RUN_STARTED", 1, {})))
