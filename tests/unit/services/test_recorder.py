import pytest
from ag_ui.core import RawEvent, RunFinishedEvent

from chat_app.agui import Event, LocalMessage, Removed, ToolMessage, TranscriptReducer, parse_stored
from chat_app.data.records import RunRecord
from chat_app.services.batch import ClosedRun
from chat_app.services.content import Span
from chat_app.services.hub import Channel
from chat_app.services.live import LiveThread
from chat_app.services.projection import Context
from chat_app.services.recorder import Ground, Place, Recorder
from chat_app.services.rows import View
from tests.fakes import NOON, FakeClock, counting_ids

STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


def run_record(key: str = "r1") -> RunRecord:
    return RunRecord(id=key, exchange="x", thread="t", wire_run_id=key, started=NOON)


def opened(key: str, **more) -> dict:
    return {"type": "TEXT_MESSAGE_START", "messageId": key, "role": "assistant", **more}


def said(key: str, delta: str, **more) -> dict:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": key, "delta": delta, **more}


def closed(key: str) -> dict:
    return {"type": "TEXT_MESSAGE_END", "messageId": key}


def call(key: str, *deltas: str) -> list[dict]:
    return [
        {"type": "TOOL_CALL_START", "toolCallId": key, "toolCallName": "add"},
        *({"type": "TOOL_CALL_ARGS", "toolCallId": key, "delta": delta} for delta in deltas),
    ]


class Desk:
    """A recorder at its place: behind a reducer, before a channel."""

    def __init__(self, *, last_seq: int = 0, leaf: str | None = None, places: dict[str, Place] | None = None):
        self.clock = FakeClock()
        self.reducer = TranscriptReducer()
        self.channel = Channel(LiveThread("t", "e", View()), lambda: 0.0)
        ground = Ground(
            exchange="x",
            run=run_record(),
            last_seq=last_seq,
            leaf=leaf,
            places=places or {},
            spans={},
            context=Context(live_run="r1"),
        )
        self.recorder = Recorder(
            ground, self.reducer, self.channel, now=self.clock, new_id=counting_ids("row")
        )

    def hear(self, *events: dict) -> list[bool]:
        return [self._hear(parse_stored(event)) for event in events]

    def _hear(self, event: Event) -> bool:
        return self.recorder.record(event, self.reducer.apply(event))


@pytest.fixture
async def desk():
    return Desk()


# ---------------------------------------------------------------- the log


async def test_deltas_of_one_item_become_one_entry(desk):
    desk.hear(STARTED, opened("m"), said("m", "Good "), said("m", "day"), closed("m"))
    events = desk.recorder.take().events
    assert [(record.seq, record.type) for record in events] == [
        (1, "RUN_STARTED"),
        (2, "TEXT_MESSAGE_START"),
        (4, "TEXT_MESSAGE_CONTENT"),
        (5, "TEXT_MESSAGE_END"),
    ]
    assert events[2].payload["delta"] == "Good day"
    assert {record.run for record in events} == {"r1"}


async def test_deltas_of_two_items_stay_apart(desk):
    desk.hear(
        STARTED, opened("m"), opened("n"), said("m", "a"), said("n", "b"), said("n", "c"), said("m", "d")
    )
    deltas = [(e.payload["messageId"], e.payload["delta"]) for e in desk.recorder.take().events[3:]]
    assert deltas == [("m", "a"), ("n", "bc"), ("m", "d")]


async def test_arguments_and_reasoning_are_joined_too(desk):
    thought = {"type": "REASONING_MESSAGE_CONTENT", "messageId": "t1"}
    begun = {"type": "REASONING_MESSAGE_START", "messageId": "t1", "role": "reasoning"}
    desk.hear(STARTED, begun, {**thought, "delta": "H"}, {**thought, "delta": "m"}, *call("c", '{"a"', ":1}"))
    joined = [e.payload["delta"] for e in desk.recorder.take().events if "delta" in e.payload]
    assert joined == ["Hm", '{"a":1}']


async def test_deltas_of_two_subagents_stay_apart(desk):
    desk.hear(STARTED, opened("m"), said("m", "a"), said("m", "b", subagentRunId="s1"))
    assert [e.payload["delta"] for e in desk.recorder.take().events[2:]] == ["a", "b"]


async def test_a_delta_that_carries_more_is_an_entry_of_its_own(desk):
    desk.hear(STARTED, opened("m"), said("m", "a"), said("m", "b", metadata={"x": 1}), said("m", "c"))
    assert [e.payload["delta"] for e in desk.recorder.take().events[2:]] == ["a", "b", "c"]


async def test_a_batch_ends_an_entry(desk):
    desk.hear(STARTED, opened("m"), said("m", "a"))
    desk.recorder.take()
    desk.hear(said("m", "b"))
    assert [e.payload["delta"] for e in desk.recorder.take().events] == ["b"]


async def test_a_frameworks_own_words_are_not_kept(desk):
    raw = RawEvent(event={"secret": 1})
    assert desk.recorder.record(raw, desk.reducer.apply(raw)) is False
    assert not desk.recorder.pending


async def test_what_this_side_answers_is_kept(desk):
    desk.hear(STARTED, *call("c", "{}"), {"type": "TOOL_CALL_END", "toolCallId": "c"}, FINISHED)
    desk.recorder.take()
    entry = LocalMessage(ToolMessage(id="m9", tool_call_id="c", content="2"))
    desk.recorder.record(entry, desk.reducer.apply(entry))
    batch = desk.recorder.take()
    assert [record.type for record in batch.events] == ["answer"]
    assert batch.calls[0].result == "2"


@pytest.mark.parametrize(
    ("event", "boundary"),
    [(FINISHED, True), ({"type": "STATE_SNAPSHOT", "snapshot": {}}, True), (said("m", "x"), False)],
)
async def test_what_closes_something_is_worth_a_commit_now(desk, event, boundary):
    desk.hear(STARTED, opened("m"))
    assert desk.hear(event) == [boundary]


# ---------------------------------------------------------------- rows


async def test_a_message_is_placed_once_after_the_last(desk):
    desk.hear(STARTED, opened("m"), said("m", "Hi"), closed("m"))
    (message,) = desk.recorder.take().messages
    assert (message.id, message.parent, message.position, message.run) == ("row-00001", None, 3, "r1")
    assert message.content[0]["text"] == "Hi"
    desk.hear(FINISHED)
    batch = desk.recorder.take()
    assert batch.leaf == "row-00001"
    assert all(again.position == 3 for again in batch.messages)


async def test_a_known_message_keeps_its_place():
    place = Place(id="row-old", position=2, created=NOON, parent=None, run="r0")
    desk = Desk(last_seq=7, leaf="row-old", places={"m": place})
    desk.hear(STARTED, opened("m"), said("m", "more"), closed("m"))
    batch = desk.recorder.take()
    (message,) = batch.messages
    assert (message.id, message.position, message.run) == ("row-old", 2, "r0")
    assert [record.seq for record in batch.events] == [8, 9, 10, 11]
    assert (batch.last_seq, batch.leaf) == (11, "row-old")


async def test_a_growing_message_is_not_written_again_until_it_closes(desk):
    desk.hear(STARTED, opened("m"))
    desk.recorder.take()
    desk.hear(said("m", "Hi"))
    assert desk.recorder.take().messages == []
    desk.hear(closed("m"))
    assert desk.recorder.take().messages[0].content[0]["text"] == "Hi"


async def test_what_grew_after_it_was_closed_is_written_with_the_end_of_its_run(desk):
    desk.hear(STARTED, opened("m"), said("m", "Hi"), closed("m"))
    desk.recorder.take()
    desk.hear(said("m", " again"))
    assert desk.recorder.take().messages == []
    desk.recorder.close_run(ClosedRun(run="r1", status="success", at=NOON))
    (message,) = desk.recorder.take().messages
    assert message.content[0]["text"] == "Hi again"


async def test_parts_are_timed(desk):
    desk.hear(STARTED, opened("m"))
    desk.clock.forward(seconds=2)
    desk.hear(said("m", "Hi"), closed("m"))
    (part,) = desk.recorder.take().messages[0].content
    assert (part["started"], part["ended"]) == (NOON.isoformat(), desk.clock.now.isoformat())


async def test_calls_are_written_with_their_message(desk):
    desk.hear(STARTED, *call("c", '{"a":1}'))
    (streaming,) = desk.recorder.take().calls
    assert (streaming.wire_id, streaming.name, streaming.status) == ("c", "add", "streaming_arguments")
    desk.hear({"type": "TOOL_CALL_END", "toolCallId": "c"})
    desk.hear({"type": "TOOL_CALL_RESULT", "messageId": "m2", "toolCallId": "c", "content": "2"})
    (done,) = desk.recorder.take().calls
    assert (done.arguments, done.status, done.result, done.ended) == ('{"a":1}', "complete", "2", NOON)


async def test_a_removed_message_is_taken_away_everywhere(desk):
    desk.hear(STARTED, opened("m"), said("m", "Hi"))
    desk.recorder.record(parse_stored(closed("m")), (Removed("m"),))
    batch = desk.recorder.take()
    assert (batch.removed, batch.messages) == (["m"], [])
    assert desk.channel.live.rows() == []


async def test_a_removal_of_what_was_never_placed_writes_nothing(desk):
    desk.recorder.record(parse_stored(STARTED), (Removed("unknown"),))
    assert desk.recorder.take().removed == []


# ---------------------------------------------------------------- followers


async def test_followers_see_each_change(desk):
    desk.hear(STARTED, opened("m"), said("m", "Good "), said("m", "day"))
    (row,) = desk.channel.live.rows()
    assert (row.kind, row.parts[0].text, row.parts[0].streaming) == ("turn", "Good day", True)
    assert desk.channel.live.writing == {"m"}
    assert desk.channel.streaming


# ---------------------------------------------------------------- runs and the end


async def test_entries_belong_to_the_run_they_came_in(desk):
    desk.hear(STARTED)
    desk.recorder.close_run(ClosedRun(run="r1", status="success", at=NOON))
    desk.recorder.open_run(run_record("r2"))
    desk.hear(STARTED)
    batch = desk.recorder.take()
    assert [record.run for record in batch.events] == ["r1", "r2"]
    assert ([run.id for run in batch.opened], [run.run for run in batch.closed]) == (["r2"], ["r1"])


async def test_the_last_batch_carries_the_mark_and_the_state(desk):
    desk.recorder.end("waiting", ({"a": 1},))
    assert desk.recorder.pending
    batch = desk.recorder.take()
    assert (batch.mark, batch.state) == ("waiting", ({"a": 1},))
    assert not desk.recorder.pending
    assert desk.recorder.take().mark is None


async def test_an_end_without_a_mark_is_an_end(desk):
    desk.recorder.end("", None)
    assert desk.recorder.pending
    assert desk.recorder.take().mark == ""


async def test_nothing_recorded_is_nothing_pending(desk):
    assert (len(desk.recorder), desk.recorder.pending) == (0, False)
    desk.hear(STARTED)
    assert (len(desk.recorder), desk.recorder.pending) == (1, True)
    batch = desk.recorder.take()
    assert (batch.exchange, batch.thread, batch.at) == ("x", "t", NOON)
    assert not desk.recorder.pending


async def test_numbers_are_taken_from_the_threads_counter():
    desk = Desk(last_seq=41)
    assert [desk.recorder.next_position() for _ in range(2)] == [42, 43]
    desk.hear(FINISHED)
    assert desk.recorder.take().events[0].seq == 44
    assert RunFinishedEvent.model_fields["type"].default.value == "RUN_FINISHED"


def test_a_span_begins_empty():
    assert Span() == Span("", "")


def test_what_a_framework_said_is_kept_when_asked_for_each_with_its_own_event():
    reducer = TranscriptReducer()
    ground = Ground(
        exchange="x", run=run_record(), last_seq=0, leaf=None, places={}, spans={}, context=Context()
    )
    channel = Channel(LiveThread("t", "e", View()), lambda: 0.0)
    recorder = Recorder(ground, reducer, channel, now=FakeClock(), new_id=counting_ids(), raw=True)
    stream = [
        STARTED,
        {"type": "RAW", "event": {"own": 1}},
        opened("a"),
        *(said("a", word, rawEvent={"chunk": word}) for word in "xy"),
        *(said("a", word) for word in "zw"),
    ]
    for item in stream:
        event = parse_stored(item)
        recorder._log(event, NOON)
    kept = recorder.take().events

    assert [one.type for one in kept[:3]] == ["RUN_STARTED", "RAW", "TEXT_MESSAGE_START"]
    assert [(one.payload["delta"], one.payload.get("rawEvent")) for one in kept[3:]] == [
        ("x", {"chunk": "x"}),
        ("yzw", {"chunk": "y"}),
    ]
