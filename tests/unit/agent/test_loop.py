import asyncio

import pytest

from chat_app.agent.budget import Budget
from chat_app.agent.catalogue import CatalogueClash
from chat_app.agent.control import Control
from chat_app.agent.grants import Grant
from chat_app.agent.loop import UNFINISHED, Around
from chat_app.agent.models.interface import ModelFault
from chat_app.agent.models.scripted import Reply
from chat_app.agent.outcome import LoopAbort, Status
from chat_app.agent.self_tools import ClientTools
from chat_app.agent.servers import Observation, ServerFault
from chat_app.agent.transcript import AssistantEntry, ToolEntry, UserEntry
from chat_app.agent.turn_events import ToolBlocked, ToolcallCompleted, ToolCompleted, ToolStarted
from tests.fakes import within
from tests.support.agent_parts import FakeServer, OwnTools, Reports, call, loop_of, script, specs

PLENTY = Budget(max_steps=100, max_tokens=10**6)


def calls(*names, prefix="c"):
    return Reply(calls=tuple(call(f"{prefix}{n}", name) for n, name in enumerate(names)), input_tokens=1)


def observed(loop):
    return [(entry.call_id, entry.is_error) for entry in loop.transcript if isinstance(entry, ToolEntry)]


# ---------------------------------------------------------------- prepare and refresh


async def test_a_server_that_cannot_list_its_tools_stops_the_preparing():
    with pytest.raises(LoopAbort) as caught:
        await loop_of(FakeServer(tools=ServerFault("The server is down.")))
    assert (caught.value.kind, caught.value.message) == ("mcp", "The server is down.")


async def test_one_that_cannot_list_resources_does_not():
    loop = await loop_of(FakeServer(tools=specs("x"), resources=ServerFault("no")))
    assert loop.tools_len == 1


async def test_a_clash_of_names_is_refused_at_once():
    with pytest.raises(CatalogueClash):
        await loop_of(FakeServer(tools=specs("x")), handler=OwnTools("x"))


async def test_the_reader_is_offered_where_the_loop_has_resources_of_its_own():
    loop = await loop_of(handler=OwnTools("x", texts={}))
    assert [tool.name for tool in loop.offered] == ["x", "resource.read"]
    assert loop.spec("x").name == "x"
    assert loop.owner("x") is None


@pytest.mark.parametrize("trouble", [ServerFault("down"), specs("own")])
async def test_a_refresh_that_fails_keeps_the_old_tools_and_the_next_one_tries_again(trouble):
    server = FakeServer(tools=specs("x"))
    loop = await loop_of(server, handler=OwnTools("own"))
    server.tools, server.revision = trouble, 1
    assert not await loop.refresh_if_changed()
    assert [tool.name for tool in loop.tools] == ["x", "own"]
    server.tools = specs("x", "y")
    assert await loop.refresh_if_changed()
    assert not await loop.refresh_if_changed()
    assert loop.tools_len == 3


async def test_a_negative_marker_is_refused():
    loop = await loop_of()
    with pytest.raises(ValueError, match="fewer than no entries"):
        loop.truncate_transcript(-1)


# ---------------------------------------------------------------- turns


async def test_calls_of_a_batch_run_in_order_and_are_reported():
    reports = Reports()
    server = FakeServer(tools=specs("x", "y"), results={"y": ServerFault("boom")})
    loop = await loop_of(server, around=Around(report=reports), thread_id="t1")
    result = await loop.run_turn(script(calls("x", "y", "ghost"), "fin"), PLENTY)

    assert result.outcome.result == "fin"
    assert [name for name, *_ in server.served] == ["x", "y"]
    assert server.served[0][2] == "t1"
    assert observed(loop) == [("c0", False), ("c1", True), ("c2", True)]
    assert reports.of(ToolCompleted) == [ToolCompleted("c0", "ok"), ToolCompleted("c1", "boom")]
    assert reports.of(ToolBlocked) == [ToolBlocked("c2", "There is no tool ghost.")]
    assert [one.name for one in reports.of(ToolStarted)] == ["x", "y"]


async def test_arguments_that_are_no_object_are_an_observation():
    server = FakeServer(tools=specs("x"))
    loop = await loop_of(server)
    broken = (call("a", "x", "{"), call("b", "x", "[1]"), call("c", "x", ""))
    await loop.run_turn(script(Reply(calls=broken), "fin"), PLENTY)
    assert observed(loop) == [("a", True), ("b", True), ("c", False)]


async def test_a_model_that_fails_aborts_with_what_was_spent_and_keeps_what_it_said():
    fault = ModelFault("No.", code="X", retry_after=9)
    loop = await loop_of(FakeServer(tools=specs("x")))
    with pytest.raises(LoopAbort) as caught:
        await loop.run_turn(script(calls("x"), Reply(text="Half", fault=fault)), PLENTY)

    abort = caught.value
    assert (abort.kind, abort.message, abort.code, abort.retry_after) == ("intel", "No.", "X", 9)
    assert abort.usage.input_tokens == 1
    assert loop.transcript[-1] == AssistantEntry("Half")


async def test_a_call_that_asks_ends_the_turn_after_the_others_ran():
    reports = Reports()
    server = FakeServer(tools=specs("x", "drop", asks=["drop"]))
    loop = await loop_of(server, around=Around(report=reports))
    outcome = (await loop.run_turn(script(calls("drop", "x")), PLENTY)).outcome

    assert outcome.status is Status.SUSPENDED
    assert [(one.call.name, one.decision) for one in outcome.waiting] == [("drop", True)]
    assert [name for name, *_ in server.served] == ["x"]
    assert reports.of(ToolcallCompleted) == [ToolcallCompleted("c0")]


async def test_a_decided_call_runs_with_the_persons_arguments_and_the_turn_goes_on():
    server = FakeServer(tools=specs("drop", asks=["drop"]))
    loop = await loop_of(server)
    (waiting,) = (await loop.run_turn(script(calls("drop")), PLENTY)).outcome.waiting
    assert await loop.perform(waiting.call, {"n": 2}) == Observation("ok")
    assert server.served == [("drop", {"n": 2}, "")]
    assert (await loop.run_turn(script("done"), PLENTY)).outcome.result == "done"


async def test_a_decided_call_that_may_not_run_is_an_error():
    loop = await loop_of(FakeServer(tools=specs("x")), handler=ClientTools(specs("clock")))
    assert (await loop.perform(call("a", "ghost"))).is_error
    assert (await loop.perform(call("b", "x", "{"))).is_error
    assert "runs elsewhere" in (await loop.perform(call("c", "clock"))).text


async def test_a_tool_of_the_client_is_left_to_it():
    loop = await loop_of(handler=ClientTools(specs("clock")))
    outcome = (await loop.run_turn(script(calls("clock")), PLENTY)).outcome
    assert [(one.call.name, one.decision) for one in outcome.waiting] == [("clock", False)]
    loop.answer(outcome.waiting[0].call, Observation("noon"))
    loop.recall([UserEntry("and?")])
    assert (await loop.run_turn(script("It is noon."), PLENTY)).outcome.status is Status.COMPLETED


async def test_where_nobody_can_be_asked_a_tool_that_asks_is_refused():
    loop = await loop_of(FakeServer(tools=specs("drop", asks=["drop"])), attended=False)
    await loop.run_turn(script(calls("drop"), "fin"), PLENTY)
    assert "nobody can be asked" in loop.transcript[-2].text


async def test_a_name_remembered_from_before_reaches_nobody():
    server = FakeServer(tools=specs("alpha", "beta"))
    loop = await loop_of(server, grants=(Grant(("alpha",)),))
    await loop.run_turn(script(calls("beta"), "fin"), PLENTY)
    assert server.served == []


async def test_a_turn_that_goes_in_circles_ends():
    loop = await loop_of(FakeServer(tools=specs("x")))
    model = script(*(calls("x", prefix=f"c{n}-") for n in range(9)))
    assert (await loop.run_turn(model, PLENTY)).outcome.status is Status.LOOP_DETECTED
    assert len(model.requests) == 5


async def test_ids_a_provider_uses_again_are_replaced():
    loop = await loop_of(FakeServer(tools=specs("x")))
    await loop.run_turn(script(calls("x"), calls("x"), "fin"), PLENTY)
    first, second = observed(loop)
    assert first != second


async def test_stopping_in_the_middle_of_a_call_leaves_no_call_unanswered():
    hold = asyncio.Event()

    async def forever():
        hold.set()
        await asyncio.Event().wait()

    loop = await loop_of(FakeServer(tools=specs("x", "y"), results={"x": forever}))
    turn = asyncio.ensure_future(loop.run_turn(script(calls("x", "y")), PLENTY))
    await within(hold.wait())
    turn.cancel()
    await asyncio.wait([turn])
    assert turn.cancelled()
    assert [(entry.call_id, entry.text) for entry in loop.transcript[-2:]] == [
        ("c0", UNFINISHED),
        ("c1", UNFINISHED),
    ]


async def test_a_pause_holds_between_model_calls_and_a_cancel_frees_it():
    control = Control()

    async def pause():
        control.pause()
        return "ok"

    loop = await loop_of(FakeServer(tools=specs("x"), results={"x": pause}))
    model = script(calls("x"), "never")
    turn = asyncio.ensure_future(loop.run_turn(model, PLENTY, control))
    while not control.paused:  # noqa: ASYNC110 - the pause is made by a tool of the turn itself
        await asyncio.sleep(0)
    control.cancel()
    result = await within(turn)
    assert (result.outcome.status, len(model.requests)) == (Status.CANCELLED, 1)


async def test_a_turn_under_way_keeps_its_model():
    async def swap():
        loop.set_model("big")
        return "ok"

    loop = await loop_of(FakeServer(tools=specs("x"), results={"x": swap}))
    model = script(calls("x"), "fin")
    await loop.run_turn(model, PLENTY)
    assert [request.model for request in model.requests] == ["m", "m"]
    assert loop.model == "big"


async def test_resources_are_read_through_the_loop():
    loop = await loop_of(handler=OwnTools(texts={"own://1": "MINE"}))
    read = Reply(calls=(call("r", "resource.read", '{"uri": "own://1"}'),))
    await loop.run_turn(script(read, "fin"), PLENTY)
    assert loop.transcript[-2].text == "MINE"
