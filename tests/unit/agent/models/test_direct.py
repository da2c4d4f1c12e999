"""What a server on a socket cannot show; the rest is in tests/integration/test_model_openai.py."""

import pytest
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.models.function import DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.providers.openai import OpenAIProvider

from chat_app.agent.models.direct import DirectModel
from chat_app.agent.models.interface import (
    CallPiece,
    ModelFault,
    ModelRequest,
    TextPiece,
    ThinkingPiece,
)
from chat_app.agent.models.providers import UnusableModel, dial
from chat_app.agent.transcript import UserEntry

REQUEST = ModelRequest(model="m", entries=(UserEntry("Hi"),), tools=())
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY")


def client_of(stream):
    provider = OpenAIProvider(api_key="k")
    return DirectModel("fake", provider, lambda _name: FunctionModel(stream_function=stream))


async def pieces(stream):
    client = client_of(stream)
    try:
        return [piece async for piece in client.step(REQUEST)]
    finally:
        await client.aclose()
        await client.aclose()


async def test_every_kind_of_piece_comes_through():
    async def stream(_messages, _info):
        yield {0: DeltaThinkingPart(content="hm")}
        yield "Hi"
        yield {1: DeltaToolCall(name="x", json_args="{", tool_call_id="c1")}
        yield {1: DeltaToolCall(json_args="}")}

    found = await pieces(stream)
    assert found[:2] == [ThinkingPiece("hm"), TextPiece("Hi")]
    assert "".join(piece.arguments for piece in found if isinstance(piece, CallPiece)) == "{}"
    assert found[-1].usage.provider == "fake"


async def test_an_answer_that_makes_no_sense_is_a_fault():
    async def stream(_messages, _info):
        yield "Hi"
        raise UnexpectedModelBehavior("nonsense")

    with pytest.raises(ModelFault) as caught:
        await pieces(stream)
    assert caught.value.code == "MODEL_BROKEN"


@pytest.mark.parametrize(
    "name", ["openai:gpt-5", "anthropic:claude", "google:gemini", "ollama:llama3", "http://h/v1#m"]
)
async def test_every_provider_can_be_dialled_without_contacting_anybody(name):
    client = dial(name, key="k")
    assert client._client._make("some-model").model_name == "some-model"
    await client.aclose()


@pytest.mark.parametrize("name", ["openai:gpt-5", "anthropic:claude", "google:gemini"])
def test_a_provider_without_its_key_is_refused(name, monkeypatch):
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    with pytest.raises(UnusableModel, match="needs its provider's key"):
        dial(name)
