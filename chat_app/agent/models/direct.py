"""Models of providers, reached through the direct layer of pydantic-ai. Needs the extra ``models``.

Loaded by name from ``providers``, so that nobody who has no model pays for the import.
"""

from collections.abc import AsyncGenerator, Callable
from functools import cache
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError
from pydantic_ai.messages import (
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers import Provider
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings

from chat_app.agent.models.interface import (
    CallPiece,
    ModelClient,
    ModelRequest,
    Piece,
    StepDone,
    TextPiece,
    ThinkingPiece,
)
from chat_app.agent.models.names import NameTable
from chat_app.agent.models.providers import UnusableModel
from chat_app.agent.models.troubles import broken, fault_of
from chat_app.agent.models.wording import argument_text, definitions, messages, name_table, replay_of
from chat_app.agent.turn_events import Usage

# Retries are ours (see ``patient``): a library that repeats on its own would hide what it waits for.
SETTINGS: Final = ModelSettings(max_retries=0, first_event_timeout=120.0)
OLLAMA: Final = "http://127.0.0.1:11434/v1"
NO_KEY: Final = "none"

_Made = TypeVar("_Made")


class DirectModel:
    """A provider's models. Which of them is said by each request, so that a swap needs no other client.

    Args:
        name: What usage is booked under.
        provider: Holds the connections, from the first step until they are let go of.
        make: Makes pydantic-ai's model for a name; nobody is contacted.
    """

    def __init__(self, name: str, provider: Provider[Any], make: Callable[[str], Model]) -> None:
        self._name = name
        self._provider = provider
        self._make = cache(make)
        self._entered = False

    async def step(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Stream one step.

        Raises:
            ModelFault: the provider cannot be reached, refuses, or breaks off.
        """
        await self._enter()
        names = name_table(request.entries, request.tools)
        parameters = ModelRequestParameters(function_tools=definitions(request.tools, names))
        try:
            async with model_request_stream(
                self._make(request.model),
                messages(request.entries, names),
                model_settings=SETTINGS,
                model_request_parameters=parameters,
            ) as stream:
                async for piece in _pieces(stream, names):
                    yield piece
                yield self._done(request.model, stream)
        except ModelAPIError as error:
            raise fault_of(error, request.model) from error
        except UnexpectedModelBehavior as error:
            raise broken(request.model) from error

    async def aclose(self) -> None:
        """Let go of the connections."""
        if self._entered:
            self._entered = False
            await self._provider.__aexit__(None, None, None)

    async def _enter(self) -> None:
        if not self._entered:
            self._entered = True
            await self._provider.__aenter__()

    def _done(self, model: str, stream: StreamedResponse) -> StepDone:
        spent = stream.usage
        return StepDone(
            usage=Usage(self._name, model, spent.input_tokens, spent.output_tokens),
            refused=stream.finish_reason == "content_filter",
            replay=replay_of(stream.get()),
        )


async def _pieces(stream: StreamedResponse, names: NameTable) -> AsyncGenerator[Piece, None]:
    """Give what the stream brings; a call is told by its place, since later pieces may not repeat its id."""
    calls: dict[int, str] = {}
    async for event in stream:
        piece = _piece(event, calls, names)
        if piece is not None:
            yield piece


def _piece(event: ModelResponseStreamEvent, calls: dict[int, str], names: NameTable) -> Piece | None:
    match event:
        case PartStartEvent(index=index, part=ToolCallPart() as part):
            calls[index] = part.tool_call_id
            return CallPiece(part.tool_call_id, argument_text(part.args), names.inward(part.tool_name))
        case PartDeltaEvent(index=index, delta=ToolCallPartDelta(args_delta=arguments)):
            return CallPiece(calls[index], argument_text(arguments)) if arguments else None
        case (
            PartStartEvent(part=TextPart(content=text))
            | PartDeltaEvent(delta=TextPartDelta(content_delta=text))
        ):
            return TextPiece(text) if text else None
        case (
            PartStartEvent(part=ThinkingPart(content=thought))
            | PartDeltaEvent(delta=ThinkingPartDelta(content_delta=thought))
        ):
            return ThinkingPiece(thought) if thought else None
        case _:  # ends of parts and what only pydantic-ai's own agent needs
            return None


def openai(model: str, *, key: str | None, url: str | None) -> ModelClient:
    """Reach OpenAI."""
    provider = _checked(lambda: OpenAIProvider(base_url=url, api_key=key), model)
    return DirectModel("openai", provider, lambda name: OpenAIChatModel(name, provider=provider))


def compatible(model: str, *, key: str | None, url: str | None) -> ModelClient:
    """Reach a server that speaks OpenAI's API. Most of those on one's own machine want no key."""
    assert url is not None, "the table names this function for addresses alone"
    del model
    host = urlsplit(url).hostname or "server"
    provider = OpenAICompatibleProvider(host, base_url=url, api_key=key or NO_KEY)
    return DirectModel(host, provider, lambda name: OpenAIChatModel(name, provider=provider))


def anthropic(model: str, *, key: str | None, url: str | None) -> ModelClient:
    """Reach Anthropic."""
    provider = _checked(lambda: AnthropicProvider(api_key=key, base_url=url), model)
    return DirectModel("anthropic", provider, lambda name: AnthropicModel(name, provider=provider))


def google(model: str, *, key: str | None, url: str | None) -> ModelClient:
    """Reach Google."""
    provider = _checked(lambda: GoogleProvider(api_key=key, base_url=url), model)
    return DirectModel("google", provider, lambda name: GoogleModel(name, provider=provider))


def ollama(model: str, *, key: str | None, url: str | None) -> ModelClient:
    """Reach the Ollama of this machine; one elsewhere is written as an address."""
    del model
    provider = OllamaProvider(base_url=url or OLLAMA, api_key=key or NO_KEY)
    return DirectModel("ollama", provider, lambda name: OllamaModel(name, provider=provider))


def _checked(make: Callable[[], _Made], model: str) -> _Made:
    """Make a provider. What its library objects to when nothing was contacted yet is a missing key."""
    try:
        return make()
    except (UserError, ValueError) as error:
        raise UnusableModel(f"The model {model} needs its provider's key, and there is none.") from error
