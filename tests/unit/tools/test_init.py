import pytest

from chat_app import tools
from chat_app.tools import TOOLS, offered
from chat_app.tools.tell_time import tell_time
from tests.fakes import FakeClock


@pytest.fixture
def added():
    tools.add("clock", tell_time)
    yield
    tools._added.clear()


def test_each_tool_is_called_as_it_is_listed():
    assert [tool.name for tool in offered(TOOLS, FakeClock())] == list(TOOLS)


def test_only_the_tools_that_were_asked_for_are_offered():
    assert [tool.name for tool in offered(["tell_time", "unknown"], FakeClock())] == ["tell_time"]
    assert offered([], FakeClock()) == ()


@pytest.mark.usefixtures("added")
def test_a_tool_that_was_added_is_offered_too_and_none_is_replaced():
    assert list(tools.known()) == [*TOOLS, "clock"]
    for name in ("clock", "ask_person"):
        with pytest.raises(ValueError, match=name):
            tools.add(name, tell_time)
