"""A model that answers from a list: for tests and benchmarks of everything around a model."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Final

from chat_app.agent.models.interface import (
    CallPiece,
    ModelFault,
    ModelRequest,
    Piece,
    StepDone,
    TextPiece,
    ThinkingPiece,
)
from chat_app.agent.transcript import ToolCall
from chat_app.agent.turn_events import Usage

PROVIDER: Final = "scripted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One step to play: thoughts, text, calls, in that order.

    Attributes:
        fault: Raised at the end instead of ending well.
        hold: Waited for before the end: what makes a step last as long as a test wants.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[ToolCall, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    refused: bool = False
    fault: ModelFault | None = None
    hold: asyncio.Event | None = None


class ScriptedModel:
    """Plays replies one after the other, whoever asks, and keeps what it was asked."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._replies = list(replies)
        self.requests: list[ModelRequest] = []

    async def step(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Play the next reply.

        Raises:
            ModelFault: the reply says so, or none is left.
        """
        self.requests.append(request)
        if not self._replies:
            raise ModelFault("The script has no reply left.", code="SCRIPT_ENDED")
        reply = self._replies.pop(0)
        for piece in _pieces(reply):
            yield piece
        if reply.hold is not None:
            await reply.hold.wait()
        if reply.fault is not None:
            raise reply.fault
        usage = Usage(PROVIDER, request.model, reply.input_tokens, reply.output_tokens)
        yield StepDone(usage=usage, refused=reply.refused)

    async def aclose(self) -> None:
        """Hold nothing, so let go of nothing."""


def _pieces(reply: Reply) -> list[Piece]:
    words: list[Piece] = [TextPiece(word) for word in reply.text.splitlines(keepends=True)]
    thoughts: list[Piece] = [ThinkingPiece(reply.thinking)] if reply.thinking else []
    calls: list[Piece] = [CallPiece(call.id, call.arguments, call.name) for call in reply.calls]
    return [*thoughts, *words, *calls]
