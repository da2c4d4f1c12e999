"""Waits out what passes: a provider that is busy or asks to wait is asked again, before anything was said.

After the first piece nothing is repeated: a person has read it, and it has been paid for.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final

import anyio

from chat_app.agent.models.interface import ModelClient, ModelFault, ModelRequest, Piece

logger = logging.getLogger(__name__)

ATTEMPTS: Final = 3
LONGEST_WAIT: Final = 30.0
FIRST_WAIT: Final = 1.0


class PatientModel:
    """A client around a client.

    Args:
        client: Asked up to :data:`ATTEMPTS` times.
        sleep: Waits for this many seconds.
    """

    def __init__(
        self, client: ModelClient, *, sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    ) -> None:
        self._client = client
        self._sleep = sleep

    async def step(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Stream one step.

        Raises:
            ModelFault: it does not pass, asks for a longer wait than a person has, or came once too often.
        """
        attempt, begun = 0, False
        while True:
            try:
                async with aclosing(self._client.step(request)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except ModelFault as fault:
                wait = _wait(fault, attempt)
                if begun or wait is None:
                    raise
                logger.info("The model is busy (%s); asked again in %.1f s.", fault.code, wait)
                await self._sleep(wait)
                attempt += 1
            else:
                return

    async def aclose(self) -> None:
        """Let go of the client's connections."""
        await self._client.aclose()


def _wait(fault: ModelFault, attempt: int) -> float | None:
    """Say how long to wait before the next attempt; None when there is none."""
    if not fault.passing or attempt + 1 == ATTEMPTS:
        return None
    wait = FIRST_WAIT * 2**attempt if fault.retry_after is None else fault.retry_after
    return wait if wait <= LONGEST_WAIT else None
