import json

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from chat_app.agent import intake
from chat_app.agent.intake import (
    InvalidInput,
    check_accept,
    check_media_type,
    parse_run_input,
    read_model_change,
    read_run_input,
)
from chat_app.agent.runner import SwapPolicy
from tests.support.agent_harness import run_input


def problems(body):
    with pytest.raises(InvalidInput) as caught:
        parse_run_input(body if isinstance(body, bytes) else json.dumps(body).encode())
    return {(".".join(map(str, one["loc"])), one["type"]) for one in caught.value.details}


def test_a_run_input_is_read():
    parsed = parse_run_input(json.dumps(run_input("hi")).encode())
    assert (parsed.thread_id, parsed.messages[0].content) == ("thread-1", "hi")


def test_the_three_required_fields_are_enough():
    assert parse_run_input(b'{"threadId":"","runId":"","messages":[]}').thread_id == ""


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"threadId":"\\ud83d"}'])
def test_what_is_no_json_is_named_as_that(body):
    assert problems(body) == {("body", "json_invalid")}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ([], ("body", "model_type")),
        (run_input("hi") | {"threadId": 1}, ("body.threadId", "string_type")),
        ({"thread_id": "t", "runId": "r", "messages": []}, ("body.threadId", "missing")),
        (run_input([{"role": "user", "content": "x"}]), ("body.messages.0.user.id", "missing")),
        (
            run_input([{"id": "1", "role": "wizard", "content": "x"}]),
            ("body.messages.0", "union_tag_invalid"),
        ),
        (
            run_input("hi", resume=[{"interruptId": "i", "status": "maybe"}]),
            ("body.resume.0.status", "literal_error"),
        ),
    ],
)
def test_problems_are_placed(body, problem):
    assert problem in problems(body)


def test_details_do_not_repeat_what_was_sent():
    with pytest.raises(InvalidInput, match="1 problems") as caught:
        parse_run_input(json.dumps(run_input("secret") | {"threadId": ["secret"]}).encode())
    assert "secret" not in json.dumps(caught.value.details)


@pytest.mark.parametrize("media", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_is_taken(media):
    check_media_type(media)


@pytest.mark.parametrize(("media", "named"), [("text/plain", "text/plain"), ("", "nothing")])
def test_other_media_are_refused_by_name(media, named):
    with pytest.raises(HTTPException, match=f"application/json; this request says {named}") as caught:
        check_media_type(media)
    assert caught.value.status_code == 415


@pytest.mark.parametrize(
    "accept",
    [
        "text/event-stream",
        "*/*",
        "text/*;q=0.5",
        "application/json, text/event-stream;q=0.1",
        "*/*;q=0, text/event-stream",
        "text/event-stream;charset=utf-8;q=0.9",
        "text/event-stream; q=high",
    ],
)
def test_who_takes_an_event_stream_is_served(accept):
    check_accept(accept)


@pytest.mark.parametrize(
    "accept",
    [
        "application/json",
        "application/vnd.ag-ui.event+proto",
        "text/event-stream;q=0, */*",
        "text/*;q=0,*/*",
        "*/*; q=0.0",
        ",",
    ],
)
def test_who_takes_no_event_stream_is_refused(accept):
    with pytest.raises(HTTPException, match="answers with text/event-stream only") as caught:
        check_accept(accept)
    assert caught.value.status_code == 406


def request(chunks, headers=()):
    pending = list(chunks)

    async def receive():
        return {"type": "http.request", "body": pending.pop(0), "more_body": bool(pending)}

    named = [(b"content-type", b"application/json"), *headers]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": named}, receive)


async def test_a_body_in_pieces_is_read_whole():
    body = json.dumps(run_input("hi")).encode()
    assert (await read_run_input(request([body[:9], body[9:]]))).run_id == "run-1"


async def test_a_body_past_the_limit_is_refused_before_it_is_read_whole(monkeypatch):
    piece = b" " * (intake.BODY_LIMIT // 2)
    with pytest.raises(HTTPException, match="larger than 32 MiB") as caught:
        await read_run_input(request([piece, piece, b" ", b"never read"]))
    assert caught.value.status_code == 413


@pytest.mark.parametrize(
    ("fields", "policy"),
    [({}, SwapPolicy.FINISH_ON_OLD), ({"policy": "restart_turn"}, SwapPolicy.RESTART_TURN)],
)
async def test_a_wish_for_another_model_is_read_with_what_becomes_of_the_turn(fields, policy):
    body = json.dumps({"threadId": "t", "model": "big", **fields}).encode()
    change = await read_model_change(request([body]))
    assert (change.thread_id, change.model, change.policy) == ("t", "big", policy)


async def test_a_wish_with_an_unknown_policy_is_refused():
    with pytest.raises(InvalidInput) as caught:
        await read_model_change(request([b'{"threadId":"t","model":"big","policy":"maybe"}']))
    assert caught.value.details[0]["loc"] == ["body", "policy"]


async def test_a_wish_that_is_not_announced_as_json_is_refused():
    headers = [(b"content-type", b"text/plain")]
    plain = Request({"type": "http", "method": "POST", "path": "/model", "headers": headers})
    with pytest.raises(HTTPException) as caught:
        await read_model_change(plain)
    assert caught.value.status_code == 415
