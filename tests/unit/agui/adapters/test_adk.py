from chat_app.agui.adapters import Delivery, adk, asking_call, delivery_of
from chat_app.agui.adapters.base import RunRecord, SeenCall
from chat_app.agui.events import Interrupt

ARGUMENTS = '{"originalFunctionCall": {"id": "c1", "name": "delete_file"}, "toolConfirmation": {"hint": "x"}}'


def test_a_confirmation_asks_about_the_call_behind_it():
    calls = [SeenCall("c1", "delete_file"), SeenCall("q", adk.NAME, ARGUMENTS)]
    [question] = adk.find(RunRecord("r", calls=calls))
    assert (question.id, question.reason, question.tool_call_id) == ("q", "confirmation", "c1")
    assert question.message == "Run delete_file?"
    assert (delivery_of(question), asking_call(question)) == (Delivery.TOOL_MESSAGE, "q")
    assert adk.SHAPE.fits(question)


def test_arguments_that_say_nothing_leave_the_asking_call():
    [question] = adk.find(RunRecord("r", calls=[SeenCall("q", adk.NAME, "not json")]))
    assert (question.tool_call_id, question.message) == ("q", "Run the tool?")


def test_the_answer_is_confirmed_or_not():
    asked = Interrupt(id="q", reason="confirmation", metadata={"adk": {}})
    assert adk.SHAPE.fits(asked)
    assert adk.SHAPE.approve(asked, None, "") == {"confirmed": True}
    assert adk.SHAPE.reject(asked, "note") == {"confirmed": False}
    assert not adk.SHAPE.fits(Interrupt(id="q", reason="confirmation"))
    assert not adk.SHAPE.fits(Interrupt(id="q", reason="x", metadata={"adk": {}}, response_schema={}))
