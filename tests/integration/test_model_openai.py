"""The direct layer against a server that speaks OpenAI's HTTP API: what it sends, reads, and makes of trouble."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from chat_app.agent.models.interface import (
    CallPiece,
    ModelFault,
    ModelRequest,
    StepDone,
    TextPiece,
    ThinkingPiece,
)
from chat_app.agent.models.providers import dial
from chat_app.agent.servers import ToolSpec
from chat_app.agent.transcript import (
    AssistantEntry,
    Attachment,
    SystemEntry,
    ToolCall,
    ToolEntry,
    UserEntry,
)
from chat_app.agent.turn_events import Usage
from tests.fakes import within
from tests.support.openai_server import Refuses, Says, fake_openai

ASKED = (SystemEntry("Be brief."), UserEntry("Hi"))
DOTTED = ToolSpec(name="db.query", description="Query.", parameters={"type": "object", "properties": {}})


@pytest.fixture
async def fake():
    async with fake_openai() as fake:
        yield fake


async def steps(fake, *entries, tools=()):
    async with dialled(fake.url) as client:
        request = ModelRequest(model="m", entries=entries or ASKED, tools=tools)
        return [piece async for piece in client.step(request)]


@asynccontextmanager
async def dialled(url):
    client = dial(f"{url}#m", key="s3cret")
    try:
        yield client
    finally:
        await client.aclose()


def joined(pieces, kind):
    return "".join(piece.text for piece in pieces if isinstance(piece, kind))


async def test_text_and_thoughts_stream_and_usage_is_told(fake):
    fake.answers = [Says(text="Hello you", thinking="Let me see", tokens=(11, 7))]
    pieces = await steps(fake)

    assert (joined(pieces, TextPiece), joined(pieces, ThinkingPiece)) == ("Hello you", "Let me see")
    assert len([piece for piece in pieces if isinstance(piece, TextPiece)]) > 1
    assert pieces[-1].usage == Usage("127.0.0.1", "m", 11, 7)
    assert not pieces[-1].refused
    assert fake.keys == ["Bearer s3cret"]
    assert (fake.requests[0]["model"], fake.requests[0]["stream"]) == ("m", True)


async def test_calls_stream_under_their_own_names_and_ids(fake):
    fake.answers = [Says(calls=[("c1", "db_query", {"q": 1}), ("c2", "db_query", {"q": 2})])]
    pieces = await steps(fake, tools=[DOTTED])
    calls = [piece for piece in pieces if isinstance(piece, CallPiece)]

    assert fake.offered() == ["db_query"]
    assert {piece.name for piece in calls if piece.name} == {"db.query"}
    assert ["".join(p.arguments for p in calls if p.call_id == key) for key in ("c1", "c2")] == [
        '{"q": 1}',
        '{"q": 2}',
    ]


async def test_the_transcript_arrives_as_the_provider_wants_it(fake):
    fake.answers = [Says(text="ok")]
    call = ToolCall("c1", "db.query", '{"q": 1}')
    picture = UserEntry(
        "See", (Attachment("image/png", data="AAAA"), Attachment("image/*", url="http://x/y.png"))
    )
    await steps(
        fake,
        *ASKED,
        AssistantEntry("Let me.", calls=(call,)),
        ToolEntry("c1", "db.query", "7", True),
        picture,
    )
    system, user, assistant, tool, seen = fake.requests[0]["messages"]

    assert (system["content"], user["content"]) == ("Be brief.", "Hi")
    made = assistant["tool_calls"][0]["function"]
    assert (made["name"], json.loads(made["arguments"])) == ("db_query", {"q": 1})
    assert tool["tool_call_id"] == "c1"
    assert "7" in tool["content"]
    assert [part["type"] for part in seen["content"]] == ["text", "image_url", "image_url"]


async def test_a_step_goes_back_as_the_provider_sent_it_under_our_ids(fake):
    fake.answers = [Says(text="On it.", calls=[("c1", "db_query", {})]), Says(text="done")]
    pieces = await steps(fake, tools=[DOTTED])
    replay = next(piece for piece in pieces if isinstance(piece, StepDone)).replay
    entry = AssistantEntry("On it.", calls=(ToolCall("ours", "db.query", "{}"),), replay=replay)
    await steps(fake, *ASKED, entry, ToolEntry("ours", "db.query", "7"), tools=[DOTTED])

    assert fake.requests[1]["messages"][2]["tool_calls"][0]["id"] == "ours"
    assert fake.requests[1]["messages"][2]["content"] == "On it."


async def test_a_withheld_answer_is_told(fake):
    fake.answers = [Says(finish="content_filter")]
    assert (await steps(fake))[-1].refused


@pytest.mark.parametrize(
    ("refusal", "code", "words"),
    [
        (Refuses(status=401, error={"message": "Incorrect API key provided: s3cret"}), "MODEL_KEY", "key"),
        (Refuses(status=404, error={"message": "no model"}), "MODEL_UNKNOWN", "no model m"),
        (Refuses(status=400, error={"message": "bad"}), "MODEL_REJECTED", "HTTP status 400"),
        (
            Refuses(status=429, error={"code": "insufficient_quota", "message": "pay"}),
            "MODEL_QUOTA",
            "no quota left",
        ),
        (
            Refuses(status=429, headers={"retry-after": "90"}, error={"message": "slow down"}),
            "MODEL_RATE_LIMIT",
            "It asks to wait 90 s.",
        ),
    ],
)
async def test_a_refusal_is_told_in_words_without_what_the_provider_quotes(fake, refusal, code, words):
    fake.answers = [refusal]
    with pytest.raises(ModelFault) as caught:
        await steps(fake)

    assert caught.value.code == code
    assert words in caught.value.message
    assert "s3cret" not in str(caught.value)
    assert len(fake.requests) == 1


async def test_a_short_wait_is_waited_out(fake):
    fake.answers = [Refuses(status=429, headers={"retry-after": "0.01"}), Says(text="ok")]
    assert joined(await steps(fake), TextPiece) == "ok"
    assert len(fake.requests) == 2


@pytest.mark.parametrize(
    "then", ["cut", {"message": "overloaded", "type": "server_error", "code": "server_error"}]
)
async def test_trouble_in_mid_stream_is_a_fault_after_what_was_said(fake, then):
    fake.answers = [Says(text="Half an", then=then)]
    said = []

    async def read(client):
        async for piece in client.step(ModelRequest(model="m", entries=ASKED, tools=())):
            said.append(piece.text)  # noqa: PERF401 - what was read before the fault counts

    async with dialled(fake.url) as client:
        with pytest.raises(ModelFault):
            await read(client)

    assert "".join(said) == "Half an"
    assert len(fake.requests) == 1, "what was said is not said again"


async def test_an_address_nobody_listens_on_is_a_fault_that_passes(free_port):
    async with dialled(f"http://127.0.0.1:{free_port()}/v1") as client:
        with pytest.raises(ModelFault) as caught:
            await anext(client._client.step(ModelRequest(model="m", entries=ASKED, tools=())))

    assert (caught.value.code, caught.value.passing) == ("MODEL_UNREACHABLE", True)


async def test_leaving_the_stream_closes_the_connection(fake):
    fake.answers = [Says(text="one two", then=asyncio.Event())]
    async with dialled(fake.url) as client:
        stream = client.step(ModelRequest(model="m", entries=ASKED, tools=()))
        assert (await anext(stream)).text == "one"
        await stream.aclose()
        await within(fake.left.wait())
