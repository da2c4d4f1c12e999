from typing import Literal

import pytest
from pydantic import BaseModel

from chat_app.agent.forms import Dropped, Form, form_answer, form_question, is_form_question
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.turn import Means, Pace, Turn, TurnFailed
from tests.support.agent_harness import Clock, conversation, counting_ids


class Size(BaseModel):
    size: Literal["S", "L"]


FORM = Form("size", Size)


def turn(*resume, memory=None):
    means = Means(pace=Pace(0), new_id=counting_ids(), now=Clock(), memory=memory or ProcessMemory())
    return Turn(conversation("hi", resume=list(resume)), None, means=means)


def entry(status="resolved", key="form:size:1", **fields):
    return {"interruptId": key, "status": status, **fields}


def test_the_question_describes_the_form():
    question = form_question(turn(), FORM, "Which size?", subagent_id="s1")
    assert is_form_question(question.id)
    assert (question.reason, question.message, question.subagent_id) == (
        "input_required",
        "Which size?",
        "s1",
    )
    assert question.response_schema["properties"]["size"]["enum"] == ["S", "L"]
    assert form_question(turn(), FORM, "?", schema={"type": "object"}).response_schema == {"type": "object"}


async def test_the_filled_in_form_is_read():
    assert await form_answer(turn(entry(payload={"size": "L"})), FORM) == Size(size="L")
    assert await form_answer(turn(entry("cancelled")), FORM) == Dropped()


@pytest.mark.parametrize("resume", [[], [entry(key="form:other:1")], [entry(key="approval::c1")]])
async def test_answers_to_other_questions_are_none_to_this(resume):
    assert await form_answer(turn(*resume), FORM) is None


@pytest.mark.parametrize("payload", [None, {}, {"size": "XL"}, "L"])
async def test_an_answer_that_does_not_fit_may_be_given_again(payload):
    memory = ProcessMemory()
    given = {} if payload is None else {"payload": payload}
    with pytest.raises(TurnFailed, match="The answer cannot be used") as refused:
        await form_answer(turn(entry(**given), memory=memory), FORM)
    assert refused.value.code == "INVALID_ANSWER"
    assert await form_answer(turn(entry(payload={"size": "S"}), memory=memory), FORM) == Size(size="S")


async def test_the_first_answer_stands():
    memory = ProcessMemory()
    await form_answer(turn(entry(payload={"size": "S"}), memory=memory), FORM)
    for later in (entry("cancelled"), entry(payload={"size": "L"}), entry(payload="?")):
        assert await form_answer(turn(later, memory=memory), FORM) == Size(size="S")
