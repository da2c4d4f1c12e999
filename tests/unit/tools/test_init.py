from chat_app.tools import TOOLS, offered
from tests.fakes import FakeClock


def test_each_tool_is_called_as_it_is_listed():
    assert [tool.name for tool in offered(TOOLS, FakeClock())] == list(TOOLS)


def test_only_the_tools_that_were_asked_for_are_offered():
    assert [tool.name for tool in offered(["tell_time", "unknown"], FakeClock())] == ["tell_time"]
    assert offered([], FakeClock()) == ()
