import asyncio
import logging
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from ag_ui.core import Context, TextPart, Tool, ToolMessage, UserMessage
from pydantic import BaseModel

from chat_app.agui.calls import DISMISSED, NO_HANDLER, UNFINISHED
from chat_app.agui.errors import InterruptExpired, NotInterrupted, ThreadInterrupted, UsageError
from chat_app.agui.events import Interrupt, LocalMessage, ResumeEntry, parse_stored
from chat_app.agui.requests import RunParams
from chat_app.agui.runner import STOPPED
from chat_app.agui.session import TOO_MANY_FOLLOW_UPS, Session
from chat_app.agui.tools import AnyArguments, AskTool, RunTool, ToolContext
from chat_app.agui.transcript import ToolCallPart
from chat_app.agui.transport.replay import ReplayTransport
from chat_app.agui.updates import Done, Failed, Idle, Interrupted, RunEnded, Success, Trouble
from tests.support.script_transport import ScriptTransport
from tests.support.scripts import call, failed, finished, interrupted, result, run, started, text


def scripted(*events):
    """Return a script that answers under the run id of its request."""
    return lambda request: [
        {**event, "runId": request.run_id} if "runId" in event else event for event in run(*events)
    ]


def asking(*interrupts):
    return lambda request: [started(request.run_id), interrupted(*interrupts, run_id=request.run_id)]


async def echo(arguments, _context):
    return {"echoed": arguments.model_dump()}


ECHO = RunTool(name="echo", description="", arguments=AnyArguments, execute=echo)
ASK = AskTool(name="ask", description="", arguments=AnyArguments)
QUESTION = {"id": "i1", "reason": "tool_call"}


def session(*scripts, **options):
    options.setdefault("on_diagnostic", lambda _: None)
    return Session(ReplayTransport(*scripts), "t", **options)


def sent(made, number=-1):
    return made._transport.requests[number]


def roles(made, number=-1):
    return [message.role for message in sent(made, number).messages]


def cancel(interrupt_id="i1"):
    return [ResumeEntry(interrupt_id=interrupt_id, status="cancelled")]


# ------------------------------------------------------------------ what is sent


async def test_a_line_is_drawn_and_sent_and_answered():
    made = session(scripted(text("a", "Hel", "lo")))
    assert (made.end, made.transcript.run, made.busy) == (None, Idle(), False)

    assert await made.send("hi") == Success("t-run-1")

    assert [(row.role, row.parts[0].text) for row in made.transcript.messages] == [
        ("user", "hi"),
        ("assistant", "Hello"),
    ]
    assert [message.id for message in made.messages] == ["t-msg-1", "a"]
    assert made.end == made.transcript.run == Success("t-run-1")
    request = sent(made).model_dump(mode="json", by_alias=True)
    assert request == {
        "threadId": "t",
        "runId": "t-run-1",
        "protocolVersion": "1.0",
        "messages": [{"id": "t-msg-1", "role": "user", "content": "hi"}],
        "state": {},
        "tools": [],
        "context": [],
        "forwardedProps": {},
    }


async def test_a_line_may_have_parts_and_an_id():
    made = session(scripted())
    await made.send([TextPart(type="text", text="look")], message_id="u7")
    assert sent(made).messages == [
        UserMessage(id="u7", role="user", content=[TextPart(type="text", text="look")])
    ]


async def test_a_session_can_start_with_something_and_is_readable_throughout():
    made = session(
        scripted(),
        messages=[UserMessage(id="u", role="user", content="earlier")],
        state={"open": 2},
        tools=[Tool(name="add_task", description="Adds")],
        context=[Context(description="locale", value="ja")],
        forwarded_props={"tenant": "acme"},
    )
    made.push_message(UserMessage(id="u2", role="user", content="pushed"))
    assert made.raw_state == {"open": 2}
    made.set_state({"open": 3})
    assert (made.thread_id, made.reasoning, made.interrupts, made.subagents) == ("t", (), (), ())
    assert (made.state, made.state_seen, made.state_stale) == (None, False, False)
    assert made.subagent("nobody") is None
    assert made.applier.messages == made.messages
    assert made.reducer.snapshot() == made.transcript

    params = RunParams(context=[Context(description="unit", value="m")], forwarded_props={"page": 1})
    await made.run(params)

    request = sent(made)
    assert [message.id for message in request.messages] == ["u", "u2"]
    assert request.state == {"open": 3}
    assert [tool.name for tool in request.tools] == ["add_task"]
    assert [entry.description for entry in request.context] == ["locale", "unit"]
    assert request.forwarded_props == {"tenant": "acme", "page": 1}


async def test_a_message_of_any_role_can_be_sent():
    made = session(scripted())
    await made.send_message(UserMessage(id="u", role="user", content="hi", name="Ann"))
    assert sent(made).messages[0].name == "Ann"


async def test_an_empty_state_goes_out_as_an_object():
    made = session(scripted({"type": "STATE_SNAPSHOT", "snapshot": None}), scripted())
    await made.run()
    assert made.raw_state is None
    await made.run()
    assert sent(made).state == {}


async def test_tools_offered_twice_are_warned_of():
    found = []
    twice = [ECHO, Tool(name="echo", description="")]
    made = session(scripted(), scripted(), tools=twice, on_diagnostic=found.append)
    await made.run()
    assert [diagnostic.code for diagnostic in found] == ["duplicate-tool"]
    made.set_tools([])
    await made.run()
    assert (sent(made, 0).tools != [], sent(made, 1).tools) == (True, [])


async def test_warnings_are_logged_when_nobody_listens(caplog):
    made = Session(ReplayTransport(run({"type": "FANCY"})), "t")
    with caplog.at_level(logging.WARNING):
        await made.run()
    assert "unknown-event" in caplog.text


@pytest.mark.parametrize("wrong", ["http://localhost/agent", None])
def test_what_is_no_transport_is_refused_where_it_is_given(wrong):
    with pytest.raises(TypeError, match="HttpTransport"):
        Session(wrong, "t")


async def test_a_run_id_is_used_once():
    made = session(scripted(), scripted())
    await made.run(RunParams(run_id="r1"))
    with pytest.raises(UsageError, match="'r1'"):
        await made.run(RunParams(run_id="r1"))


async def test_ids_come_from_the_maker_that_was_given():
    names = iter("abc")
    made = session(scripted(), new_id=lambda: next(names))
    await made.send("hi")
    assert (sent(made).messages[0].id, sent(made).run_id) == ("a", "b")


async def test_the_agent_can_be_had_without_the_session():
    made = session([{"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "x"}])
    request, _ = made._outbox.request(RunParams())
    events = [event async for event in made.agent.run(request)]
    assert [event.type.value for event in events] == ["TEXT_MESSAGE_CHUNK"]


# ------------------------------------------------------------------ updates, taps and turns


async def test_updates_end_with_done_once():
    made = session(scripted(text("a", "x")))
    async with made.send("hi") as updates:
        seen = [update async for update in updates]
    assert [type(update).__name__ for update in seen] == [
        "MessageStarted",
        "TextAdded",
        "MessageEnded",
        "RunEnded",
        "Done",
    ]
    assert seen[-1] == Done(Success("t-run-1"))


async def test_a_log_of_what_was_heard_folds_to_the_same_thread():
    log = []

    def hear(entry, rows):
        log.append(entry)

    def failing(request):
        return [started(request.run_id), failed("no")]

    options = {"tools": [ECHO], "on_event": hear, "on_local": hear}
    live = session(scripted(call("c", "echo")), scripted(text("a", "x")), failing, **options)
    await live.send("hi")
    await live.run()

    again = Session.restore(ReplayTransport(scripted()), "t", log, tools=[ECHO])

    assert again.transcript == live.transcript
    assert again.messages == live.messages
    assert again.end == live.end
    used = {entry.message.id for entry in log if isinstance(entry, LocalMessage)}
    await again.send("more")
    assert again.messages[-1].id not in used
    assert sent(again).run_id == "t-run-5"


async def test_nobody_needs_to_listen():
    made = Session(ReplayTransport(run()), "t")
    assert isinstance(await made.send("hi"), Success)


async def test_a_message_pushed_while_a_run_is_under_way_is_refused():
    transport = ScriptTransport([[started(), {"$gate": "g"}, finished()]])
    made = Session(transport, "t")
    async with made.run() as updates, aclosing(updates):
        following = asyncio.ensure_future(anext(updates))
        await asyncio.sleep(0)
        assert made.busy
        for act in (
            lambda: made.push_message(UserMessage(id="u", role="user", content="x")),
            lambda: made.set_state(1),
        ):
            with pytest.raises(UsageError, match="under way"):
                act()
        transport.gates["g"].set()
        assert isinstance(await following, RunEnded)


DOWN = [{"$raise": "down"}]
REFUSED = [failed("closed")]
SILENT = []


@pytest.mark.parametrize("broken", [DOWN, REFUSED, SILENT])
async def test_a_run_that_fails_before_it_starts_has_the_id_it_was_requested_with(broken):
    transport = ScriptTransport([[started("first"), finished("first")], broken, broken])
    made = Session(transport, "t")
    await made.run(RunParams(run_id="first"))
    for params, run_id in ((RunParams(run_id="mine"), "mine"), (RunParams(), "t-run-1")):
        async with made.send("hi", params=params) as updates:
            told = [update async for update in updates]
        assert told[-1].end == told[-2].end == made.end == made.transcript.run
        assert (type(made.end), made.end.run_id) == (Failed, run_id)
        assert transport.requests[-1].run_id == run_id


async def test_a_run_that_is_stopped_before_it_starts_has_the_id_it_was_requested_with():
    transport = ScriptTransport(
        [[started("first"), finished("first")], [{"$cancel_caller": True}, {"$hang": True}]]
    )
    made = Session(transport, "t")
    await made.run(RunParams(run_id="first"))
    transport.caller = asyncio.ensure_future(_end_of(made.run(RunParams(run_id="mine"))))
    with pytest.raises(asyncio.CancelledError):
        await transport.caller
    assert made.end == made.transcript.run == Failed("mine", "Run cancelled", "CANCELLED")


async def _end_of(exchange):
    return await exchange


async def test_what_a_log_tells_of_a_run_that_failed_before_it_started():
    log = []

    def hear(entry, _rows):
        log.append(entry)

    transport = ScriptTransport([[started("first"), finished("first")], DOWN, DOWN])
    live = Session(transport, "t", on_event=hear, on_local=hear)
    await live.run(RunParams(run_id="first"))
    await live.send("hi")
    assert (live.end.run_id, _restored(log).end.run_id) == ("t-run-1", "")
    await live.run()
    assert (live.end.run_id, _restored(log).end.run_id) == ("t-run-2", "")
    del log[2:4]  # the line and the first failure
    assert (_restored(log).end.run_id, _restored(log).end) == ("first", replace(live.end, run_id="first"))


def _restored(log):
    return Session.restore(ReplayTransport(), "t", log)


async def test_leaving_the_updates_stops_the_run_and_frees_the_session():
    made = session([started(), *text("a", "x")[:2], *text("a", "y")[1:], finished()], scripted())
    async with made.send("hi") as updates:
        await anext(updates)
    assert made.end == Failed("r1", "Run cancelled", "CANCELLED")
    assert not made.transcript.messages[-1].parts[0].streaming
    assert isinstance(await made.run(), Success)


# ------------------------------------------------------------------ state


class Board(BaseModel):
    count: int


async def test_typed_state_follows_what_fits():
    made = session(scripted({"type": "STATE_SNAPSHOT", "snapshot": {"count": 1}}), state_type=Board)
    await made.run()
    assert (made.state, made.state_seen) == (Board(count=1), True)


def test_restored_state_is_typed_again():
    log = list(map(parse_stored, run({"type": "STATE_SNAPSHOT", "snapshot": {"count": 4}})))
    assert Session.restore(ReplayTransport(), "t", log, state_type=Board).state == Board(count=4)
    assert Session.restore(ReplayTransport(), "t", [], state_type=Board).state is None


async def test_a_running_call_previews_the_state():
    rule = {"state_key": "text", "tool": "write", "tool_argument": "body"}
    announce = {"type": "CUSTOM", "name": "PredictState", "value": [rule]}
    made = session(scripted(announce, call("c", "write", '{"body": "dear'), result("c", "ok")))
    await made.run()
    assert made.predicted_state == {"text": "dear"}
    assert made.raw_state == {}


# ------------------------------------------------------------------ tools


async def test_follow_ups_are_bounded_and_the_answers_kept():
    endless = [scripted(call(f"c{number}", "echo")) for number in range(3)]
    made = session(*endless, scripted(), tools=[ECHO], max_follow_ups=2)
    async with made.run() as updates:
        seen = [update async for update in updates]
    assert made.end.code == TOO_MANY_FOLLOW_UPS
    assert isinstance(seen[-3], Trouble)
    assert seen[-1] == Done(made.end)
    await made.run()
    assert roles(made) == ["assistant", "tool"] * 3


async def test_a_tool_may_answer_without_another_run():
    quiet = RunTool(name="echo", description="", arguments=AnyArguments, execute=echo, follow_up=False)
    made = session(scripted(call("c", "echo")), scripted(), tools=[quiet])
    await made.run()
    assert len(made._transport.requests) == 1
    await made.send("next")
    assert roles(made) == ["assistant", "tool", "user"]


async def test_tools_that_are_offered_later_decide_whose_calls_wait_for_a_person():
    made = session(scripted(call("c", "ask")), scripted(call("d", "ask")), scripted(call("e", "ask")))

    def statuses():
        parts = [part for row in made.transcript.messages for part in row.parts]
        return {part.wire_id: part.status for part in parts if isinstance(part, ToolCallPart)}

    await made.run()
    made.set_tools([ASK])
    assert statuses() == {"c": "awaiting_result"}
    await made.run()
    assert statuses() == {"c": "awaiting_result", "d": "awaiting_answer"}
    assert made.asked_calls == ("d",)
    made.push_message(ToolMessage(id="m", role="tool", tool_call_id="d", content="blue"))
    made.set_tools([])
    await made.run()
    assert statuses()["e"] == "awaiting_result"


async def test_an_asking_tool_ends_the_exchange_and_waits():
    made = session(scripted(call("c", "ask"), call("d", "echo")), scripted(), tools=[ASK, ECHO])
    assert isinstance(await made.run(), Success)
    assert made.asked_calls == ("c",)
    assert made.transcript.messages[0].parts[0].status == "awaiting_answer"
    with pytest.raises(UsageError, match="'c'"):
        await made.run()

    made.push_message(ToolMessage(id="m", role="tool", tool_call_id="c", content="blue"))
    assert made.asked_calls == ()
    await made.run()

    answers = {
        message.tool_call_id: message.content for message in sent(made).messages if message.role == "tool"
    }
    assert answers == {"c": "blue", "d": '{"echoed":{}}'}


def risky(execute):
    return RunTool(name="wipe", description="", arguments=AnyArguments, execute=execute, consent=True)


async def test_a_tool_that_wants_consent_runs_by_a_persons_word_only():
    ran = []

    async def wipe(arguments, context):
        ran.append((arguments.model_dump(), context))
        return "wiped"

    made = session(scripted(call("c", "wipe", '{"all": true}')), scripted(), tools=[risky(wipe)])
    await made.run()
    assert (made.asked_calls, ran) == (("c",), [])
    with pytest.raises(UsageError, match="'ghost'"):
        await made.perform("ghost")

    await made.perform("c")
    assert ran == [({"all": True}, ToolContext("t", "t-run-1", "c"))]
    assert made.transcript.messages[0].parts[0].result == "wiped"
    with pytest.raises(UsageError, match="'c'"):
        await made.perform("c")
    await made.run()
    assert roles(made) == ["assistant", "tool"]


async def test_a_tool_that_is_stopped_in_mid_consent_answers_that_it_was():
    begun = asyncio.Event()

    async def wipe(_arguments, _context):
        begun.set()
        await asyncio.Event().wait()

    made = Session.restore(
        ReplayTransport(), "t", map(parse_stored, run(call("c", "wipe"))), tools=[risky(wipe)]
    )
    performing = asyncio.ensure_future(made.perform("c"))
    await begun.wait()
    performing.cancel()
    await asyncio.wait([performing])
    assert performing.cancelled()
    assert made.transcript.messages[0].parts[0].result == STOPPED.content


async def test_saying_something_else_dismisses_what_was_asked():
    made = session(scripted(call("c", "ask")), scripted(), tools=[ASK])
    await made.run()
    await made.send("never mind")
    assert roles(made) == ["assistant", "tool", "user"]
    assert sent(made).messages[1].content == DISMISSED.content


async def test_calls_nobody_holds_are_answered_before_the_next_turn():
    found = []
    declared = Tool(name="search", description="")
    made = session(
        scripted(call("c", "search"), call("d", "server")),
        scripted(),
        tools=[declared],
        on_diagnostic=found.append,
    )
    await made.run()
    assert len(made._transport.requests) == 1
    await made.send("well?")
    answers = [(one.tool_call_id, one.error) for one in sent(made).messages if one.role == "tool"]
    assert answers == [("c", NO_HANDLER.error)]
    assert [diagnostic.code for diagnostic in found] == ["answered-by-default"]


async def test_an_answer_that_only_a_snapshot_brought_counts():
    answered = [
        {"id": "c", "role": "assistant", "toolCalls": [_call_model("c", "search")]},
        {"id": "m", "role": "tool", "toolCallId": "c", "content": "found"},
    ]
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": answered}
    made = session(
        scripted(call("c", "search"), snapshot), scripted(), tools=[Tool(name="search", description="")]
    )
    await made.run()
    await made.run()
    assert [one.id for one in sent(made).messages] == ["c", "m"]


def _call_model(call_id, name):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}


async def test_an_answer_the_caller_pushed_counts():
    made = session(scripted(call("c", "search")), scripted(), tools=[Tool(name="search", description="")])
    await made.run()
    made.push_message(ToolMessage(id="m", role="tool", tool_call_id="c", content="found"))
    await made.run()
    assert [one.content for one in sent(made).messages if one.role == "tool"] == ["found"]


async def test_calls_of_a_failed_run_are_answered_as_unfinished():
    made = session([started(), *call("c", "server"), *call("d", "server")[:2], failed()], scripted())
    await made.run()
    await made.run()
    assert roles(made) == ["assistant", "tool"]
    assert sent(made).messages[1].error == UNFINISHED.error
    assert len(sent(made).messages[0].tool_calls) == 1


async def test_an_unsent_answer_survives_a_restore():
    log = []
    live = session(
        [started(), *call("c", "echo"), failed()],
        tools=[ECHO],
        on_event=lambda e, _: log.append(e),
        on_local=lambda e, _: log.append(e),
    )
    await live.run()
    again = Session.restore(ReplayTransport(scripted()), "t", log, tools=[ECHO])
    await again.send("go on")
    assert roles(again) == ["assistant", "tool", "user"]
    assert sent(again).messages[1].content == '{"echoed":{}}'


async def test_calls_of_a_run_the_process_died_in_are_answered_after_a_restore():
    log = map(parse_stored, [started(), *call("c", "server")])
    again = Session.restore(ReplayTransport(scripted()), "t", log, on_diagnostic=lambda _: None)
    await again.run()
    assert roles(again) == ["assistant", "tool"]
    assert sent(again).messages[1].error == UNFINISHED.error


# ------------------------------------------------------------------ questions


async def test_an_open_question_refuses_everything_but_its_answer():
    made = session(asking(QUESTION), scripted())
    assert isinstance(await made.send("pay"), Interrupted)
    assert [one.id for one in made.interrupts] == [one.id for one in made.pending_interrupts] == ["i1"]
    for act in (
        made.run,
        lambda: made.send("x"),
        lambda: made.send_message(UserMessage(id="u", role="user", content="x")),
    ):
        with pytest.raises(ThreadInterrupted, match="go past its questions"):
            await act()
    assert len(made.transcript.messages) == 1
    await made.resume(cancel(), then="use staging")
    assert sent(made).messages[-1].content == "use staging"
    assert sent(made).resume == cancel()
    assert made.pending_interrupts == ()


async def test_nothing_asked_is_nothing_to_resume():
    made = session(scripted())
    with pytest.raises(NotInterrupted):
        await made.resume(cancel())
    assert isinstance(await made.resume([]), Success)
    assert sent(made).resume is None


async def test_answers_are_owed_until_a_run_finishes_and_survive_a_restore():
    made = session(asking(QUESTION), [failed("down")])
    await made.run()
    await made.resume(cancel())
    assert made.owed == tuple(cancel())

    again = Session.restore(
        ReplayTransport(scripted()), "t", [], pending=made.pending_interrupts, owed=made.owed
    )
    await again.run()

    assert sent(again).resume == cancel()
    assert (again.owed, again.pending_interrupts) == ((), ())


async def test_owed_answers_to_a_question_that_expired_meanwhile_are_not_sent_again():
    late = Interrupt(id="i1", reason="x", expires_at="2026-11-30T00:00:00Z")
    owed = [ResumeEntry(interrupt_id="i1", status="resolved", payload=True)]
    made = Session.restore(
        ReplayTransport(scripted()),
        "t",
        [],
        pending=[late],
        owed=owed,
        now=lambda: datetime(2026, 12, 1, tzinfo=UTC),
    )
    with pytest.raises(InterruptExpired):
        await made.run()
    assert isinstance(await made.resume(cancel()), Success)


async def test_a_legacy_question_is_answered_by_command():
    asked = {"type": "CUSTOM", "name": "on_interrupt", "value": '{"reason": "tool_call", "message": "OK?"}'}
    made = session(scripted(asked), scripted(), forwarded_props={"k": 1})
    end = await made.run()
    assert [one.message for one in end.interrupts] == ["OK?"]
    await made.resume(
        [ResumeEntry(interrupt_id=end.interrupts[0].id, status="resolved", payload={"approved": True})]
    )
    assert sent(made).forwarded_props == {"k": 1, "command": {"resume": {"approved": True}}}
    assert sent(made).resume is None


async def test_a_confirmation_is_answered_by_a_tool_message_that_a_retry_can_change():
    arguments = '{"originalFunctionCall": {"id": "c1", "name": "delete"}}'
    asked = [*call("c1", "delete"), *call("q", "adk_request_confirmation", arguments)]
    done = scripted(result("c1", "kept"))
    made = session(scripted(asked), [failed("down")], done)
    await made.run()

    def answer(value):
        return [ResumeEntry(interrupt_id="q", status="resolved", payload={"confirmed": value})]

    await made.resume(answer(True))
    await made.resume(answer(False))

    said = [(one.tool_call_id, one.content) for one in sent(made).messages if one.role == "tool"]
    assert said == [("q", '{"confirmed": false}')]
    assert len(made._transport.requests) == 3
    assert made.pending_interrupts == ()
    parts = [part for row in made.transcript.messages for part in row.parts]
    assert [(part.wire_id, part.status, part.result) for part in parts] == [
        ("c1", "complete", "kept"),
        ("q", "complete", '{"confirmed": false}'),
    ]


# ------------------------------------------------------------------ turns


async def test_a_caller_cancelled_while_it_waits_leaves_no_trace():
    transport = ScriptTransport([[started(), {"$gate": "g"}, finished()]])
    made = Session(transport, "t")
    first = asyncio.ensure_future(made.send("one")._end())
    second = asyncio.ensure_future(made.send("two")._end())
    for _ in range(5):
        await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second])
    assert second.cancelled()
    transport.gates["g"].set()
    assert isinstance(await first, Success)
    assert [row.parts[0].text for row in made.transcript.messages] == ["one"]


# ------------------------------------------------------------------ runs after runs


async def test_a_tool_beside_a_question_waits_for_the_answer():
    made = session([started(), *call("c", "echo"), interrupted(QUESTION)], scripted(), tools=[ECHO])
    assert isinstance(await made.run(), Interrupted)
    assert made.transcript.messages[0].parts[0].status == "complete"
    assert len(made._transport.requests) == 1
    await made.resume(cancel())
    assert roles(made) == ["assistant", "tool"]
    assert sent(made).resume == cancel()


async def test_a_resumed_run_may_ask_again():
    again = {"id": "i9", "reason": "tool_call"}
    snapshot = {"type": "STATE_SNAPSHOT", "snapshot": {"n": 1}}
    made = session([started(), snapshot, *text("a", "x"), interrupted(QUESTION)], asking(again))
    await made.send("go", params=RunParams(forwarded_props={"k": 1}))
    end = await made.resume(cancel(), RunParams(forwarded_props={"k": 1}))
    assert [one.id for one in end.interrupts] == [one.id for one in made.pending_interrupts] == ["i9"]
    first, second = sent(made, 0), sent(made, 1)
    assert first.run_id != second.run_id
    assert (first.thread_id, first.forwarded_props) == (second.thread_id, second.forwarded_props)
    assert second.state == {"n": 1}
    assert roles(made) == ["user", "assistant"]


async def test_a_follow_up_that_fails_leaves_the_answer_once():
    made = session(scripted(call("c", "echo")), [failed("down", "E")], scripted(), tools=[ECHO])
    assert (await made.run()).code == "E"
    await made.run()
    assert roles(made) == ["assistant", "tool"]


async def test_a_ready_answer_is_drawn_before_the_next_event():
    seen = []

    def look(event, _rows):
        if event.type == "CUSTOM":
            seen.append(made.transcript.messages[0].parts[0].status)

    tick = {"type": "CUSTOM", "name": "tick", "value": 1}
    transport = ScriptTransport(
        [[started(), *call("c", "echo"), tick, {"$settle": 5}, tick, finished()], run()]
    )
    made = Session(transport, "t", tools=[ECHO], on_event=look)
    await made.run()
    assert seen == ["awaiting_result", "complete"]


async def test_a_session_never_closes_its_transport():
    closed = []

    class Owned(ReplayTransport):
        async def aclose(self):
            closed.append(True)

    transport = Owned(run(), run())
    for thread in ("a", "b"):
        await Session(transport, thread, on_diagnostic=lambda _: None).run()
    assert closed == []
