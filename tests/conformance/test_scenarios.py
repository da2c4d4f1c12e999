"""Three acceptance scenarios that no case file holds: a missing tool, collected answers, and record and replay."""

import itertools
from pathlib import Path

from ag_ui.core import RunAgentInput

from chat_app.agui import (
    AgentRunError,
    Failed,
    Interrupt,
    Interrupted,
    RemoteAgent,
    ReplayTransport,
    ResumeBuilder,
    Session,
    Success,
    TransportError,
)
from chat_app.agui.recording import RecordedTransport, Recorder, Recording, read_recordings, write_recordings

EDITABLE = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "editedArgs": {"type": "object"}},
    "required": ["approved"],
}


def run_of(*middle, outcome=None):
    def script(request: RunAgentInput):
        ids = {"threadId": request.thread_id, "runId": request.run_id}
        end = {"type": "RUN_FINISHED", **ids}
        return [{"type": "RUN_STARTED", **ids}, *middle, end | ({"outcome": outcome} if outcome else {})]

    return script


async def test_an_agent_that_misses_a_tool_says_so_in_an_ordinary_failed_run():
    words = "The client offered no add_task"
    agent = ReplayTransport([{"type": "RUN_ERROR", "message": words, "code": "NO_TOOL"}])
    warned = []
    session = Session(agent, "t", on_diagnostic=warned.append)
    end = await session.send("Add a task")
    assert isinstance(end, Failed)
    assert (end.message, end.code) == (words, "NO_TOOL")
    assert end.error is None or isinstance(end.error, AgentRunError)
    assert (len(agent.requests), agent.requests[0].tools, warned) == (1, [], [])
    assert [message.role for message in session.transcript.messages] == ["user"]


async def test_answers_are_collected_and_sent_in_one_request_in_their_order():
    questions = [
        {"id": "budget", "reason": "input_required"},
        {"id": "date", "reason": "input_required"},
        {"id": "mail", "reason": "tool_call", "responseSchema": EDITABLE},
    ]
    agent = ReplayTransport(run_of(outcome={"type": "interrupt", "interrupts": questions}), run_of())
    session = Session(agent, "t")
    assert isinstance(await session.send("Plan it"), Interrupted)
    builder = ResumeBuilder(session.pending_interrupts).resolve("budget", 1200)
    assert [one.id for one in builder.missing()] == ["date", "mail"]
    builder.cancel("date").approve("mail", edited={"to": "a@b.c"})
    assert builder.missing() == ()
    assert isinstance(await session.resume(builder.build()), Success)
    sent = [entry.model_dump(by_alias=True, exclude_none=True) for entry in agent.requests[1].resume]
    assert sent == [
        {"interruptId": "budget", "status": "resolved", "payload": 1200},
        {"interruptId": "date", "status": "cancelled"},
        {
            "interruptId": "mail",
            "status": "resolved",
            "payload": {"approved": True, "editedArgs": {"to": "a@b.c"}},
        },
    ]
    assert len(agent.requests) == 2


def test_a_question_of_another_run_is_not_collected():
    asked = Interrupt(id="budget", reason="input_required")
    assert [one.id for one in ResumeBuilder([asked]).missing()] == ["budget"]


async def test_a_run_is_read_unassembled_recorded_and_replayed_to_the_same_transcript(tmp_path: Path):
    chunks = [{"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": part} for part in ("Hel", "lo")]
    low = RemoteAgent(ReplayTransport(run_of(*chunks)), new_id=itertools.count().__repr__)
    request = RunAgentInput(thread_id="t", run_id="r", messages=[])
    kinds = [event.type.value async for event in low.run(request)]
    assert kinds == ["RUN_STARTED", "TEXT_MESSAGE_CHUNK", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"]

    kept: list[Recording] = []
    live = Session(Recorder(ReplayTransport(run_of(*chunks)), kept.append, clock=lambda: 0.0), "t")
    await live.send("Hi")
    file = tmp_path / "run.json"
    write_recordings(file, kept)
    again = Session(RecordedTransport(*read_recordings(file)), "t")
    await again.send("Hi")
    assert again.transcript == live.transcript

    extra = await again.send("And now?")
    assert isinstance(extra, Failed)
    assert isinstance(extra.error, TransportError)
