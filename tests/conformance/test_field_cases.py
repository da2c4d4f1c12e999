"""Field failures (``cases/``): what went wrong elsewhere, folded right here."""

import asyncio
import base64
import json
from datetime import UTC, datetime

import pytest
from ag_ui.core import Message
from pydantic import TypeAdapter

from chat_app.agui import (
    CURRENT,
    TOLERANT,
    Failed,
    HttpTransport,
    Interrupted,
    InterruptExpired,
    ReplayTransport,
    ResumeBuilder,
    RunParams,
    RunTool,
    Session,
    Success,
    ThreadInterrupted,
    ToolCallPart,
    UncoveredInterrupts,
    UsageError,
    actions_of,
)
from chat_app.agui.tools import AnyArguments
from tests.support.raw_server import END, chunk, head, raw_server, sse, stream_head
from tests.support.scripts import finished, started
from tests.support.shared import load, params

MESSAGES = TypeAdapter(list[Message])


def cases(*names):
    found = [(name, load(f"cases/{name}.json")) for name in names]
    present = [(name, case) for name, case in found if case]
    return params([case for _, case in present], [name for name, _ in present])


def session_at(request, transport, **options):
    """Return a session that is about to send ``request``."""
    messages = MESSAGES.validate_python(request["messages"])
    options.setdefault("on_diagnostic", lambda _: None)
    return Session(transport, request["threadId"], messages=messages, **options)


def scripted(events):
    """Return a script that answers with ``events``, under the run id of the request."""
    return lambda request: [_named(event, request.run_id) for event in events]


def _named(event, run_id):
    return {key: run_id if str(value).startswith("<runId") else value for key, value in event.items()}


def history(session):
    return [message.model_dump(mode="json", by_alias=True) for message in session.messages]


def calls_of(session):
    parts = [part for row in session.transcript.messages for part in row.parts]
    return {part.wire_id: part for part in parts if isinstance(part, ToolCallPart)}


# ------------------------------------------------------------------ folding


@pytest.mark.parametrize("case", cases("o01", "o14"))
async def test_each_variant_gives_its_messages(case):
    for variant in case["input"]["variants"]:
        request = variant.get("request") or case["input"].get("request")
        session = session_at(request, ReplayTransport(variant["events"]))
        assert isinstance(await session.run(RunParams(run_id="r1")), Success)
        assert history(session) == variant["expect_messages"], variant["name"]


@pytest.mark.parametrize("case", cases("o03", "o04", "o15", "o06"))
async def test_the_events_give_the_messages(case):
    session = session_at(case["input"]["request"], ReplayTransport(case["input"]["events"]))
    assert isinstance(await session.run(RunParams(run_id="r1")), Success)
    assert history(session) == case["expect"]["value"]["messages"]
    assert "null" not in json.dumps(history(session))


@pytest.mark.parametrize("case", cases("o02"))
@pytest.mark.parametrize(("profile", "end"), [(CURRENT, Failed), (TOLERANT, Success)])
async def test_a_stray_fragment_never_reaches_a_closed_call(case, profile, end):
    session = session_at(case["input"]["request"], ReplayTransport(case["input"]["events"]), profile=profile)
    ended = await session.run(RunParams(run_id="r1"))
    assert isinstance(ended, end)
    if isinstance(ended, Failed):
        assert "TOOL_CALL_ARGS" in ended.message
        assert "'c1'" in ended.message
    assert {name: part.args for name, part in calls_of(session).items()} == case["expect"]["value"][
        "tool_call_arguments"
    ]


@pytest.mark.parametrize("case", cases("o04"))
async def test_nulls_of_a_peer_that_declares_a_version_fail_the_run(case):
    events = [{**case["input"]["events"][0], "protocolVersion": "1.0"}, *case["input"]["events"][1:]]
    end = await session_at(case["input"]["request"], ReplayTransport(events)).run()
    assert isinstance(end, Failed)
    assert "/parentRunId" in end.message


@pytest.mark.parametrize("case", cases("o05"))
async def test_after_an_error_in_mid_call_the_next_request_is_sound(case):
    first, second = case["input"]["runs"]
    transport = ReplayTransport(first["events"], scripted(second["events"]))
    session = session_at(first["request"], transport)
    end = await session.run(RunParams(run_id="r1"))
    assert (end.message, end.code) == ("Output token limit reached", "usage_limit")
    assert calls_of(session)["c1"].status == "failed"

    assert isinstance(await session.send(second["user_types"]), Success)

    request = transport.requests[1]
    assert request.run_id != "r1"
    assert [(m.role, m.content) for m in request.messages[1:]] == [
        ("assistant", "Part one"),
        ("user", "Go on"),
    ]
    assert all(not getattr(message, "tool_calls", None) for message in request.messages)


@pytest.mark.parametrize("case", cases("o06", "o07"))
async def test_patches_give_the_state(case):
    session = session_at(case["input"]["request"], ReplayTransport(case["input"]["events"]))
    assert isinstance(await session.run(RunParams(run_id="r1")), Success)
    value = case["expect"]["value"]
    assert session.raw_state == value.get("state", value.get("state_final"))


# ------------------------------------------------------------------ interrupts


async def asked(case, transport):
    session = session_at(case["input"]["runs"][0]["request"], transport)
    assert isinstance(await session.run(RunParams(run_id="r1")), Interrupted)
    return session


def two_runs(case):
    first, second = case["input"]["runs"]
    return ReplayTransport(first["events"], scripted(second["events"]))


def check_request(request, expected):
    body = request.model_dump(mode="json", by_alias=True)
    assert body["threadId"] == expected["threadId"]
    assert body["runId"] != "r1"
    assert sorted(body["resume"], key=str) == sorted(expected["resume"], key=str)


@pytest.mark.parametrize("case", cases("o08"))
async def test_a_restored_thread_takes_the_answer_to_its_open_question(case):
    log = []
    transport = two_runs(case)
    first = session_at(
        case["input"]["runs"][0]["request"], transport, on_event=lambda event, rows: log.append((event, rows))
    )
    end = await first.run(RunParams(run_id="r1"))
    request = case["input"]["runs"][0]["request"]
    again = Session.restore(
        transport,
        request["threadId"],
        [event for event, _ in log],
        pending=end.interrupts,
        messages=MESSAGES.validate_python(request["messages"]),
    )

    builder = ResumeBuilder(again.pending_interrupts).approve("int-1")
    assert isinstance(await again.resume(builder.build()), Success)

    check_request(transport.requests[1], case["input"]["runs"][1]["expected_request"])
    assert history(again) == case["expect"]["value"]["messages_final"]


@pytest.mark.parametrize("case", cases("o09"))
async def test_both_answers_go_out_in_one_request(case):
    transport = two_runs(case)
    session = await asked(case, transport)
    builder = ResumeBuilder(session.pending_interrupts).approve("int-a")
    assert [one.id for one in builder.missing()] == ["int-b"]
    with pytest.raises(UncoveredInterrupts):
        builder.build()
    builder.reject("int-a").resolve("int-b", {"centre": "4200"})

    await session.resume(builder.build())

    check_request(transport.requests[1], case["input"]["runs"][1]["expected_request"])


@pytest.mark.parametrize("case", cases("o10"))
async def test_edited_arguments_are_checked_and_sent_whole(case):
    transport = two_runs(case)
    session = await asked(case, transport)
    [interrupt] = session.pending_interrupts
    assert actions_of(interrupt).edit
    proposed = json.loads(calls_of(session)["c1"].args)
    builder = ResumeBuilder([interrupt])
    with pytest.raises(UsageError, match="editedArgs/copies"):
        builder.approve("int-1", edited={**proposed, "copies": "abc"})

    await session.resume(builder.approve("int-1", edited={**proposed, "copies": 5}).build())

    check_request(transport.requests[1], case["input"]["runs"][1]["expected_request"])
    assert json.loads(calls_of(session)["c1"].args) == proposed


@pytest.mark.parametrize("case", cases("o11"))
async def test_a_line_typed_over_an_open_question_is_refused_or_cancels_it(case):
    run = case["input"]["runs"][0]
    line = "wait, use staging"
    transport = ReplayTransport(run["events"], scripted([started("<runId"), finished("<runId")]))
    session = await asked(case, transport)
    with pytest.raises(ThreadInterrupted):
        await session.send(line)
    assert len(transport.requests) == 1

    await session.resume(ResumeBuilder(session.pending_interrupts).cancel("int-1").build(), then=line)

    allowed = case["input"]["runs"][1]["allowed"][1]["expected_request"]
    check_request(transport.requests[1], allowed)
    assert transport.requests[1].messages[-1].content == allowed["last_message"]["content"]
    assert session.pending_interrupts == ()


@pytest.mark.parametrize("case", cases("o12"))
async def test_expiry_closes_the_way_to_yes_but_not_the_way_on(case):
    answerable = {"past": False, "far-future-offset": True, "absent": True, "not-a-date": True}
    for variant in case["input"]["variants"]:
        if variant["name"] not in answerable:
            continue
        events = variant["events"]
        transport = ReplayTransport(events, scripted([started("<runId"), finished("<runId")]))
        session = session_at(variant["request"], transport, now=lambda: datetime(2026, 11, 30, tzinfo=UTC))
        await session.run(RunParams(run_id="r1"))
        builder = ResumeBuilder(session.pending_interrupts).approve("int-1")
        if answerable[variant["name"]]:
            assert isinstance(await session.resume(builder.build()), Success)
            continue
        with pytest.raises(InterruptExpired):
            await session.resume(builder.build())
        assert isinstance(await session.resume(builder.cancel("int-1").build()), Success)


# ------------------------------------------------------------------ tools


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("case", cases("o13"))
async def test_a_frontend_tool_runs_once_and_its_answer_is_not_lost(case, slow):
    first, second = case["input"]["runs"]
    runs = []
    ended = asyncio.Event()

    async def execute(_arguments, context):
        runs.append(context.call_id)
        if slow:
            await ended.wait()
        return first["frontend_tool_result"][context.call_id]

    def heard(event, _rows):
        if event.type == "RUN_FINISHED":
            ended.set()

    transport = ReplayTransport(first["events"], scripted(second["events"]))
    tool = RunTool(name="local_time", description="Browser clock", arguments=AnyArguments, execute=execute)
    session = session_at(first["request"], transport, tools=[tool], on_event=heard)

    assert isinstance(await session.run(RunParams(run_id="r1")), Success)

    assert runs == ["c1"]
    assert len(transport.requests) == 2
    sent = [message.model_dump(mode="json", by_alias=True) for message in transport.requests[1].messages]
    expected = second["expected_request"]["messages"]
    assert [{**message, "id": want["id"]} for message, want in zip(sent, expected, strict=True)] == expected


@pytest.mark.parametrize("case", cases("o14"))
async def test_unreadable_arguments_are_answered_not_run(case):
    async def execute(_arguments, _context):
        raise AssertionError("never run")

    unreadable = {"truncated", "not-json", "array", "two-objects", "nan"}
    tool = RunTool(name="weather", description="", arguments=AnyArguments, execute=execute)
    for variant in case["input"]["variants"]:
        if variant["name"] not in unreadable:
            continue
        events = [event for event in variant["events"] if event["type"] != "TOOL_CALL_RESULT"]
        transport = ReplayTransport(events, scripted([started("<runId"), finished("<runId")]))
        await session_at(variant["request"], transport, tools=[tool]).run(RunParams(run_id="r1"))
        [answer] = [message for message in transport.requests[1].messages if message.role == "tool"]
        assert answer.error == answer.content
        assert "Tool execution failed" in answer.error


# ------------------------------------------------------------------ transport


@pytest.mark.parametrize("case", cases("o19"))
async def test_unicode_separators_are_text(case):
    pieces = [chunk(base64.b64decode(piece)) for piece in case["input"]["chunks_b64"]]
    async with raw_server((stream_head(), *pieces, END)) as server, HttpTransport(server.url) as transport:
        session = session_at(case["input"]["request"], transport)
        assert isinstance(await session.run(RunParams(run_id="r1")), Success)
    assert history(session) == case["expect"]["value"]["messages"]


@pytest.mark.parametrize("case", cases("o20"))
async def test_an_answer_that_is_no_stream_is_a_failed_run_with_the_reason(case):
    said = {
        "401": "token expired",
        "403": "no access to agent",
        "422": "body.messages.0: Field required",
        "429": "7 s",
    }
    for variant in case["input"]["variants"]:
        if variant["status"] is None:
            continue
        answer = head(
            f"{variant['status']} Said", **{k.replace("-", "_"): v for k, v in variant["headers"].items()}
        )
        async with (
            raw_server((answer, variant["body"].encode())) as server,
            HttpTransport(server.url) as transport,
        ):
            session = Session(transport, "t")
            end = await asyncio.wait_for(session.send("hi"), 2)
        assert isinstance(end, Failed)
        assert str(variant["status"]) in end.message
        assert said.get(variant["name"], "") in end.message
        assert "<" not in end.message
        assert [row.role for row in session.transcript.messages] == ["user"]


@pytest.mark.parametrize("case", cases("o21"))
async def test_silence_and_comments_do_not_end_a_run(case):
    assert {variant["name"] for variant in case["input"]["variants"]} >= {"comments", "plain-silence", "dead"}
    quiet = asyncio.Event()
    asyncio.get_running_loop().call_later(0.2, quiet.set)
    comment, forever = chunk(b": keep-alive\n\n"), asyncio.Event()
    alive = (quiet, stream_head(), sse(started()), comment, quiet, sse(finished()), END)
    dead = (stream_head(), sse(started()), forever)
    async with raw_server(alive, dead) as server, HttpTransport(server.url, idle_limit=1) as transport:
        session = Session(transport, "t")
        assert isinstance(await session.run(), Success)
        assert "sent nothing for 1 s" in (await session.run()).message
