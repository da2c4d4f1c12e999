import pytest

from chat_app.agent.budget import Budget
from chat_app.agent.catalogue import CatalogueClash
from chat_app.agent.self_tools import ClientTools, Doing, Elsewhere, Handlers, NoSelfTools
from chat_app.agent.servers import Observation, ServerFault
from tests.support.agent_parts import OwnTools, call, specs


def doing(name):
    budget = Budget(max_steps=1, max_tokens=1)
    return Doing(call=call("c", name), arguments={}, remaining=budget, grants=(), model="m")


async def test_a_loop_without_tools_of_its_own_has_nothing():
    handler = NoSelfTools()
    assert (list(handler.tools()), handler.has_resources, await handler.read("x://y")) == ([], False, None)
    with pytest.raises(ServerFault, match="no tool x"):
        await handler.call(doing("x"))


async def test_tools_of_the_client_are_answered_elsewhere():
    handler = ClientTools(specs("clock"))
    assert [tool.name for tool in handler.tools()] == ["clock"]
    assert await handler.call(doing("clock")) == Elsewhere()


async def test_several_handlers_are_one():
    one = OwnTools("a", result=Observation("A"))
    two = OwnTools("b", result=Observation("B"), texts={"own://b": "TEXT"})
    both = Handlers({"one": one, "two": two})
    assert [tool.name for tool in both.tools()] == ["a", "b"]
    assert both.has_resources
    assert (await both.call(doing("b"))).text == "B"
    assert await both.read("own://b") == "TEXT"
    assert await both.read("own://c") is None
    with pytest.raises(ServerFault, match="no tool c"):
        await both.call(doing("c"))


def test_two_handlers_with_one_name_are_refused_by_name():
    with pytest.raises(CatalogueClash, match="The tool a is offered by the page and by the agent"):
        Handlers({"the page": OwnTools("a"), "the agent": OwnTools("a")})
