"""The framing cases: 25 of the protocol's transports page, 15 of the sessions' field."""

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from httpx_sse import EventSource

from chat_app.agui.errors import BadFrame
from chat_app.agui.events import RunErrorEvent, RunFinishedEvent
from chat_app.agui.pipeline import STRICT, Pipeline
from chat_app.agui.sse import FRAME_CAP, _Text, frames
from tests.support.shared import load, params, seed_cases
from tests.support.wire import Reports


def protocol_cases() -> Any:
    found = load("fixtures/protocol/sse-cases.json")
    cases = found["cases"] if found else []
    return params(cases, [case["name"] for case in cases])


async def body(chunks: list[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


@pytest.mark.parametrize("case", protocol_cases())
async def test_a_body_of_the_protocols_cases_is_framed(case: dict[str, Any]) -> None:
    chunks = [base64.b64decode(chunk) for chunk in case["chunksB64"]]
    seen: list[dict[str, Any]] = []
    verdict = None
    try:
        async for frame in frames(body(chunks)):
            seen.append(frame)  # noqa: PERF401 - what came before an error counts
    except BadFrame:
        verdict = "fatal"
    assert seen == case["frames"]
    if case.get("error") == "truncated":
        assert not any(ends_a_run(frame) for frame in seen)
    else:
        assert verdict == case.get("error")


def ends_a_run(frame: dict[str, Any]) -> bool:
    pipeline = Pipeline(STRICT, report=Reports(), new_id=str)
    return any(isinstance(event, RunFinishedEvent | RunErrorEvent) for event in pipeline.feed(frame))


@pytest.mark.parametrize("case", seed_cases("sse"))
async def test_a_body_of_the_fields_cases_is_split_into_data(case: dict[str, Any]) -> None:
    cap = case.get("max_frame", FRAME_CAP)
    if "error" in case:
        with pytest.raises(BadFrame, match={"too_large": "larger than", "not_utf8": "UTF-8"}[case["error"]]):
            await data_of(case, cap)
        return
    data = await data_of(case, cap)
    if "frames" in case:
        assert data == case["frames"]
    if "frame_count" in case:
        assert len(data) == case["frame_count"]
    if "event_types" in case:
        assert [json.loads(each)["type"] for each in data] == case["event_types"]


async def data_of(case: dict[str, Any], cap: int) -> list[str]:
    """Return the data of the body's frames before anyone asks whether it is JSON."""
    chunks = [bytes.fromhex(chunk) for chunk in case.get("chunks_hex", [])]
    chunks += [chunk.encode() for chunk in case.get("chunks", [])]
    source: Any = _Text(body(chunks), cap)
    assert isinstance(source.headers, httpx.Headers)
    return [event.data async for event in EventSource(source).aiter_sse() if event.data]
