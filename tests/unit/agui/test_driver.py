import asyncio
from contextlib import aclosing

import pytest
from ag_ui.core import RunAgentInput, ToolMessage

from chat_app.agui.conversation import Conversation
from chat_app.agui.driver import RunDriver, Wiring
from chat_app.agui.errors import HttpStatus, StreamCut
from chat_app.agui.events import LocalMessage
from chat_app.agui.ids import Ids
from chat_app.agui.order import Mode
from chat_app.agui.pipeline import Reading
from chat_app.agui.profiles import CURRENT, TOLERANT, Profile
from chat_app.agui.tools import AnyArguments, RunTool, ToolRegistry
from chat_app.agui.transport.replay import ReplayTransport
from chat_app.agui.updates import Failed, RunEnded, Success, TextAdded
from tests.support.script_transport import ScriptTransport
from tests.support.scripts import RUN_STARTED, call, failed, finished, result, run, started, text


class Rig:
    def __init__(self, transport, profile=CURRENT, tools=(), carried=()):
        self.warnings, self.tapped = [], []
        self.conversation = Conversation(waits=lambda _: False, report=self.warnings.append)
        wiring = Wiring(
            transport=transport,
            conversation=self.conversation,
            profile=profile,
            registry=ToolRegistry(tools),
            ids=Ids("t"),
            tap=lambda entry, _rows: self.tapped.append(entry),
            report=self.warnings.append,
            typed=lambda update: update,
        )
        self.driver = RunDriver(wiring, RunAgentInput(thread_id="t", run_id="r1", messages=[]), carried)

    async def drive(self):
        return [update async for update in self.driver.drive()]

    @property
    def end(self):
        return self.conversation.end


def kinds(updates):
    return [type(update).__name__ for update in updates]


async def test_a_run_is_followed_to_its_verdict():
    rig = Rig(ReplayTransport(run(text("m", "a", "b"))))
    updates = await rig.drive()
    assert [update.delta for update in updates if isinstance(update, TextAdded)] == ["a", "b"]
    assert updates[-1] == RunEnded(Success("r1"))
    assert [entry.type.value for entry in rig.tapped][::5] == ["RUN_STARTED", "RUN_FINISHED"]
    assert rig.warnings == []


async def test_the_agents_failure_is_trouble_and_then_the_end():
    rig = Rig(ReplayTransport([RUN_STARTED, failed("no", "E")]))
    assert kinds(await rig.drive()) == ["Trouble", "RunEnded"]
    assert rig.end == Failed("r1", "no", "E")


async def test_trouble_of_the_stream_closes_the_run_like_an_event():
    rig = Rig(ReplayTransport([RUN_STARTED, text("m", "a")[0], StreamCut("cut")]))
    updates = await rig.drive()
    assert kinds(updates) == ["MessageStarted", "Trouble", "RunEnded"]
    assert rig.end == Failed("r1", "cut", "CLIENT_ERROR")
    assert isinstance(rig.end.error, StreamCut)
    assert rig.tapped[-1].code == "CLIENT_ERROR"


async def test_trouble_of_a_foreign_transport_is_a_transport_error_with_its_cause():
    rig = Rig(ReplayTransport([EOFError()]))
    await rig.drive()
    assert (rig.end.message, rig.end.error.kind) == ("EOFError", "transport")
    assert isinstance(rig.end.error.__cause__, EOFError)


async def test_a_refusal_of_a_field_of_today_suggests_the_old_profile():
    rig = Rig(ReplayTransport([HttpStatus(422, "protocolVersion: extra field")]), profile=TOLERANT)
    await rig.drive()
    assert rig.end.message.endswith("needs the profile '0.1'.")


async def test_a_stream_that_ends_without_a_verdict_is_a_failure():
    rig = Rig(ReplayTransport([RUN_STARTED]))
    await rig.drive()
    assert "ended before" in rig.end.message


@pytest.mark.parametrize("late", [StreamCut("cut"), text("m", "late")[0]])
async def test_trouble_after_the_verdict_is_a_warning(late):
    rig = Rig(ReplayTransport([*run(), late]))
    assert kinds(await rig.drive()) == ["RunEnded"]
    assert rig.end == Success("r1")
    assert [warning.code for warning in rig.warnings] == ["late-trouble"]


async def test_reported_violations_are_trouble_in_their_place():
    report = Profile(name="report", reading=Reading(Mode.REPORT))
    stray = text("ghost", "x")[1]
    rig = Rig(ReplayTransport(run(stray, text("m", "a"))), profile=report)
    assert kinds(await rig.drive()) == ["Trouble", "MessageStarted", "TextAdded", "MessageEnded", "RunEnded"]


async def test_memory_that_ran_out_closes_the_run_and_goes_on_up():
    rig = Rig(ReplayTransport([RUN_STARTED, MemoryError("full")]))
    with pytest.raises(MemoryError):
        await rig.drive()
    assert rig.end.code == "CLIENT_ERROR"


async def test_cancelling_closes_the_run_and_propagates():
    transport = ScriptTransport([[RUN_STARTED, {"$cancel_caller": True}, {"$hang": True}]])
    rig = Rig(transport)
    transport.caller = task = asyncio.ensure_future(rig.drive())
    await asyncio.wait([task])
    assert task.cancelled()
    assert rig.end == Failed("r1", "Run cancelled", "CANCELLED")


async def test_leaving_after_the_verdict_only_warns():
    rig = Rig(ReplayTransport(run()))
    async with aclosing(rig.driver.drive()) as updates:
        assert isinstance(await anext(updates), RunEnded)
    assert rig.end == Success("r1")
    assert [warning.code for warning in rig.warnings] == ["late-trouble"]


async def test_a_listener_that_fails_is_heard_and_the_tools_are_stopped():
    started_tool = asyncio.Event()
    stopped = asyncio.Event()

    async def execute(_arguments, _context):
        started_tool.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    def tap(entry, _rows):
        if getattr(entry, "type", None) == "RUN_ERROR":
            raise LookupError("the listener's own")

    tool = RunTool(name="work", description="", arguments=AnyArguments, execute=execute)
    rig = Rig(ScriptTransport([[RUN_STARTED, *call("c", "work"), {"$settle": 3}, failed()]]), tools=[tool])
    object.__setattr__(rig.driver._wiring, "tap", tap)
    with pytest.raises(LookupError):
        await rig.drive()
    assert started_tool.is_set()
    assert stopped.is_set()


async def test_what_went_out_with_the_request_joins_the_thread_when_the_run_finishes():
    message = ToolMessage(id="m1", role="tool", tool_call_id="c1", content="yes")
    rig = Rig(ReplayTransport([*run(call("c1", "x")), *run(run_id="r2")]), carried=(message,))
    await rig.drive()
    assert rig.tapped.count(LocalMessage(message)) == 1
    assert rig.conversation.is_answered("c1")
    assert rig.conversation.unsent == {}


async def test_what_the_agent_told_of_itself_is_not_added_again():
    message = ToolMessage(id="m1", role="tool", tool_call_id="c1", content="yes")
    rig = Rig(
        ReplayTransport([started(), *call("c1", "x"), result("c1", "done"), finished()]), carried=(message,)
    )
    await rig.drive()
    assert LocalMessage(message) not in rig.tapped
