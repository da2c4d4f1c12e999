from dataclasses import dataclass

from chat_app.agui.session import Session
from chat_app.agui.transcript import Transcript
from chat_app.agui.transport.replay import ReplayTransport
from chat_app.agui.updates import Idle
from chat_app.agui.view import SessionView
from tests.support.scripts import run, text


def last_reply(view: SessionView[object]) -> str:
    """Return what the agent said last: a helper that names no transport."""
    said = [part.text for row in view.transcript.messages if row.role == "assistant" for part in row.parts]
    return said[-1] if said else ""


@dataclass
class Stub:
    transcript: Transcript


async def test_a_helper_that_reads_works_on_a_session_and_on_a_stub():
    session = Session(ReplayTransport(run(text("a", "Hello"))), "t")
    assert last_reply(session) == ""
    await session.send("hi")
    assert last_reply(session) == "Hello"
    assert last_reply(Stub(Transcript((), Idle(), ()))) == ""


async def test_everything_can_be_read_before_a_run():
    session = Session(ReplayTransport(), "t")
    assert session.thread_id == "t"
    assert session.messages == session.reasoning == session.interrupts == session.pending_interrupts == ()
    assert session.owed == session.asked_calls == session.subagents == ()
    assert (session.state, session.raw_state, session.predicted_state) == (None, {}, {})
    assert (session.state_seen, session.state_stale, session.busy, session.end) == (False, False, False, None)
    assert session.subagent("s") is None
    assert session.transcript == session.reducer.snapshot()
    assert session.applier.messages == ()
    assert session.usage is session.applier.usage
