from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from chat_app.agui.errors import BadFrame
from chat_app.agui.nesting import DEPTH_CAP
from chat_app.agui.sse import frames, parse_frame

ONE = b'data: {"type":"A"}'
TWO = b'data: {"type":"B"}'


async def body(chunks: Sequence[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def read(*chunks: bytes, cap: int = 1_000) -> list[dict[str, Any]]:
    return [frame async for frame in frames(body(chunks), cap=cap)]


async def types(*chunks: bytes, cap: int = 1_000) -> list[Any]:
    return [frame["type"] for frame in await read(*chunks, cap=cap)]


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
async def test_every_line_ending_ends_a_line(newline: bytes) -> None:
    end = newline * 2
    assert await types(ONE + end + b": ping" + end + TWO + end) == ["A", "B"]


async def test_bytes_may_be_cut_anywhere() -> None:
    whole = 'data: {"type":"A","t":"é👨\u2028\x85"}\r\n\r\n'.encode()
    assert await read(*(bytes([byte]) for byte in whole)) == [{"type": "A", "t": "é👨\u2028\x85"}]


async def test_the_last_frame_needs_no_blank_line() -> None:
    assert await types(ONE + b"\n\n" + TWO) == ["A", "B"]


async def test_a_frame_the_end_cuts_off_is_dropped() -> None:
    assert await types(ONE + b"\n\n", b'data: {"type":"TEXT') == ["A"]
    assert await types(ONE + b"\n\n", 'data: {"type":"é'.encode()[:-1]) == ["A"]


async def test_a_byte_order_mark_is_dropped_at_the_start_only() -> None:
    assert await types(b"\xef\xbb\xbf" + ONE + b"\n\n") == ["A"]
    with pytest.raises(BadFrame):
        await read(ONE + b"\n\n", b"data: \xef\xbb\xbf{}\n\n")


async def test_frames_without_data_are_no_frames() -> None:
    assert await types(b"event: ping\n\nid: 7\n\ndata:\n\ndata:   \n\n", ONE + b"\n\n") == ["A"]


async def test_several_data_lines_are_one_frame() -> None:
    assert await types(b'data: {"type":\ndata: "A"}\n\n') == ["A"]


async def test_bytes_that_are_no_utf8_are_an_error() -> None:
    with pytest.raises(BadFrame, match="UTF-8"):
        await read(b"data: \xff\xfe\n\n")


async def test_an_empty_body_has_no_frames() -> None:
    assert await read() == await read(b"") == []


async def test_a_frame_may_not_grow_without_bound() -> None:
    with pytest.raises(BadFrame, match="larger than 64"):
        await read(b"data: ", *[b"x" * 10] * 10, cap=64)
    with pytest.raises(BadFrame, match="larger than 64"):
        await read(b"data: " + b"x" * 80 + b"\n\n" + ONE + b"\n\n", cap=64)


async def test_many_small_frames_in_one_chunk_are_within_the_cap() -> None:
    assert len(await types((ONE + b"\n\n") * 40, cap=64)) == 40


async def test_a_blank_line_cut_in_two_still_ends_a_frame() -> None:
    chunks = [part for _ in range(20) for part in (ONE + b"\r", b"\n", b"\r", b"\n")]
    assert len(await types(*chunks, cap=64)) == 20


async def test_frames_are_handed_on_as_they_come() -> None:
    async with aclosing(frames(body([ONE + b"\n\n", b"data: nope\n\n"]))) as stream:
        assert await anext(stream) == {"type": "A"}
        with pytest.raises(BadFrame, match="nope"):
            await anext(stream)


@pytest.mark.parametrize(
    "data",
    [
        "nope",
        "null",
        "[]",
        '"text"',
        '{"x":1}',
        '{"type":5}',
        '{"type":""}',
        '{"type":"A"}{"type":"B"}',
        '{"type":"A","n":NaN}',
        '{"type":"A","n":1e999}',
        '{"type":"A","n":-1e999}',
        '{"type":"A","n":' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
    ids=lambda data: data[:24],
)
def test_a_frame_is_a_json_object_with_a_type(data: str) -> None:
    with pytest.raises(BadFrame):
        parse_frame(data)


def test_a_long_frame_is_quoted_in_part() -> None:
    with pytest.raises(BadFrame) as caught:
        parse_frame("x" * 1_000)
    assert len(caught.value.message) < 200


def nested(depth: int) -> str:
    return '{"type":"A","n":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"


def test_nesting_is_bounded_in_depth_not_in_number() -> None:
    wide = '{"type":"A","n":[' + ",".join(["{}"] * 500) + "]}"
    assert len(parse_frame(wide)["n"]) == 500  # type: ignore[arg-type]
    parse_frame(nested(DEPTH_CAP))
    with pytest.raises(BadFrame, match="deeper"):
        parse_frame(nested(DEPTH_CAP + 1))


def test_numbers_keep_their_kind() -> None:
    assert parse_frame('{"type":"A","n":[1,1.5,2.0]}')["n"] == [1, 1.5, 2.0]
