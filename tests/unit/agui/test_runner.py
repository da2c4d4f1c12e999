import asyncio

import pytest

from chat_app.agui.events import parse_stored
from chat_app.agui.runner import NEVER_STARTED, STOPPED, ToolRunner
from chat_app.agui.tools import AnyArguments, RunTool, ToolRegistry
from tests.support.scripts import call, result


class Rig:
    """A runner with one tool ``work`` that waits for ``release``."""

    def __init__(self, answered=()):
        self.release, self.started, self.seen = asyncio.Event(), asyncio.Event(), []
        self.ids = iter(f"m{number}" for number in range(1, 9))
        tool = RunTool(name="work", description="", arguments=AnyArguments, execute=self.work)
        self.runner = ToolRunner(
            ToolRegistry([tool]),
            "t",
            run_id="r",
            new_id=lambda: next(self.ids),
            is_answered=lambda call_id: call_id in answered,
        )

    async def work(self, arguments, context):
        self.seen.append((arguments.model_dump(), context.call_id))
        self.started.set()
        await self.release.wait()
        return "done"

    def feed(self, *events):
        for event in events:
            self.runner.observe(parse_stored(event))

    def answers(self):
        return [(answer.id, answer.tool_call_id, answer.content) for answer in self.runner.ready()]


async def test_a_call_starts_when_its_arguments_are_complete_and_answers_once():
    rig = Rig()
    start, arguments, end = call("c1", "work", '{"a": 1}')
    rig.feed(start, {**arguments, "delta": '{"a"'}, {**arguments, "delta": ": 1}"})
    assert rig.runner._running() == set()
    rig.feed(end, arguments, end)
    await rig.started.wait()
    assert rig.answers() == []
    rig.release.set()
    await rig.runner.join()
    assert rig.answers() == [("m1", "c1", "done")]
    assert rig.answers() == []
    assert rig.seen == [({"a": 1}, "c1")]


async def test_unknown_names_and_answered_calls_are_left_alone():
    rig = Rig(answered={"old"})
    rig.feed(*call("c1", "other"), *call("old", "work"), result("nobody", "x"))
    await rig.runner.join()
    assert rig.seen == []
    assert rig.answers() == []


async def test_a_call_announced_twice_runs_once():
    rig = Rig()
    rig.release.set()
    rig.feed(*call("c1", "work"), *call("c1", "work"))
    await rig.runner.join()
    assert [message[1] for message in rig.answers()] == ["c1"]


async def test_a_result_from_the_agents_side_replaces_ours():
    rig = Rig()
    rig.feed(*call("c1", "work"), result("c1", "server's"))
    rig.release.set()
    await rig.runner.join()
    assert rig.answers() == []


async def test_stopping_answers_for_what_ran_and_for_what_never_did():
    rig = Rig()
    rig.feed(*call("c1", "work"))
    await rig.started.wait()
    rig.feed(*call("c2", "work"), call("c3", "work")[0])
    await rig.runner.stop()
    assert rig.answers() == [("m1", "c1", STOPPED.content), ("m2", "c2", NEVER_STARTED.content)]
    await rig.runner.stop()
    assert rig.answers() == []


async def test_a_tool_that_is_slow_to_stop_is_waited_for_even_when_the_waiting_is_cancelled():
    rig = Rig()
    cleaning = asyncio.Event()

    async def stubborn(_arguments, _context):
        rig.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await cleaning.wait()

    rig.runner._registry = ToolRegistry(
        [RunTool(name="work", description="", arguments=AnyArguments, execute=stubborn)]
    )
    rig.feed(*call("c1", "work"))
    await rig.started.wait()
    stopping = asyncio.ensure_future(rig.runner.stop())
    await asyncio.sleep(0)
    stopping.cancel()
    await asyncio.sleep(0)
    assert not stopping.done()
    cleaning.set()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert rig.answers() == [("m1", "c1", STOPPED.content)]
