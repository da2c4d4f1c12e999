"""One model call: its pieces are reported as they come and put together to one entry of the transcript."""

from collections.abc import Awaitable, Callable, Collection
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from chat_app.agent.models.interface import (
    CallPiece,
    ModelClient,
    ModelFault,
    ModelRequest,
    Piece,
    StepDone,
    TextPiece,
    ThinkingPiece,
)
from chat_app.agent.transcript import AssistantEntry, ToolCall
from chat_app.agent.turn_events import (
    MessageCompleted,
    TextDelta,
    ThinkingDelta,
    ToolcallDelta,
    TurnEvent,
    UsageUpdated,
)

STREAM_CUT: Final = "MODEL_STREAM_CUT"

Report: TypeAlias = Callable[[TurnEvent], Awaitable[None]]


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    arguments: list[str] = field(default_factory=list)


class Step:
    """A model call under way.

    Args:
        report: Told of everything as it comes.
        taken: Ids of calls that the transcript already holds. A provider that counts from one in each
            request would otherwise answer one call twice.
        new_id: Makes an id for a call whose own is taken.
    """

    def __init__(self, report: Report, *, taken: Collection[str], new_id: Callable[[], str]) -> None:
        self._report = report
        self._taken = taken
        self._new_id = new_id
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._calls: dict[str, _Call] = {}
        self._done: StepDone | None = None

    @property
    def done(self) -> StepDone:
        """How the step ended.

        Raises:
            ModelFault: it did not: the stream broke off.
        """
        if self._done is None:
            raise ModelFault("The model's answer broke off.", code=STREAM_CUT, passing=True)
        return self._done

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._text)

    def entry(self) -> AssistantEntry:
        """Give what belongs into the transcript: all of a finished step, of a broken one only what was said."""
        if self._done is None:
            return AssistantEntry(self.text)
        calls = tuple(ToolCall(call.id, call.name, "".join(call.arguments)) for call in self._calls.values())
        return AssistantEntry(self.text, "".join(self._thinking), calls, self._done.replay)

    async def run(self, client: ModelClient, request: ModelRequest) -> None:
        """Read the stream to its end.

        Raises:
            ModelFault: the model failed, before its first piece or after it.
        """
        async with aclosing(client.step(request)) as pieces:
            async for piece in pieces:
                await self._take(piece)
        await self._report(MessageCompleted())
        await self._report(UsageUpdated(self.done.usage))

    async def _take(self, piece: Piece) -> None:
        match piece:
            case TextPiece(text):
                self._text.append(text)
                await self._report(TextDelta(text))
            case ThinkingPiece(text):
                self._thinking.append(text)
                await self._report(ThinkingDelta(text))
            case CallPiece():
                await self._take_call(piece)
            case StepDone():
                self._done = piece
            case _ as never:
                assert_never(never)

    async def _take_call(self, piece: CallPiece) -> None:
        call = self._calls.get(piece.call_id)
        if call is None:
            call = self._calls[piece.call_id] = _Call(self._fresh(piece.call_id), piece.name)
        call.arguments.append(piece.arguments)
        await self._report(ToolcallDelta(call.id, piece.arguments, call.name))

    def _fresh(self, call_id: str) -> str:
        return self._new_id() if not call_id or call_id in self._taken else call_id
