import pytest
from ag_ui.core import ResumeEntry

from chat_app.agent.servers import ToolSpec
from chat_app.agent.turn import TurnFailed
from chat_app.agent.verdicts import Allowed, question_about, question_id, read_verdict
from tests.support.agent_parts import call


def entry(**payload):
    return ResumeEntry(interrupt_id="q", status="resolved", payload=payload)


def test_a_yes_may_replace_the_arguments_whole():
    assert read_verdict(entry(approved=True)) == Allowed()
    assert read_verdict(entry(approved=True, editedArgs={"n": 2})) == Allowed({"n": 2})


def test_a_no_and_a_drop_are_told_to_the_model_in_words():
    assert "They said: “not now”." in read_verdict(entry(approved=False, reason="not now")).observation.text
    assert read_verdict(entry(approved=False)).observation.text.endswith("did not run.")
    dropped = read_verdict(ResumeEntry(interrupt_id="q", status="cancelled"))
    assert dropped.observation.is_error


@pytest.mark.parametrize("payload", [{}, {"approved": "yes"}, {"approved": True, "editedArgs": 1}])
def test_an_answer_that_cannot_be_used_is_refused(payload):
    with pytest.raises(TurnFailed) as caught:
        read_verdict(entry(**payload))
    assert caught.value.code == "INVALID_ANSWER"


def test_a_question_names_its_call_and_describes_its_answer():
    spec = ToolSpec(name="drop", description="Drops it.", parameters={"type": "object", "title": "D"})
    question = question_about(call("c1", "drop"), spec)
    assert (question.id, question.call_id, question.message) == (
        question_id(call("c1", "drop")),
        "c1",
        "May drop run? Drops it.",
    )
    assert question.response_schema["properties"]["editedArgs"]["title"] == "D"


def test_a_question_about_a_tool_that_is_gone_can_still_be_asked():
    assert question_about(call("c1", "drop"), None).message == "May drop run?"
