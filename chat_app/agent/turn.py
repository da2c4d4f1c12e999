"""The hands of whoever works a turn: writers that open and close, and a pace a person enjoys.

Each writer is a context manager. Leaving it, in whatever way, reports the end of what it opened; that report
never waits, so it also gets out while the turn is being cancelled.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

import anyio
from ag_ui.core import Message
from pydantic import JsonValue

from chat_app.agent.conversation import Conversation
from chat_app.agent.desk import Desk
from chat_app.agent.memory import Memory
from chat_app.agent.sse import compact_json
from chat_app.agent.turn_events import (
    AppStateChanged,
    CompactionCompleted,
    MessageCompleted,
    StageFinished,
    StageStarted,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
    TurnEvent,
    Usage,
    UsageUpdated,
)

WORD_PAUSE: Final = 0.02
FRAGMENT: Final = 12
PROVIDER: Final = "parley"
MODEL: Final = "scripted-1"
TOOL_NOT_OFFERED: Final = "TOOL_NOT_OFFERED"

_WORDS: Final = re.compile(r"\s*\S+\s?|\s+")


class TurnFailed(Exception):  # noqa: N818 - it is named for what happened
    """The turn cannot be finished; the message is for the person, the code for programs."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class Sink(Protocol):
    """Where a turn's reports go."""

    def report(self, event: TurnEvent) -> None:
        """Take one report, without waiting."""

    async def room(self) -> None:
        """Wait until more reports are welcome."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long pauses are: 1 as written, 0 none at all (a pause still gives other tasks a turn)."""

    scale: float = 1.0

    async def pause(self, seconds: float) -> None:
        """Wait for this many seconds at scale 1."""
        await anyio.sleep(seconds * self.scale)


def pieces(text: str) -> list[str]:
    """Cut a text into word-sized pieces that join to exactly the text."""
    return _WORDS.findall(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a turn works with.

    Attributes:
        pace: How fast text flows and how long a tool takes.
        new_id: Makes the ids of tool calls, subagents and activities.
        now: Tells the time.
        memory: Keeps what outlives the turn.
        desk: Where the turn waits for decisions while it goes on; None when a question ends the run.
    """

    pace: Pace
    new_id: Callable[[], str]
    now: Callable[[], datetime]
    memory: Memory
    desk: Desk | None = None


class Turn:
    """One turn at work: what was asked, and the means to answer.

    Args:
        conversation: The request, read.
        sink: Takes the reports.
        means: What to work with.
    """

    def __init__(self, conversation: Conversation, sink: Sink, *, means: Means) -> None:
        self.conversation = conversation
        self.means = means
        self.sink = sink
        self.history: Sequence[Message] = conversation.messages
        self.model = ""
        """The model that answers, once the turn has started."""
        self._written = 0
        self._made: list[tuple[str, str]] = []
        self._answers: dict[str, str] = {}

    @asynccontextmanager
    async def message(self) -> AsyncIterator["TextWriter"]:
        """Open one message of the answer."""
        async with self.closing(MessageCompleted()):
            yield TextWriter(self, TextDelta)

    @asynccontextmanager
    async def reasoning(self) -> AsyncIterator["TextWriter"]:
        """Open one span of thoughts."""
        async with self.closing(MessageCompleted()):
            yield TextWriter(self, ThinkingDelta)

    @asynccontextmanager
    async def tool_call(self, name: str) -> AsyncIterator["CallWriter"]:
        """Open one call of a tool. Its arguments are whole when the block ends; it has not run then."""
        call_id = self.means.new_id()
        self._made.append((call_id, name))
        await self.emit(ToolcallDelta(call_id, name=name))
        async with self.closing(ToolcallCompleted(call_id)):
            yield CallWriter(self, call_id)

    @asynccontextmanager
    async def stage(self, name: str) -> AsyncIterator[None]:
        """Name what is being done while the block lasts."""
        await self.emit(StageStarted(name))
        async with self.closing(StageFinished(name)):
            yield

    async def say(self, text: str) -> None:
        """Write a whole message at the turn's pace."""
        async with self.message() as message:
            await message.stream(text)

    async def run_tool(
        self, name: str, arguments: Mapping[str, JsonValue], work: Callable[[], Awaitable[str]]
    ) -> str:
        """Call a tool of our own: stream its arguments, run it, report and return what it gave."""
        async with self.tool_call(name) as call:
            await call.arguments(arguments)
        await self.emit(ToolStarted(call.id, name, arguments))
        output = await work()
        await self.answer(call.id, output)
        return output

    async def ask_client(self, name: str, arguments: Mapping[str, JsonValue]) -> None:
        """Call a tool that the client offered to run; its answer comes with the next run.

        Raises:
            TurnFailed: The client did not offer it.
        """
        if not self.conversation.offers(name):
            raise TurnFailed(f"The client offered no tool {name}, which this needs.", code=TOOL_NOT_OFFERED)
        async with self.tool_call(name) as call:
            await call.arguments(arguments)

    async def answer(self, call_id: str, output: str) -> None:
        """Report what a call gave."""
        self._answers[call_id] = output
        await self.emit(ToolCompleted(call_id, output))

    async def block(self, call_id: str, reason: str) -> None:
        """Report that a call will not run, and why."""
        self._answers[call_id] = reason
        await self.emit(ToolBlocked(call_id, reason))

    def answers_to(self, name: str) -> list[str]:
        """Give the answers of one tool's calls since the person's last line, this turn's included."""
        past = [(call.id, call.answer) for call in self.conversation.fresh_calls(name)]
        made = [(call_id, None) for call_id, tool in self._made if tool == name]
        found = [self._answers.get(call_id, answer) for call_id, answer in [*past, *made]]
        return [answer for answer in found if answer is not None]

    async def set_app_state(self, app: JsonValue) -> None:
        """Replace the application's own part of the shared state."""
        await self.emit(AppStateChanged(app))

    async def compact(self, messages: Sequence[Message]) -> None:
        """Put a shorter conversation in place of the one that came."""
        self.history = messages
        await self.emit(CompactionCompleted())

    async def emit(self, event: TurnEvent) -> None:
        """Report one event and wait until more are welcome."""
        self.sink.report(event)
        await self.sink.room()

    async def pause(self, seconds: float) -> None:
        """Take this long for something, at the turn's pace."""
        await self.means.pace.pause(seconds)

    def wrote(self, words: int) -> None:
        """Count words written, for the turn's usage."""
        self._written += words

    def report_usage(self) -> None:
        """Report the words read and written as tokens, in the turn's last moments."""
        spent = Usage(PROVIDER, MODEL, self.conversation.words(), self._written)
        self.sink.report(UsageUpdated(spent))

    @asynccontextmanager
    async def closing(self, event: TurnEvent) -> AsyncIterator[None]:
        """Report an event when the block is left, in whatever way."""
        try:
            yield
        finally:
            self.sink.report(event)
        await self.sink.room()


class TextWriter:
    """Writes into one open message or span of thoughts."""

    def __init__(self, turn: Turn, kind: type[TextDelta] | type[ThinkingDelta]) -> None:
        self._turn = turn
        self._kind = kind

    async def text(self, delta: str) -> None:
        """Write a piece as it stands, at once."""
        self._turn.wrote(len(delta.split()))
        await self._turn.emit(self._kind(delta))

    async def stream(self, text: str) -> None:
        """Write a text word by word, at the turn's pace."""
        for piece in pieces(text):
            await self.text(piece)
            await self._turn.pause(WORD_PAUSE)


class CallWriter:
    """Writes the arguments of one open tool call."""

    def __init__(self, turn: Turn, call_id: str) -> None:
        self.id = call_id
        self._turn = turn

    async def text(self, fragment: str) -> None:
        """Write a fragment of the argument text as it stands."""
        await self._turn.emit(ToolcallDelta(self.id, fragment))

    async def arguments(self, arguments: Mapping[str, JsonValue]) -> None:
        """Write whole arguments as JSON text in fragments, at the turn's pace."""
        text = compact_json(arguments)
        for start in range(0, len(text), FRAGMENT):
            await self.text(text[start : start + FRAGMENT])
            await self._turn.pause(WORD_PAUSE)
