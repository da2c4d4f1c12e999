"""Reads one stream to its end: frames in, batches of judged events out.

The stream is read to its end, not to the end of the run: a late RUN_ERROR or another run may follow.
An agent that keeps the connection open after its last word gets ``TAIL_SECONDS``.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import TypeAlias

from ag_ui.core import RunAgentInput

from chat_app.agui.approvals import Approvals
from chat_app.agui.errors import BadFrame
from chat_app.agui.events import Event, RunErrorEvent, RunFinishedEvent, RunStartedEvent
from chat_app.agui.pipeline import Pipeline
from chat_app.agui.transport.base import Frame, Transport, closing

Gate: TypeAlias = Callable[[RunAgentInput], RunAgentInput]

TAIL_SECONDS = 2.0
"""How long a stream is read on after a run has ended."""


class Intake:
    """One stream. ``error`` is what ended it early, None when it ended by itself."""

    def __init__(self, transport: Transport, pipeline: Pipeline, approvals: Approvals, *, gate: Gate) -> None:
        self._transport = transport
        self._gate = gate
        self._pipeline = pipeline
        self._approvals = approvals
        self._deadline: float | None = None
        self.error: Exception | None = None

    async def batches(self, request: RunAgentInput) -> AsyncGenerator[Sequence[Event], None]:
        """Send the request through the gate and yield what each frame brings.

        Trouble with the stream ends the iteration and is kept in ``error``; nothing but cancellation
        is raised.
        """
        try:
            async with closing(self._transport.run(self._gate(request))) as frames:
                while (frame := await self._next(frames)) is not None:
                    yield [self._noted(event) for event in self._pipeline.feed(_typed(frame))]
        except Exception as error:  # noqa: BLE001 - every failure of a stream becomes a failed run (M3)
            self.error = error

    async def _next(self, frames: AsyncIterator[Frame]) -> Frame | None:
        if self._deadline is None:
            return await anext(frames, None)
        try:
            async with asyncio.timeout_at(self._deadline):
                return await anext(frames, None)
        except TimeoutError:
            return None

    def _noted(self, event: Event) -> Event:
        if isinstance(event, RunFinishedEvent | RunErrorEvent):
            self._deadline = asyncio.get_running_loop().time() + TAIL_SECONDS
        elif isinstance(event, RunStartedEvent):
            self._deadline = None
        return self._approvals.admit(event)


def _typed(frame: Frame) -> Frame:
    """Return the frame if it says what it is; readers of bytes have looked already, others may not have.

    Raises:
        BadFrame: It has no ``type`` that is a string (P105).
    """
    name = frame.get("type")
    if not isinstance(name, str) or not name:
        raise BadFrame("A frame carries no event type.")
    return frame
