import asyncio
from dataclasses import replace

import pytest
from ag_ui.core import RunErrorEvent
from structlog.testing import capture_logs

from chat_app.agui import CANCELLED, TOLERANT, HttpStatus, ReplayTransport, StreamCut, TimedOut
from chat_app.data import decisions, events, threads
from chat_app.services.agents import Peer
from chat_app.services.approvals import Answer
from chat_app.services.digest import fingerprint
from chat_app.services.exchange import SERVER_RESTART, Exchange, Makers
from tests.fakes import NOON, until, within
from tests.support.world import (
    Gate,
    World,
    answer,
    ask,
    called,
    closed,
    finished,
    opened,
    question,
    said,
    started,
    text,
    texts,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


def only(world: World, thread: str):
    (run,) = world.runs(thread)
    return run


def note(world: World, thread: str):
    return next(row for row in world.view(thread).rows if row.kind == "note")


def state(value) -> dict:
    return {"type": "STATE_SNAPSHOT", "snapshot": value}


# ---------------------------------------------------------------- requests


async def test_the_agent_is_sent_the_history_and_the_runs_own_id(world):
    thread = await world.said("One", answer("first"))
    await world.said("Two", answer("second"), thread=thread)
    first, second = world.agent.requests
    assert [run.wire_run_id for run in world.runs(thread)] == [first.run_id, second.run_id]
    assert {first.thread_id, second.thread_id} == {world.get_thread(thread).wire_id}
    assert [message.content for message in second.messages] == ["One", "first", "Two"]
    assert [row.head for row in world.view(thread).rows] == [False, True, False, True]


async def test_ids_of_one_thread_are_never_used_twice(world):
    thread = await world.said("One", answer("first"))
    for words in ("Two", "Three"):
        await world.said(words, answer(words), thread=thread)
    keys = [message.wire_id for message in world.messages(thread)]
    assert len(set(keys)) == len(keys) == 6


async def test_the_state_goes_with_the_next_request(world):
    thread = await world.said("One", lambda run: [started(run), state({"board": [1]}), finished(run)])
    assert world.get_thread(thread).state == {"board": [1]}
    assert world.get_thread(thread).state_seen
    await world.said("Two", answer("ok"), thread=thread)
    assert world.agent.requests[1].state == {"board": [1]}


async def test_a_thread_whose_agent_has_no_state_has_none(world):
    thread = await world.said("One", answer("ok"))
    assert world.get_thread(thread).state is None
    assert not world.get_thread(thread).state_seen


# ---------------------------------------------------------------- ends


async def test_a_success_leaves_no_note(world):
    thread = await world.said("Hello", answer("ok"))
    run = only(world, thread)
    assert (run.status, run.error_code, run.note_position, run.diagnostics) == ("success", None, None, None)
    assert run.ended > run.started


async def test_an_interrupt_is_stored_with_the_call_it_is_about(world):
    asked = question("q1", "c1", message="Send it?", expiresAt="2031-01-01T00:00:00Z", metadata={"by": "x"})
    thread = await world.said("Send", ask(asked, arguments='{"to":"a@b.c"}'))
    (stored,) = world.questions(thread)
    assert (stored.wire_id, stored.status, stored.message) == ("q1", "pending", "Send it?")
    assert (stored.tool_call, stored.tool_name, stored.args) == ("c1", "send_mail", '{"to":"a@b.c"}')
    assert stored.args_digest == fingerprint('{"to":"a@b.c"}')
    assert stored.expires_at.year == 2031
    assert stored.metadata == {"by": "x"}
    assert (only(world, thread).status, world.get_thread(thread).mark) == ("interrupted", "waiting")
    assert world.view(thread).run.status == "waiting"


async def test_a_question_about_no_call_covers_nothing(world):
    asked = question("q1", None, reason="input_required")
    thread = await world.said("Go", ask(asked))
    (stored,) = world.questions(thread)
    assert (stored.tool_call, stored.tool_name, stored.args, stored.args_digest) == (None, None, None, None)


async def test_a_question_about_a_call_nobody_saw_covers_nothing(world):
    thread = await world.said("Go", lambda run: [started(run), finished(run, outcome=outcome("unseen"))])
    (stored,) = world.questions(thread)
    assert (stored.tool_call, stored.tool_name, stored.args_digest) == ("unseen", None, None)


def outcome(call: str) -> dict:
    return {"type": "interrupt", "interrupts": [question("q1", call)]}


async def test_arguments_nested_too_deep_close_their_run_like_any_other(world):
    thread = await world.said("Go", ask(arguments="[" * 50_000))
    assert only(world, thread).status == "interrupted"
    assert next(row for row in world.view(thread).rows if row.kind == "approval").arguments[0].raw


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (HttpStatus(503, "busy"), "agent_failed"),
        (HttpStatus(403, "no"), "agent_refused"),
        (TimedOut("silence"), "agent_silent"),
        (StreamCut("cut"), "connection_cut"),
    ],
)
async def test_our_trouble_with_the_agent_is_named_by_its_kind(world, trouble, code):
    thread = await world.said("Hello", lambda run: [started(run), trouble])
    run = only(world, thread)
    assert (run.status, run.error_code, run.diagnostics["problem"]) == ("failed", "CLIENT_ERROR", code)
    assert note(world, thread).code == code
    assert world.get_thread(thread).mark == "failed"


async def test_a_stream_that_just_ends_is_a_failure(world):
    thread = await world.said("Hello", lambda run: [started(run), opened("a"), said("a", "half")])
    assert note(world, thread).code == "answer_cut_short"
    assert texts(world.view(thread)) == ["Hello", "half"]


@pytest.mark.parametrize(("code", "shown"), [("quota", "quota"), (None, "agent_error")])
async def test_the_agents_own_failure_keeps_its_words(world, code, shown):
    error = {"type": "RUN_ERROR", "message": "No credit", **({"code": code} if code else {})}
    thread = await world.said("Hello", lambda run: [started(run), error])
    assert (note(world, thread).code, note(world, thread).detail) == (shown, "No credit")
    assert only(world, thread).error_code == code


async def test_an_agent_that_stopped_itself_is_no_failure_in_the_list(world):
    error = {"type": "RUN_ERROR", "message": "Stopped", "code": "cancelled"}
    thread = await world.said("Hello", lambda run: [started(run), error])
    assert (note(world, thread).code, world.get_thread(thread).mark) == ("CANCELLED", "")


async def test_a_cancelled_outcome_is_drawn_as_stopped(world):
    thread = await world.said(
        "Hello", lambda run: [started(run), finished(run, outcome={"type": "cancelled"})]
    )
    assert only(world, thread).status == "cancelled"
    assert (note(world, thread).code, world.get_thread(thread).mark) == ("CANCELLED", "")


async def test_a_fault_of_ours_ends_the_run_and_is_logged(world):
    class Peerless:
        def run(self, _request, /):
            raise MemoryError

    world.agent.run = Peerless().run
    with capture_logs() as logs:
        thread = await world.said("Hello")
    assert "exchange_broke" in [entry["event"] for entry in logs]
    assert note(world, thread).code == "INTERNAL"
    assert world.live(thread) is None


async def test_warnings_are_counted_for_the_run(world):
    unknown = {"type": "NOT_YET_INVENTED", "x": 1}
    thread = await world.said("Hello", lambda run: [started(run), unknown, unknown, finished(run)])
    diagnostics = only(world, thread).diagnostics
    assert diagnostics["problem"] is None
    assert sum(diagnostics["counts"].values()) == 2


# ---------------------------------------------------------------- several runs in one stream


async def test_each_run_of_a_stream_is_judged_alone(world):
    def two(run):
        again = run.model_copy(update={"run_id": "another"})
        return [
            started(run),
            *text("a", "one"),
            {"type": "RUN_ERROR", "message": "quota", "code": "quota"},
            started(again),
            *text("b", "two"),
            finished(again),
        ]

    thread = await world.said("Hello", two)
    first, second = world.runs(thread)
    assert (first.status, first.error_code, second.status) == ("failed", "quota", "success")
    assert [(row.kind, row.run) for row in world.view(thread).rows] == [
        ("user", first.id),
        ("turn", first.id),
        ("note", first.id),
        ("turn", second.id),
    ]
    assert world.live(thread) is None


async def test_two_successes_in_one_stream_are_two_runs(world):
    def two(run):
        again = run.model_copy(update={"run_id": "another"})
        return [*answer("one")(run), *answer("two")(again)]

    thread = await world.said("Hello", two)
    assert [run.status for run in world.runs(thread)] == ["success", "success"]
    assert texts(world.view(thread)) == ["Hello", "one", "two"]


# ---------------------------------------------------------------- answers


async def test_an_approval_resumes_with_its_answer(world):
    thread = await world.said("Send", ask())
    (asked,) = world.questions(thread)
    world.agent.scripts.append(answer("sent"))
    await world.approvals.decide(world.ada, asked.id, Answer("approve"))
    await world.idle()
    (entry,) = world.agent.requests[1].resume
    assert (entry.interrupt_id, entry.status, entry.payload) == ("q1", "resolved", {"approved": True})
    assert [run.status for run in world.runs(thread)] == ["interrupted", "success"]
    assert texts(world.view(thread))[-1] == "sent"


async def test_an_answer_that_did_not_arrive_is_owed_and_goes_with_the_retry(world):
    thread = await world.said("Send", ask())
    (asked,) = world.questions(thread)
    world.agent.scripts.append(lambda _run: [StreamCut("cut")])
    await world.approvals.decide(world.ada, asked.id, Answer("approve"))
    await world.idle()
    card = next(row for row in world.view(thread).rows if row.kind == "approval")
    assert (card.status, card.owed) == ("answered", True)
    world.agent.scripts.append(answer("sent"))
    await world.chat.retry(world.ada, thread)
    await world.idle()
    assert [len(request.resume or ()) for request in world.agent.requests] == [0, 1, 1]
    with world.database.reading() as session:
        assert decisions.owed(session, thread) == ()


async def test_an_owed_answer_that_expired_is_abandoned_and_frees_the_thread(world):
    soon = "2030-05-01T12:10:00Z"
    thread = await world.said("Send", ask(question("q1", "c1", expiresAt=soon)))
    (asked,) = world.questions(thread)
    world.agent.scripts.append(lambda _run: [StreamCut("cut")])
    await world.approvals.decide(world.ada, asked.id, Answer("approve"))
    await world.idle()
    world.clock.forward(hours=1)
    world.agent.scripts.append(answer("then not"))
    await world.chat.retry(world.ada, thread)
    await world.idle()
    (entry,) = world.agent.requests[2].resume
    assert entry.status == "cancelled"
    assert world.runs(thread)[-1].status == "success"


async def test_a_retry_runs_on_what_is_there(world):
    thread = await world.said("Hello", lambda run: [started(run), *text("a", "half"), StreamCut("cut")])
    world.agent.scripts.append(answer("whole"))
    await world.chat.retry(world.ada, thread)
    await world.idle()
    assert [message.content for message in world.agent.requests[1].messages] == ["Hello", "half"]
    rows = world.view(thread).rows
    assert [row.kind for row in rows] == ["user", "turn", "note", "turn"]
    assert not rows[2].retry


async def test_a_call_cut_short_is_answered_for_the_agent_on_the_next_run(world):
    thread = await world.said("Go", lambda run: [started(run), *called("c1"), StreamCut("cut")])
    await world.said("Again", answer("ok"), thread=thread)
    roles = [message.role for message in world.agent.requests[1].messages]
    assert roles == ["user", "assistant", "tool", "user"]
    with world.database.reading() as session:
        kinds = [record.type for record in events.of_thread(session, thread)]
    assert kinds.count("answer") == 1


# ---------------------------------------------------------------- the exchange itself


async def test_a_stop_that_comes_too_late_is_told_so(world):
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), gate, finished(run)])
    await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    (live,) = world.supervisor._lives.values()
    world.writes.away = True
    gate.set()
    await until(lambda: live.exchange._closing)
    assert not live.exchange.stop_as(CANCELLED)
    world.writes.away = False
    await world.idle()


async def test_a_restart_is_told_from_a_stop_in_the_log_too(world):
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), *text("a", "half"), gate])
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    (live,) = world.supervisor._lives.values()
    live.cancel(SERVER_RESTART)
    await world.idle()
    run = only(world, thread)
    assert (run.error_code, run.status, note(world, thread).code) == (
        SERVER_RESTART,
        "failed",
        SERVER_RESTART,
    )
    assert "restarted" in note(world, thread).detail
    with world.database.reading() as session:
        last = events.of_thread(session, thread)[-1]
    assert (last.type, last.payload["code"], last.payload["message"]) == (
        "RUN_ERROR",
        SERVER_RESTART,
        run.error_message,
    )


async def test_an_exchange_can_be_driven_by_hand(sqlite):
    """Without a supervisor: what it needs is its work, a channel and a journal."""
    world = World(sqlite)
    await world.agents.start()
    with world.database.transaction() as session:
        thread = world.chat._new(world.ada, "Hello", draft="", agent=world.agents.default_id)
        threads.create(session, thread)
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
        world.opener.say(session, thread.id, run, "Hello")
    transport = ReplayTransport(answer("by hand"))
    work = replace(
        await asyncio.to_thread(world.ledger.load, run.exchange),
        peer=Peer(transport, TOLERANT),
    )
    async with world.hub.use(thread.id) as channel:
        exchange = Exchange(work, channel, world.journal, Makers(world.clock, world.new_id))
        await within(exchange.run(lambda: None))
    await world.agents.stop()
    assert transport.remaining == 0
    assert texts(world.view(thread.id)) == ["Hello", "by hand"]
    assert world.journal._open == {}


async def test_the_log_of_a_stopped_run_folds_to_what_is_shown(world):
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), opened("a"), said("a", "half"), gate, closed("a")])
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    await world.chat.stop(world.ada, thread)
    await world.idle()
    with world.database.reading() as session:
        kinds = [record.type for record in events.of_thread(session, thread)]
    assert kinds[-1] == RunErrorEvent(message="m").type.value
    assert world.view(thread).rows[1].parts[0].ended >= NOON.isoformat()
