from datetime import UTC, datetime

import pytest
from ag_ui.core import Context, Tool, UserMessage

from chat_app.agui.calls import NO_HANDLER
from chat_app.agui.conversation import Conversation
from chat_app.agui.errors import NotInterrupted, ThreadInterrupted, UsageError
from chat_app.agui.events import Interrupt, LocalMessage, ResumeEntry, parse_stored
from chat_app.agui.ids import Ids
from chat_app.agui.outbox import Outbox, Plan
from chat_app.agui.requests import RunParams
from chat_app.agui.tools import ToolRegistry
from tests.support.scripts import call, run

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
CANCELLED = ResumeEntry(interrupt_id="i1", status="cancelled")


class Rig:
    def __init__(self, *events, asks=(), declared=()):
        self.tapped, self.warnings = [], []
        self.conversation = Conversation(waits=lambda name: name in asks, report=self.warnings.append)
        self.outbox = Outbox(
            "t",
            self.conversation,
            ids=Ids("t"),
            context=[Context(description="a", value="1")],
            forwarded_props={"k": 1},
            tap=lambda entry, _rows: self.tapped.append(entry),
            report=self.warnings.append,
        )
        self.outbox.offer([Tool(name=name, description="") for name in declared], ToolRegistry())
        for event in events:
            self.conversation.fold(parse_stored(event))

    def admit(self, **plan):
        self.outbox.admit(Plan(RunParams(run_id=plan.pop("run_id", None)), **plan), NOON)


def test_a_thread_nothing_is_open_on_may_speak():
    Rig().admit()
    Rig().admit(entries=())


def test_answers_to_nothing_are_refused():
    with pytest.raises(NotInterrupted):
        Rig().admit(entries=(CANCELLED,))


def test_open_questions_want_answers_first_and_owed_ones_count():
    rig = Rig()
    rig.conversation.reopen([Interrupt(id="i1", reason="x")], [])
    with pytest.raises(ThreadInterrupted):
        rig.admit()
    rig.conversation.owed = (CANCELLED,)
    rig.admit()


def test_answers_are_owed_only_when_nothing_else_refuses_the_plan():
    rig = Rig()
    rig.conversation.reopen([Interrupt(id="i1", reason="x")], [])
    rig.outbox.request(RunParams(run_id="r1"))
    with pytest.raises(UsageError, match="'r1'"):
        rig.admit(entries=(CANCELLED,), run_id="r1")
    assert rig.conversation.owed == ()
    rig.admit(entries=(CANCELLED,))
    assert rig.conversation.owed == (CANCELLED,)


def test_calls_that_wait_for_a_person_refuse_a_run_and_are_dismissed_by_a_line():
    rig = Rig(*run(call("c", "ask")), asks={"ask"})
    with pytest.raises(UsageError, match="'c'"):
        rig.admit()
    rig.admit(dismisses=True)


def test_dangling_calls_are_answered_before_the_line():
    rig = Rig(*run(call("c", "search")), declared=["search"])
    line = UserMessage(id="u", role="user", content="hi")
    updates = list(rig.outbox.speak(Plan(RunParams(), say=lambda: line)))
    assert [update.call_id for update in updates] == ["c"]
    answer, said = rig.tapped
    assert (answer.message.tool_call_id, answer.message.content) == ("c", NO_HANDLER.content)
    assert said == LocalMessage(line)
    assert [diagnostic.code for diagnostic in rig.warnings] == ["answered-by-default"]
    assert [message.role for message in rig.conversation.applier.messages] == ["assistant", "tool", "user"]


def test_a_request_carries_what_the_session_and_the_caller_gave():
    rig = Rig(declared=["search"])
    params = RunParams(
        run_id="r1",
        tools=[Tool(name="mine", description="")],
        context=[Context(description="b", value="2")],
        forwarded_props={"k": 2},
    )
    request, carried = rig.outbox.request(params)
    assert (request.thread_id, request.run_id, request.protocol_version) == ("t", "r1", "1.0")
    assert [tool.name for tool in request.tools] == ["mine", "search"]
    assert [entry.value for entry in request.context] == ["1", "2"]
    assert (request.forwarded_props, request.resume, request.state, carried) == ({"k": 2}, None, {}, ())
    assert rig.outbox.request(RunParams())[0].run_id == "t-run-1"
