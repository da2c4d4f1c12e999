import dataclasses
from typing import get_args

import pytest

from chat_app.agent.turn_events import Question, TextDelta, TurnEnd, TurnEvent


def test_every_end_is_a_turn_event():
    assert set(get_args(TurnEnd)) < set(get_args(TurnEvent))


def test_reports_cannot_be_changed_after_the_fact():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TextDelta("a").text = "b"


def test_a_question_needs_only_an_id_a_reason_and_a_message():
    question = Question(id="q", reason="confirmation", message="Go on?")
    assert (question.call_id, question.response_schema, question.expires_at) == (None, None, None)
    assert question.metadata == {}
