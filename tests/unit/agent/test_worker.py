import asyncio
import logging

import pytest
from ag_ui.core import ResumeEntry

from chat_app.agent.desk import Desk
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.outbox import Outbox
from chat_app.agent.renderer import Renderer, RunScope
from chat_app.agent.scenarios import SCENARIOS, TALK
from chat_app.agent.sse import frames
from chat_app.agent.turn_events import (
    TextDelta,
    ToolcallCompleted,
    TurnPaused,
    TurnStarted,
    Usage,
    UsageUpdated,
)
from chat_app.agent.work import Work
from chat_app.agent.worker import RenderedSink, end_of, new_outbox
from tests.support.agent_harness import (
    Clock,
    ask,
    check_order,
    conversation,
    counting_ids,
    decode,
    outcome_of,
    person,
    play,
    said,
    state_of,
    text_of,
    worker,
)


async def work(play, **options):
    """Work one play of the test's own, as the worker works those of its mind."""
    return await ask(worker(mind=lambda _conversation: Work(play=play, model="test"), **options), "hi")


async def test_coming_back_is_a_success_with_usage():
    events = await play("Echo: one two")
    assert outcome_of(events) == {"type": "success"}
    assert events[-1]["usage"][0]["outputTokens"] == 2
    assert (events[0]["threadId"], events[0]["runId"]) == ("thread-1", "run-1")


async def test_a_bug_ends_the_run_and_is_logged_not_shown(caplog):
    async def stumble(turn):
        async with turn.message() as message:
            await message.text("so far ")
            raise KeyError("secret detail")

    events = await work(stumble)
    assert [event["type"] for event in said(events)[-2:]] == ["TEXT_MESSAGE_END", "RUN_ERROR"]
    assert events[-1]["code"] == "AGENT_ERROR"
    assert "secret" not in events[-1]["message"]
    assert "secret detail" in caplog.text


async def test_a_report_out_of_place_ends_the_run(caplog):
    async def misreport(turn):
        await turn.emit(ToolcallCompleted("c1"))

    events = await work(misreport)
    assert events[-1]["code"] == "PROTOCOL_VIOLATION"
    assert "not open" in events[-1]["message"]
    assert "broke the rules" in caplog.text


async def test_an_end_that_is_malformed_is_an_error():
    async def ask_nothing(_turn):
        return TurnPaused(())

    assert (await work(ask_nothing))[-1]["code"] == "PROTOCOL_VIOLATION"


async def stop(line, *, until, **fields):
    """Let the agent work until a frame of a kind is out, then cancel it; gives what was said."""
    outbox, seen = new_outbox(limit=100_000), b""
    working = asyncio.ensure_future(worker(pace=1).work(conversation(line, **fields), outbox))
    while until not in seen:
        seen += frames(await asyncio.wait_for(outbox.take(), 5))
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert outbox.closed
    events = decode(seen + frames(outbox.drain()))
    check_order(events)
    return events


async def test_a_stopped_turn_closes_what_is_open_and_says_how_it_ended(caplog):
    caplog.set_level(logging.INFO, "chat_app.agent")
    events = await stop("Give me a slow answer", until=b"TEXT_MESSAGE_CONTENT")
    assert said(events)[-2]["type"] == "TEXT_MESSAGE_END"
    assert outcome_of(events) == {"type": "cancelled"}
    assert events[-1]["usage"]
    assert "Run run-1 of thread thread-1 was stopped." in caplog.text


async def test_a_stopped_turn_is_an_error_to_a_client_that_declares_no_version():
    events = await stop("Say nothing", until=b"RUN_STARTED", protocolVersion=None)
    assert events[-1]["code"] == "cancelled"


class Interrupted(Outbox):
    """Is cancelled when the turn asks for room for the n-th time."""

    def __init__(self, at):
        super().__init__(squeeze=list)
        self.left = at

    async def room(self):
        self.left -= 1
        if self.left < 0:
            raise asyncio.CancelledError


SAYS_SOMETHING = [one for one in (*SCENARIOS, TALK) if one.starts and one.id != "silent"]


@pytest.mark.parametrize("scenario", SAYS_SOMETHING, ids=lambda one: one.id)
async def test_a_turn_that_is_stopped_anywhere_ends_in_order(scenario):
    counting = Interrupted(1_000_000)
    await worker().work(conversation(scenario.phrase), counting)
    waits = 1_000_000 - counting.left
    for at in {0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89} & set(range(waits)):
        outbox = Interrupted(at)
        with pytest.raises(asyncio.CancelledError):
            await worker().work(conversation(scenario.phrase), outbox)
        events = decode(frames(outbox.drain()))
        check_order(events)
        assert outcome_of(events) == {"type": "cancelled"}


async def test_a_slow_client_slows_the_agent_down_and_loses_nothing():
    outbox = new_outbox(limit=4)
    working = asyncio.ensure_future(worker().work(conversation("Write a guide"), outbox))
    biggest, batches = 0, []
    while batch := await asyncio.wait_for(outbox.take(), 5):
        batches.append(frames(batch))
        biggest = max(biggest, len(batch))
        for _turn in range(3):
            await asyncio.sleep(0)
    await working
    assert biggest <= 8
    assert text_of(decode(b"".join(batches))).startswith("# Packing a bicycle")


async def test_fifty_turns_side_by_side_do_not_mix():
    agent = worker()
    lines = [f"Add to the board: task {number}" for number in range(50)]
    runs = await asyncio.gather(*(ask(agent, line, runId=line, threadId=f"to {line}") for line in lines))
    for line, events in zip(lines, runs, strict=True):
        assert (events[-1]["runId"], events[-1]["threadId"]) == (line, f"to {line}")
        assert [task["title"] for task in state_of(events)["app"]["tasks"]] == [line.rpartition(": ")[2]]


async def test_nothing_is_said_before_the_run_starts_when_it_cannot_start():
    events = await play([person("Fail before you start")])
    assert [event["type"] for event in events] == ["RUN_ERROR"]


async def test_the_end_of_a_play_without_an_end_is_completed():
    async def nothing(_turn):
        return None

    assert type(await end_of(nothing, None)).__name__ == "TurnCompleted"


def test_the_sink_closes_the_outbox_with_the_end():
    outbox = new_outbox()
    sink = RenderedSink(Renderer(RunScope("t", "r"), new_id=counting_ids(), now=Clock()), outbox)
    sink.report(TurnStarted("turn"))
    sink.report(TextDelta("x"))
    assert not outbox.closed
    sink.end(TurnPaused(()))
    assert outbox.closed
    assert [event["type"] for event in decode(frames(outbox.drain()))][-2:] == [
        "TEXT_MESSAGE_END",
        "RUN_ERROR",
    ]


async def test_every_run_shows_the_state_first_and_its_last_word_before_it_ends():
    events = await play("Echo: hi", state={"app": {"mine": 1}})
    assert [event["type"] for event in events[:2]] == ["RUN_STARTED", "STATE_SNAPSHOT"]
    begun = events[1]["snapshot"]
    assert (begun["status"], begun["model"], begun["app"]) == ("running", "scripted-1", {"mine": 1})
    left = state_of(events)
    assert (left["status"], left["usage"], left["app"]) == (
        "idle",
        {"inputTokens": 2, "outputTokens": 1},
        {"mine": 1},
    )


async def test_what_a_turn_leaves_is_what_the_next_begins_with():
    agent = worker()
    await ask(agent, "Echo: hi")
    await ask(agent, "Refund order T-1042", threadId="other")
    begun = (await ask(agent, "Echo: there"))[1]["snapshot"]
    assert begun["usage"] == {"inputTokens": 2, "outputTokens": 1}
    assert state_of(await ask(agent, "Refund order T-1042"))["status"] == "waiting"


async def test_a_stopped_turn_keeps_what_it_spent():
    memory = ProcessMemory()
    agent = worker(memory=memory)
    working = asyncio.ensure_future(agent.work(conversation("Say nothing"), new_outbox()))
    for _ in range(5):
        await asyncio.sleep(0)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    kept = await memory.load_projection("thread-1")
    assert (kept["status"], kept["usage"]) == ("idle", {"inputTokens": 2})


class Forgetful(ProcessMemory):
    async def save_projection(self, _thread_id, _document):
        raise OSError("the disk is full")


async def test_an_answer_survives_a_memory_that_fails(caplog):
    agent = worker(memory=Forgetful())
    assert text_of(await ask(agent, "Echo: hi")) == "hi"
    assert "thread-1 could not be kept" in caplog.text


class Amnesiac(ProcessMemory):
    async def load_projection(self, _thread_id):
        raise OSError("the disk is gone")


async def test_a_memory_that_cannot_be_read_ends_the_run_in_order(caplog):
    events = await ask(worker(memory=Amnesiac()), "Echo: hi")
    assert events[-1]["code"] == "AGENT_ERROR"
    assert "the disk is gone" in caplog.text


async def test_the_mind_names_its_model():
    async def nothing(_turn):
        return None

    assert (await work(nothing))[1]["snapshot"]["model"] == "test"


async def test_an_old_client_is_told_of_no_pending_calls():
    tools = [{"name": "show_card", "description": "", "parameters": {}}]
    for version, expected in (("1.0", True), (None, False)):
        events = await play("Show it as a card", tools=tools, protocolVersion=version)
        assert ("pendingToolCallIds" in outcome_of(events)) is expected


async def test_subagents_can_be_said_as_custom():
    events = await ask(worker(subagents="custom"), "Ask the mechanic and the carrier")
    assert not [event for event in events if "subagentRunId" in event]
    names = [event["name"] for event in events if event["type"] == "CUSTOM"]
    assert names.count("subagent_started") == names.count("subagent_finished") == 2


async def test_questions_can_be_settled_while_the_run_goes_on():
    desk, outbox, seen = Desk(), new_outbox(), []
    working = asyncio.ensure_future(worker(desk=desk).work(conversation("Refund both orders"), outbox))
    for payload in ({"approved": True}, {"approved": False, "reason": "later"}):
        while not (asked := [event for event in seen if getattr(event, "name", "") == "permission_request"]):
            seen += await asyncio.wait_for(outbox.take(), 5)
        assert "/pendingPermission" in frames(seen).decode()
        seen = []
        desk.answer(
            "thread-1", ResumeEntry(interrupt_id=asked[0].value["id"], status="resolved", payload=payload)
        )
    await asyncio.wait_for(working, 5)
    events = decode(frames([*seen, *outbox.drain()]))
    assert outcome_of(events) == {"type": "success"}
    assert "Done: **184.5 EUR" in text_of(events)
    assert "You said: “later”" in text_of(events)
    resolved = [event["value"]["decision"] for event in events if event.get("name") == "ui_resolved"]
    assert resolved[-1] == "deny"


async def test_a_live_question_nobody_answers_in_time_is_dropped():
    clock, desk, outbox = Clock(), Desk(), new_outbox()
    request = conversation("Refund order T-1042 within 0 seconds")
    await asyncio.wait_for(worker(desk=desk, clock=clock).work(request, outbox), 5)
    events = decode(frames(outbox.drain()))
    assert "was cancelled, so nothing was paid" in text_of(events)


async def test_a_mind_that_tells_what_it_spends_is_not_counted_by_words():
    async def spend(turn):
        await turn.say("three more words")
        await turn.emit(UsageUpdated(Usage("p", "m", 7, 5)))

    mind = Work(play=spend, model="m", counts_words=False)
    events = await ask(worker(mind=lambda _conversation: mind), "hi")
    assert [(one["provider"], one["totalTokens"]) for one in events[-1]["usage"]] == [("p", 12)]
    assert state_of(events)["usage"] == {"inputTokens": 7, "outputTokens": 5}
