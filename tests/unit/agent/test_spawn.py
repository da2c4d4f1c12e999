import json

import pytest

from chat_app.agent.budget import Budget
from chat_app.agent.control import Control
from chat_app.agent.loop import Around
from chat_app.agent.models.interface import ModelFault
from chat_app.agent.models.scripted import Reply
from chat_app.agent.spawn import SPAWN, Nest, SubagentTools
from chat_app.agent.transcript import ToolEntry
from chat_app.agent.turn_events import (
    SubagentFailed,
    SubagentFinished,
    SubagentReported,
    SubagentStarted,
    TextDelta,
    UsageUpdated,
)
from chat_app.agent.usage import Account, UsageLedger
from tests.fakes import counting_ids
from tests.support.agent_parts import FakeServer, Reports, call, loop_of, script, specs

PLENTY = Budget(max_steps=9, max_tokens=1000)


def spawn(key="c1", **arguments):
    return Reply(calls=(call(key, SPAWN, json.dumps(arguments)),), input_tokens=1)


class World:
    """A loop that can spawn, over one server."""

    def __init__(self, *replies, depth=2, control=None):
        self.model = script(*replies)
        self.reports = Reports()
        self.ledger = UsageLedger()
        self.server = FakeServer(tools=specs("x", "y", "drop", asks=["drop"]))
        self.around = Around(report=self.reports, new_id=counting_ids("sub"))
        self.nest = Nest(
            servers=[self.server],
            client=self.model,
            account=Account(self.ledger),
            control=control or Control(),
            budget=Budget(max_steps=3, max_tokens=100),
            around=self.around,
            thread_id="t1",
            depth=depth,
        )

    async def run(self, budget=PLENTY):
        self.loop = await loop_of(self.server, handler=SubagentTools(self.nest), around=self.around)
        return await self.loop.run_turn(self.model, budget)

    @property
    def answer(self):
        return next(entry for entry in self.loop.transcript if isinstance(entry, ToolEntry))


async def test_a_task_is_worked_apart_and_its_result_is_the_answer():
    inner = Reply(text="42", input_tokens=5, output_tokens=6)
    world = World(spawn(name="thinker", task="Compute"), inner, "The answer is 42.")
    result = await world.run()

    assert (result.outcome.result, world.answer.text) == ("The answer is 42.", "42")
    assert world.model.requests[1].entries[-1].text == "Compute"
    assert world.reports.of(SubagentStarted) == [
        SubagentStarted(id="sub-00001", name="thinker", description="Compute", call_id="c1")
    ]
    assert SubagentReported("sub-00001", TextDelta("42")) in world.reports
    assert world.reports.of(SubagentFinished) == [SubagentFinished("sub-00001", "42")]
    assert len(world.reports.of(UsageUpdated)) == 3


async def test_tokens_inside_count_for_the_ledger_and_the_bounds_but_not_the_turns_own_usage():
    inner = Reply(text="42", input_tokens=50, output_tokens=50)
    world = World(spawn(name="n", task="t"), inner, "never")
    result = await world.run(Budget(max_steps=9, max_tokens=100))

    assert result.outcome.status == "exhausted_tokens"
    assert result.usage.tokens == 1
    assert world.ledger.tokens(("sub-00001",)) == 100


async def test_a_subagent_may_call_only_what_it_is_given_and_asks_nobody():
    inner = Reply(calls=(call("s1", "y"), call("s2", "drop")))
    world = World(spawn(name="n", task="t", tools=["x", "drop"]), inner, "done", "fin")
    await world.run()

    assert [tool.name for tool in world.model.requests[1].tools] == ["x", "drop"]
    said = [entry.text for entry in world.model.requests[2].entries if isinstance(entry, ToolEntry)]
    assert said[0] == "You may not call y."
    assert "nobody can be asked" in said[1]
    assert world.server.served == []


@pytest.mark.parametrize("tools", ["x", [1]])
async def test_a_list_of_tools_that_cannot_be_read_gives_none(tools):
    world = World(spawn(name="n", task="t", tools=tools), "done", "fin")
    await world.run()
    assert world.model.requests[1].tools == ()


async def test_subagents_spawn_as_deep_as_they_may():
    world = World(spawn(name="a", task="t"), spawn("c2", name="b", task="u"), "deep", "up", "fin")
    await world.run()

    assert SPAWN in [tool.name for tool in world.model.requests[1].tools]
    assert SPAWN not in [tool.name for tool in world.model.requests[2].tools]
    outer, inner = world.reports.of(SubagentStarted)
    assert (inner.parent_id, outer.parent_id) == (outer.id, None)
    assert [spent.path for spent in world.ledger.entries] == [(outer.id, inner.id), (outer.id,)]


async def test_a_model_that_fails_inside_fails_the_call_and_not_the_turn():
    broken = Reply(fault=ModelFault("Overloaded.", code="BUSY"))
    world = World(spawn(name="n", task="t"), broken, "Sorry.")
    assert (await world.run()).outcome.result == "Sorry."
    assert world.answer.text == "The subagent failed: Overloaded."
    assert world.reports.of(SubagentFailed) == [SubagentFailed("sub-00001", "Overloaded.", "BUSY")]


async def test_a_result_cut_short_says_so_and_none_at_all_is_an_error():
    step = Reply(text="so far", calls=(call("s1", "x"),), input_tokens=200)
    world = World(spawn(name="n", task="t"), step, spawn("c2", name="n", task="t"), Reply(), "fin")
    await world.run(Budget(max_steps=9, max_tokens=10_000))
    cut, none = (entry.text for entry in world.loop.transcript if isinstance(entry, ToolEntry))
    assert cut == "so far\n\n(It was cut short: exhausted_tokens.)"
    assert none == "The subagent ended without a result (stalled)."


async def test_a_spawn_without_a_task_is_told_so():
    world = World(spawn(name="n", task=" "), "fin")
    await world.run()
    assert (world.answer.is_error, world.answer.text) == (True, f"{SPAWN} needs a task.")


async def test_cancelling_stops_the_loops_inside_too():
    control = Control()
    world = World(spawn(name="n", task="t"), "never", control=control)
    control.cancel()
    world.loop = await loop_of(world.server, handler=SubagentTools(world.nest), around=world.around)
    await world.loop.run_turn(world.model, Budget(max_steps=1, max_tokens=1000))
    assert world.reports.of(SubagentFailed)[0].code == "CANCELLED"
