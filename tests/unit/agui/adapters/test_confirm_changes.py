from chat_app.agui.adapters import Delivery, asking_call, confirm_changes, delivery_of
from chat_app.agui.adapters.base import RunRecord, SeenCall


def test_a_confirmation_asks_about_the_call_it_names():
    arguments = '{"function_name": "delete_file", "function_call_id": "c1"}'
    calls = [SeenCall("c1", "delete_file"), SeenCall("q", confirm_changes.NAME, arguments)]
    [question] = confirm_changes.find(RunRecord("r", calls=calls))
    assert (question.id, question.tool_call_id, question.message) == ("q", "c1", "Run delete_file?")
    assert (delivery_of(question), asking_call(question)) == (Delivery.TOOL_MESSAGE, "q")
    assert confirm_changes.SHAPE.fits(question)
    assert confirm_changes.SHAPE.approve(question, None, "") == {"accepted": True, "steps": []}
    assert confirm_changes.SHAPE.reject(question, "") == {"accepted": False, "steps": []}


def test_without_a_name_it_asks_about_the_changes():
    [question] = confirm_changes.find(RunRecord("r", calls=[SeenCall("q", confirm_changes.NAME)]))
    assert (question.tool_call_id, question.message) == ("q", "Accept the changes?")
