"""What a loop asks of a model: one request, answered by a stream of pieces.

A client is handed everything with each request and remembers nothing, so one serves every loop of the process.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pydantic import JsonValue

from chat_app.agent.servers import ToolSpec
from chat_app.agent.transcript import Entry
from chat_app.agent.turn_events import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One step: the whole transcript and the tools on offer, for the model of this name."""

    model: str
    entries: Sequence[Entry]
    tools: Sequence[ToolSpec]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPiece:
    """More of what the model thinks aloud."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """More of a call. The first piece of a call brings the tool's name; pieces of calls may alternate."""

    call_id: str
    arguments: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """The step is over: always the last piece, once.

    Attributes:
        refused: True when the provider withheld the answer.
        replay: The step in the provider's own form, to be handed back with the next request.
    """

    usage: Usage
    refused: bool = False
    replay: JsonValue = None


Piece: TypeAlias = TextPiece | ThinkingPiece | CallPiece | StepDone


class ModelFault(Exception):  # noqa: N818 - it is named for what happened
    """The model cannot answer.

    Attributes:
        message: For the person, without anything secret.
        code: For programs.
        retry_after: Seconds the provider asks to wait; None when it said nothing.
        passing: True when the same request may well succeed later.
    """

    def __init__(
        self, message: str, *, code: str, retry_after: float | None = None, passing: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.retry_after = retry_after
        self.passing = passing


class ModelClient(Protocol):
    """Reaches models. Which of them is said by each request."""

    def step(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Stream one step. Closing the generator early stops the provider.

        Raises:
            ModelFault: before the first piece or between two.
        """

    async def aclose(self) -> None:
        """Let go of the connections. The client may be asked again and opens others."""
