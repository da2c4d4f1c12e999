"""Threads of many runs, good and bad: what is sent is always sound, and a log folds to the same thread."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from chat_app.agui import (
    CURRENT,
    LEGACY,
    TOLERANT,
    Cancelled,
    Done,
    Failed,
    Interrupted,
    Mode,
    Profile,
    ReplayTransport,
    RunTool,
    Session,
    StreamCut,
    Success,
)
from chat_app.agui.pipeline import Reading
from chat_app.agui.tools import AnyArguments
from tests.support.scripts import as_logged, call, failed, result, started, text
from tests.support.wire_strategies import broken_streams


async def echo(arguments, _context):
    return arguments.model_dump()


ECHO = RunTool(name="echo", description="", arguments=AnyArguments, execute=echo)

PIECES = st.sampled_from(
    ["text", "ours", "ours unreadable", "server", "server answered", "half", "state", "snapshot", "thought"]
)
ENDS = st.sampled_from(["finished", "finished", "finished", "failed", "cut", "broken"])
RUNS = st.lists(st.tuples(st.lists(PIECES, max_size=4), ENDS, st.booleans()), min_size=1, max_size=6)


def piece(kind, name):
    """Return the events of one piece under a name of its own."""
    thought = {"messageId": name, "delta": "hm"}
    return {
        "text": text(name, "some ", "text"),
        "ours": call(name, "echo", '{"a": 1}'),
        "ours unreadable": call(name, "echo", '{"a":'),
        "server": call(name, "lookup"),
        "server answered": [*call(name, "lookup"), result(name, "found")],
        "half": call(name, "echo")[:2],
        "state": [{"type": "STATE_SNAPSHOT", "snapshot": {"at": name}}],
        "snapshot": [
            {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": name, "role": "assistant", "content": "x"}]}
        ],
        "thought": [
            {"type": "REASONING_MESSAGE_START", "messageId": name, "role": "reasoning"},
            {"type": "REASONING_MESSAGE_CONTENT", **thought},
            {"type": "REASONING_MESSAGE_END", "messageId": name},
        ],
    }[kind]


def script(number, kinds, end):
    """Return a script that answers under the run id of its request."""

    def answer(request):
        yield started(request.run_id)
        for index, kind in enumerate(kinds):
            yield from piece(kind, f"{number}-{index}")
        # a half call stays open, which only a failure may leave
        if end == "finished" and "half" not in kinds:
            yield {"type": "RUN_FINISHED", "threadId": "t", "runId": request.run_id}
        elif end == "cut":
            yield StreamCut()
        elif end != "broken":
            yield failed()

    return answer


def follow_up(request):
    yield started(request.run_id)
    yield {"type": "RUN_FINISHED", "threadId": "t", "runId": request.run_id}


class Thread:
    """A session under test, its log, and what it sent."""

    def __init__(self):
        self.log, self.requests, self.unfinished = [], [], set()
        self.session = self.open([])

    def open(self, log):
        return Session.restore(
            ReplayTransport(),
            "t",
            log,
            tools=[ECHO],
            profile=CURRENT,
            on_event=self.hear,
            on_local=self.hear,
            on_diagnostic=lambda _: None,
        )

    def hear(self, entry, _rows):
        self.log.append(entry)

    async def live(self, runs):
        for number, (kinds, end, restored) in enumerate(runs):
            if restored:
                self.session = self.open(list(self.log))
            transport = ReplayTransport(script(number, kinds, end), *[follow_up] * 3)
            self.session._transport = transport
            await self.session.send(f"line {number}")
            for request in transport.requests:
                check_request(request, self.unfinished)
            self.requests += transport.requests
            self.note_unfinished(number, kinds, end)
            self.check_refold()
        run_ids = [request.run_id for request in self.requests]
        assert len(set(run_ids)) == len(run_ids)

    def note_unfinished(self, number, kinds, end):
        """Note the server's calls that a failed run completed and nobody else will answer."""
        if end != "finished" or "half" in kinds:
            calls = enumerate(kinds)
            self.unfinished |= {f"{number}-{index}" for index, kind in calls if kind == "server"}

    def check_refold(self):
        again = self.open(list(self.log))
        assert as_logged(again.transcript) == as_logged(self.session.transcript)
        assert again.messages == self.session.messages
        assert again.raw_state == self.session.raw_state
        assert again._conversation.unsent == self.session._conversation.unsent
        assert again._conversation.ledger.owed == self.session._conversation.ledger.owed


def check_request(request, unfinished):
    """Check that each call that is ours to answer is answered, right behind the message that holds it."""
    answers = {message.tool_call_id for message in request.messages if message.role == "tool"}
    ids = [message.id for message in request.messages]
    assert len(set(ids)) == len(ids)
    for index, message in enumerate(request.messages):
        held = getattr(message, "tool_calls", None) or ()
        calls = {one.id for one in held if one.function.name == "echo" or one.id in unfinished}
        assert calls <= answers
        behind = request.messages[index + 1 : index + 1 + len(held)]
        assert {one.tool_call_id for one in behind if one.role == "tool"} >= calls
    assert "null" not in request.model_dump_json(by_alias=True)


@given(RUNS)
def test_every_request_is_sound_and_every_log_folds_to_the_same_thread(runs):
    asyncio.run(Thread().live(runs))


PROFILES = [CURRENT, TOLERANT, LEGACY, *(Profile(name=mode, reading=Reading(mode)) for mode in Mode)]


@given(broken_streams, st.sampled_from(PROFILES))
def test_whatever_a_stream_holds_an_exchange_ends_once_and_folds_again(stream, profile):
    log = []

    def hear(entry, _rows):
        log.append(entry)

    async def converse():
        session = Session(
            ReplayTransport(stream, [], *[follow_up] * 30),
            "t",
            profile=profile,
            tools=[ECHO],
            on_event=hear,
            on_local=hear,
            on_diagnostic=lambda _: None,
        )
        async with session.send("hi") as updates:
            told = [update async for update in updates]
        assert [type(update) for update in told].count(Done) == 1
        assert told[-1] == Done(session.end)
        assert isinstance(session.end, Success | Interrupted | Cancelled | Failed)
        return session

    session = asyncio.run(converse())
    again = Session.restore(ReplayTransport(), "t", log, tools=[ECHO], on_diagnostic=lambda _: None)
    assert as_logged(again.transcript) == as_logged(session.transcript)
    assert again.messages == session.messages
