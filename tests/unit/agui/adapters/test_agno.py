from chat_app.agui.adapters import Delivery, agno, delivery_of
from chat_app.agui.adapters.base import RunRecord, SeenCall

CONFIRM = "I have tools to execute, but I need confirmation."
VALUES = "I have tools to execute, but I need user input."


def questions(*said):
    return agno.find(
        RunRecord("r", calls=[SeenCall(f"c{n}", "send", said=text) for n, text in enumerate(said)])
    )


def test_a_pause_for_confirmation_is_an_approval():
    [question] = questions(CONFIRM)
    assert (question.reason, question.tool_call_id, question.message) == ("confirmation", "c0", "Run send?")
    assert delivery_of(question) is Delivery.TOOL_MESSAGE
    assert agno.SHAPE.fits(question)
    assert agno.SHAPE.approve(question, None, "") == {"accepted": True}
    assert agno.SHAPE.reject(question, "") == {"accepted": False}
    assert agno.SHAPE.reject(question, "not now") == {"accepted": False, "note": "not now"}


def test_a_pause_for_values_wants_an_answer():
    [question] = questions(VALUES)
    assert question.reason == "input_required"
    assert not agno.SHAPE.fits(question)


def test_calls_nobody_announced_are_not_paused():
    assert questions("", "Let me look.", "I have tools to execute, but I need a moment.") == []
