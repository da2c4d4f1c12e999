import pytest
from ag_ui.core import Tool
from pydantic import BaseModel, Field

from chat_app.agui.errors import ConfigError
from chat_app.agui.tools import (
    AnyArguments,
    AskTool,
    RunTool,
    ToolContext,
    ToolRegistry,
    answer_text,
    declare,
    execute,
)

HERE = ToolContext("t", "r", "c")


class Words(BaseModel):
    text: str = Field(alias="theText")
    times: int = 1


async def repeat(arguments, _context):
    return arguments.text * arguments.times


REPEAT = RunTool(name="repeat", description="Says it again", arguments=Words, execute=repeat)
ASK = AskTool(name="ask", description="Asks", arguments=AnyArguments)


def tool(name, **options):
    return RunTool(name=name, description="", arguments=AnyArguments, execute=repeat, **options)


def test_a_tool_is_declared_with_the_schema_of_its_arguments():
    declared = declare(REPEAT)
    assert isinstance(declared, Tool)
    assert (declared.name, declared.description) == ("repeat", "Says it again")
    assert declared.parameters["required"] == ["theText"]


def test_a_registry_keeps_the_order_and_knows_the_kinds():
    registry = ToolRegistry([REPEAT, ASK, tool("risky", consent=True), tool("quiet", follow_up=False)])
    assert [one.name for one in registry] == ["repeat", "ask", "risky", "quiet"]
    assert [one.name for one in registry.declarations] == ["repeat", "ask", "risky", "quiet"]
    assert "ask" in registry
    assert "other" not in registry
    assert registry.starts_by_itself("repeat") is REPEAT
    assert [registry.starts_by_itself(name) for name in ("ask", "risky", "other")] == [None, None, None]
    assert registry.asking == {"ask", "risky"}
    assert [registry.follows_up(name) for name in ("repeat", "ask", "quiet", "other")] == [
        True,
        True,
        False,
        True,
    ]


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(ConfigError, match="'ask'"):
        ToolRegistry([ASK, ASK])


async def test_a_call_is_executed_with_validated_arguments():
    answer = await execute(REPEAT, '{"theText": "ho", "times": 2}', HERE)
    assert (answer.content, answer.error) == ("hoho", None)
    message = answer.message("m", "c")
    assert (message.id, message.tool_call_id, message.content, message.error) == ("m", "c", "hoho", None)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ('{"theText": 1}', "theText"),
        ("[1]", "arguments"),
        ("", "theText"),
        ('{"theText": "x", "times": NaN}', "NaN"),
        ('{"theText":', "not JSON"),
        ("[" * 100_000, "nested too deep"),
    ],
)
async def test_arguments_that_do_not_fit_are_an_answer(arguments, reason):
    answer = await execute(REPEAT, arguments, HERE)
    assert answer.content == answer.error
    assert answer.content.startswith("Tool execution failed")
    assert reason in answer.content


async def test_a_tool_that_raises_without_words_is_named_by_its_error():
    async def broken(_arguments, _context):
        raise KeyError

    answer = await execute(
        RunTool(name="x", description="", arguments=AnyArguments, execute=broken), "{}", HERE
    )
    assert answer.error == "Tool execution failed: KeyError"


@pytest.mark.parametrize(
    ("result", "text"),
    [(None, "true"), (False, "false"), ("as it is", "as it is"), ({"ä": [1]}, '{"ä":[1]}')],
)
def test_a_result_reads_as_text_or_json(result, text):
    assert answer_text(result) == text
