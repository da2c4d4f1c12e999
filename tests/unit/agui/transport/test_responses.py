from datetime import UTC, datetime

import httpx
import pytest

from chat_app.agui.transport.responses import (
    media_type,
    no_stream,
    read_excerpt,
    reason_in,
    refusal,
    retry_after,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('{"detail": " no entry "}', "no entry"),
        ('{"error": {"message": "closed"}}', "closed"),
        ('{"message": "later"}', "later"),
        ('{"detail": [{"loc": ["body", 0], "msg": "bad"}, {"msg": "worse"}]}', "body.0: bad; worse"),
        ('{"detail": {"code": 5}}', ""),
        ("5", ""),
        ("<html>", ""),
        ("", ""),
    ],
)
def test_the_reason_is_what_a_json_body_says(body, reason):
    assert reason_in(body) == reason


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7),
        ("Mon, 30 Nov 2026 12:00:10 GMT", 10),
        ("Mon, 30 Nov 2026 12:00:10 -0000", 10),
        ("Mon, 30 Nov 2026 11:59:00 GMT", 0),
        ("soon", None),
        ("", None),
        ("²", None),
    ],
)
def test_a_waiting_time_is_seconds_or_a_date(text, seconds):
    assert retry_after({"retry-after": text}, NOON) == seconds


def test_a_media_type_is_read_without_parameters():
    assert media_type({"content-type": "Text/Event-Stream; charset=utf-8"}) == "text/event-stream"
    assert media_type({}) == ""


def test_a_refusal_says_the_reason_and_keeps_the_body_beside_it():
    error = refusal(429, '{"error": "slow down"}', 7.0)
    assert error.message == "The agent answered with HTTP status 429: slow down. It asks to wait 7 s."
    assert (error.status, error.excerpt, error.retry_after) == (429, '{"error": "slow down"}', "7")
    assert refusal(403, '{"detail": "Not you!"}', None).message.endswith("403: Not you!")


@pytest.mark.parametrize(("status", "words"), [(502, "Bad Gateway."), (599, "no reason given.")])
def test_a_body_that_says_nothing_leaves_the_words_of_the_status(status, words):
    assert (
        refusal(status, "<h1>no</h1>", None).message
        == f"The agent answered with HTTP status {status}: {words}"
    )


def test_what_is_no_stream_is_named_by_its_type():
    assert no_stream("text/html", 200).startswith("The agent answered with text/html (status 200)")
    assert "no content type" in no_stream("", 200)
    assert "nothing" in no_stream("", 204)


async def test_an_excerpt_survives_a_body_that_breaks():
    async def body():
        yield b"half "
        raise httpx.ReadError("gone")

    assert await read_excerpt(httpx.Response(500, content=body()), 1) == "half "


async def test_an_excerpt_is_cut_by_characters_and_half_ones_are_replaced():
    whole = httpx.Response(500, content="é".encode() * 5000)
    assert await read_excerpt(whole, 1) == "é" * 2048
    assert await read_excerpt(httpx.Response(500, content=b"a\xff"), 1) == "a\ufffd"
