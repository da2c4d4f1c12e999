from chat_app.agui import AskTool
from chat_app.agui.tools import declare
from chat_app.tools.ask_person import ask_person
from tests.fakes import FakeClock


def test_an_agent_is_told_to_give_one_question():
    tool = ask_person(FakeClock())
    assert isinstance(tool, AskTool)
    assert tool.answer is None
    assert declare(tool).parameters["required"] == ["question"]
