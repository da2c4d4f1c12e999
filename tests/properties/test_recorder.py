"""What a live run leaves in the tables is what its log folds to, however it was cut into batches."""

import asyncio
from dataclasses import asdict, replace

from hypothesis import given
from hypothesis import strategies as st

from chat_app.agui import TranscriptReducer, parse_stored
from chat_app.data.records import EventRecord, MessageRecord, RunRecord
from chat_app.services.batch import ClosedRun
from chat_app.services.content import content_of
from chat_app.services.eventlog import entries
from chat_app.services.hub import Channel
from chat_app.services.live import LiveThread
from chat_app.services.materialise import fold
from chat_app.services.projection import Context, message_row
from chat_app.services.recorder import Ground, Recorder
from chat_app.services.rows import View
from tests.fakes import NOON, FakeClock, counting_ids

RUN = RunRecord(id="r1", exchange="x", thread="t", wire_run_id="r1", started=NOON)
STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r1"}
FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r1"}
ENDS = [
    FINISHED,
    {"type": "RUN_ERROR", "message": "no"},
    {"type": "RUN_ERROR", "message": "s", "code": "CANCELLED"},
]

words = st.text("ab 😀\n", min_size=1, max_size=4)
keys = st.sampled_from(["m1", "m2", "m3"])
calls = st.sampled_from(["c1", "c2"])


def event(kind: str, **fields: object) -> dict:
    return {"type": kind, **fields}


roles = st.sampled_from(["assistant", "assistant", "system"])
TEXT = st.one_of(
    st.builds(event, st.just("TEXT_MESSAGE_START"), messageId=keys, role=roles),
    st.builds(event, st.just("TEXT_MESSAGE_CONTENT"), messageId=keys, delta=words),
    st.builds(event, st.just("TEXT_MESSAGE_CONTENT"), messageId=keys, delta=words),
    st.builds(event, st.just("TEXT_MESSAGE_END"), messageId=keys),
)
REASONING = st.one_of(
    st.builds(event, st.just("REASONING_MESSAGE_START"), messageId=keys, role=st.just("reasoning")),
    st.builds(event, st.just("REASONING_MESSAGE_CONTENT"), messageId=keys, delta=words),
    st.builds(event, st.just("REASONING_MESSAGE_END"), messageId=keys),
)
TOOLS = st.one_of(
    st.builds(event, st.just("TOOL_CALL_START"), toolCallId=calls, toolCallName=st.just("add")),
    st.builds(event, st.just("TOOL_CALL_ARGS"), toolCallId=calls, delta=words),
    st.builds(event, st.just("TOOL_CALL_END"), toolCallId=calls),
    st.builds(event, st.just("TOOL_CALL_RESULT"), messageId=st.just("res"), toolCallId=calls, content=words),
)
OTHERS = st.one_of(
    st.builds(
        event,
        st.just("ACTIVITY_SNAPSHOT"),
        messageId=st.just("act"),
        activityType=st.just("plan"),
        content=st.fixed_dictionaries({"step": words}),
    ),
    st.builds(event, st.just("STATE_SNAPSHOT"), snapshot=st.dictionaries(words, words, max_size=2)),
    st.builds(event, st.just("RAW"), event=st.just({"framework": "x"})),
    st.builds(
        event,
        st.just("MESSAGES_SNAPSHOT"),
        messages=st.lists(
            st.builds(lambda key, text: {"id": key, "role": "assistant", "content": text}, keys, words),
            max_size=3,
            unique_by=lambda message: message["id"],
        ),
    ),
)
FLUSH = st.just(None)
streams = st.builds(
    lambda middle, end: [STARTED, *middle, end],
    st.lists(TEXT | REASONING | TOOLS | OTHERS | FLUSH, max_size=40),
    st.sampled_from(ENDS),
)


class Tables:
    """The log and the drawn messages, as batches leave them."""

    def __init__(self) -> None:
        self.log: list[EventRecord] = []
        self.messages: dict[str, MessageRecord] = {}

    def write(self, recorder: Recorder) -> None:
        batch = recorder.take()
        self.log.extend(batch.events)
        for key in batch.removed:
            self.messages.pop(key, None)
        for message in batch.messages:
            known = self.messages.get(message.key, message)
            self.messages[message.key] = replace(message, id=known.id, created=known.created)


async def recorded(stream: list[dict | None]) -> tuple[Tables, LiveThread]:
    """Record a stream, committing wherever it says None and at its end."""
    reducer, tables = TranscriptReducer(), Tables()
    channel = Channel(LiveThread("t", "e", View()), lambda: 0.0)
    ground = Ground(exchange="x", run=RUN, last_seq=0, leaf=None, places={}, spans={}, context=Context())
    recorder = Recorder(ground, reducer, channel, now=FakeClock(), new_id=counting_ids())
    for item in stream:
        if item is None:
            tables.write(recorder)
        else:
            parsed = parse_stored(item)
            recorder.record(parsed, reducer.apply(parsed))
    recorder.close_run(ClosedRun(run=RUN.id, status="success", at=NOON))
    tables.write(recorder)
    return tables, channel.live


def folded(log: list[EventRecord]) -> TranscriptReducer:
    reducer = TranscriptReducer()
    for record in log:
        for entry in entries(record):
            reducer.apply(entry)
    return reducer


def untimed(content: list) -> list[dict]:
    return [{**part, "started": "", "ended": ""} for part in content]


def drawn_by(reducer: TranscriptReducer) -> dict[str, tuple]:
    messages = reducer.snapshot().messages
    return {m.key: (m.wire_id, m.role, untimed(content_of(m, {}))) for m in messages}


def drawn_in(tables: Tables) -> dict[str, tuple]:
    return {m.key: (m.wire_id, m.role, untimed(m.content)) for m in tables.messages.values()}


@given(streams)
def test_the_log_folds_to_exactly_the_rows_that_were_written(stream):
    tables, _ = asyncio.run(recorded(stream))
    assert drawn_by(folded(tables.log)) == drawn_in(tables)


@given(streams)
def test_places_and_times_follow_from_the_log_too(stream):
    tables, _ = asyncio.run(recorded(stream))
    placed = {row.key: (row.position, row.run, row.created, row.content) for row in fold(tables.log).rows}
    assert placed == {m.key: (m.position, m.run, m.created, m.content) for m in tables.messages.values()}


@given(streams)
def test_followers_hold_exactly_what_was_written(stream):
    tables, live = asyncio.run(recorded(stream))
    shown = {row.key: replace(row, head=False) for row in live.rows()}
    written = {key: message_row(message, Context()) for key, message in tables.messages.items()}
    assert {key: asdict(row) for key, row in shown.items()} == {k: asdict(row) for k, row in written.items()}


@given(streams)
def test_numbers_of_a_thread_are_never_used_twice(stream):
    tables, _ = asyncio.run(recorded(stream))
    taken = [record.seq for record in tables.log]
    assert taken == sorted(set(taken))
    places = [message.position for message in tables.messages.values()]
    assert len({*taken, *places}) == len(taken) + len(places)


@given(streams)
def test_joining_deltas_changes_nothing_that_folds(stream):
    joined, _ = asyncio.run(recorded([item for item in stream if item is not None]))
    apart, _ = asyncio.run(recorded([part for item in stream if item for part in (item, None)]))
    assert len(joined.log) <= len(apart.log)
    assert drawn_by(folded(joined.log)) == drawn_by(folded(apart.log)) == drawn_in(apart)


@given(streams)
def test_splitting_deltas_changes_nothing_that_folds(stream):
    whole, _ = asyncio.run(recorded(stream))
    split, _ = asyncio.run(recorded([part for item in stream for part in letters(item)]))
    assert drawn_in(split) == drawn_in(whole)


def letters(item: dict | None) -> list[dict | None]:
    """Return a fragment one character at a time, and anything else as it is."""
    if item is None or "delta" not in item:
        return [item]
    return [{**item, "delta": letter} for letter in item["delta"]]
