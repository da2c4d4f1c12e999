"""What a transport is: one method that turns a run input into the frames that answer it.

A transport moves JSON objects and knows nothing of what they mean. Shapes, order and folding are
judged by the stages behind it, so that every transport gets the same verdict on the same frames.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from ag_ui.core import RunAgentInput
from pydantic import JsonValue

Frame: TypeAlias = dict[str, JsonValue]
"""One decoded JSON object with a non-empty string ``type``; its shape is not yet judged."""

T = TypeVar("T")


@runtime_checkable
class Transport(Protocol):
    """One method is enough to carry runs over something new.

    The iterator ends when the agent has nothing more to say. Closing it early stops the run: the
    implementation lets go of its connection there, which is all the agent is told. Trouble on the
    way is raised from the iterator as a ``TransportError`` or a ``BadFrame``.

    >>> class Parrot:
    ...     async def run(self, run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
    ...         yield {"type": "RUN_ERROR", "message": run_input.messages[-1].content}
    >>> isinstance(Parrot(), Transport)
    True
    >>> import asyncio
    >>> from chat_app.agui import Session
    >>> async def talk():
    ...     return await Session(Parrot(), "t").send("Hello?")
    >>> asyncio.run(talk()).message
    'Hello?'
    """

    def run(self, run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
        """Post ``run_input`` and yield the frames of the answer in arrival order."""
        ...


@asynccontextmanager
async def closing(stream: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """Close ``stream`` on the way out, at once: a generator that is merely dropped closes much later."""
    try:
        yield stream
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()
