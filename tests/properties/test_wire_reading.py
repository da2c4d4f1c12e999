"""What holds for any bytes and any frames: the reading path, from the stream to verified events."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat_app.agui.errors import AguiError
from chat_app.agui.events import Event, dump_event
from chat_app.agui.history import Applier
from chat_app.agui.order import Mode
from chat_app.agui.pipeline import STRICT, TOLERANT, Pipeline, Reading
from chat_app.agui.sse import frames
from chat_app.agui.transcript import TranscriptReducer
from tests.support.wire import RUN, Reports
from tests.support.wire_strategies import broken_streams, deltas, streams

READINGS = [STRICT, TOLERANT, Reading(Mode.REPORT), Reading(Mode.OFF, lenient_shapes=True)]


async def read(chunks: list[bytes]) -> list[dict[str, Any]]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [frame async for frame in frames(body())]


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=9), max_size=3), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.data(),
)
def test_bytes_cut_anywhere_give_the_same_frames(
    objects: list[dict[str, str]], newline: str, comments: bool, data: st.DataObject
) -> None:
    raws = [{**each, "type": "CUSTOM"} for each in objects]
    ping = f": ping{newline}" if comments else ""
    text = "".join(f"{ping}data: {json.dumps(raw, ensure_ascii=False)}{newline * 2}" for raw in raws)
    whole = text.encode("utf-8", "replace")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    edges = [0, *cuts, len(whole)]
    chunks = [whole[start:end] for start, end in itertools.pairwise(edges)]
    assert asyncio.run(read(chunks)) == asyncio.run(read([whole]))


def events_of(raws: list[dict[str, Any]], reading: Reading) -> list[Event]:
    """Return the events read before a frame is refused; only the client's own errors may refuse one."""
    pipeline = Pipeline(reading, report=Reports(), new_id=lambda: "made-here")
    events: list[Event] = []
    try:
        for raw in raws:
            events.extend(pipeline.feed(raw))
    except AguiError:
        pass
    return events


@pytest.mark.parametrize("reading", READINGS)
@given(broken_streams)
def test_any_frame_is_read_or_refused_in_the_clients_words(
    reading: Reading, raws: list[dict[str, Any]]
) -> None:
    json.dumps([dump_event(event) for event in events_of(raws, reading)], ensure_ascii=False).encode()


@given(broken_streams)
def test_looking_away_drops_no_event_that_is_well_formed(raws: list[dict[str, Any]]) -> None:
    off = Reading(Mode.OFF)
    chunks = [raw for raw in raws if not str(raw["type"]).endswith("_CHUNK")]
    for raw in chunks:
        alone = events_of([raw], off)
        assert len(alone) <= 1


@given(st.lists(st.tuples(st.sampled_from("ab"), deltas), min_size=1, max_size=12))
def test_chunked_and_bracketed_streams_fold_to_the_same(said: list[tuple[str, str]]) -> None:
    assert folded(bracketed(said)) == folded(chunked(said))


def chunked(said: list[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"type": "TEXT_MESSAGE_CHUNK", "messageId": name, "delta": delta} for name, delta in said]


def bracketed(said: list[tuple[str, str]]) -> list[dict[str, Any]]:
    raws: list[dict[str, Any]] = []
    open_id = None
    for name, delta in said:
        if open_id != name:
            raws += [{"type": "TEXT_MESSAGE_END", "messageId": open_id}] if open_id else []
            raws.append({"type": "TEXT_MESSAGE_START", "messageId": name, "role": "assistant"})
        raws.append({"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": delta})
        open_id = name
    return [*raws, {"type": "TEXT_MESSAGE_END", "messageId": open_id}]


def folded(raws: list[dict[str, Any]]) -> Any:
    applier, reducer = Applier(), TranscriptReducer()
    run: list[dict[str, Any]] = [{"type": "RUN_STARTED", **RUN}, *raws, {"type": "RUN_FINISHED", **RUN}]
    pipeline = Pipeline(STRICT, report=Reports(), new_id=str)
    for raw in run:
        for event in pipeline.feed(raw):
            applier.apply(event)
            reducer.apply(event)
    return applier.messages, reducer.snapshot()


@given(streams)
def test_a_tolerant_reading_reads_no_less_than_a_strict_one(raws: list[dict[str, Any]]) -> None:
    assert len(events_of(raws, TOLERANT)) >= len(events_of(raws, STRICT))
