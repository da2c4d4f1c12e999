import pytest

from chat_app.agent.servers import Observation, ResourceSpec, ToolSpec


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"title": "T", "name": "n", "description": "d"}, "T"),
        ({"name": "n", "description": "d"}, "n"),
        ({"description": "d"}, "d"),
        ({}, ""),
    ],
)
def test_a_resource_is_called_by_the_best_name_it_has(fields, label):
    assert ResourceSpec(uri="x://y", **fields).label == label


def test_a_tool_takes_no_arguments_and_asks_nobody_unless_it_says_so():
    tool = ToolSpec(name="x")
    assert (tool.parameters, tool.asks) == ({"type": "object", "properties": {}}, False)
    assert not Observation("ok").is_error
