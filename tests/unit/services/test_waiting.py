"""What a policy says about questions that wait."""

from datetime import timedelta

import pytest

from chat_app.services.waiting import Waiting, WaitingBroken, read_waiting, waiting_of
from tests.support.records import NOON


def test_without_a_word_nothing_happens_while_a_question_waits():
    for policy in (None, {}, {"waiting": None}, "nonsense"):
        waiting = read_waiting(policy)
        assert waiting == Waiting()
        assert waiting.remind_at(NOON) is None
        assert waiting.escalate_at(NOON) is None
        assert waiting.expired == "leave"


def test_reminders_come_before_the_end_and_escalations_after_the_beginning():
    waiting = read_waiting({"waiting": {"remind": 60, "escalate": 120, "to": ["admin"], "expired": "cancel"}})
    assert waiting.remind_at(NOON) == NOON - timedelta(minutes=1)
    assert waiting.remind_at(None) is None
    assert waiting.escalate_at(NOON) == NOON + timedelta(minutes=2)
    assert read_waiting({"waiting": {"escalate": 1, "to": []}}).escalate_at(NOON) is None


@pytest.mark.parametrize(
    ("part", "where"),
    [
        ({"remind": 0}, "waiting/remind"),
        ({"remind": "soon"}, "waiting/remind"),
        ({"to": ["boss"]}, "waiting/to/0"),
        ({"expired": "approve"}, "waiting/expired"),
        ({"other": 1}, "waiting/other"),
        ([], "waiting/"),
    ],
)
def test_what_is_not_of_the_form_is_named_and_does_nothing(part, where):
    with pytest.raises(WaitingBroken, match=where):
        read_waiting({"waiting": part})
    assert waiting_of({"waiting": part}) == Waiting()
