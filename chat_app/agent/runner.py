"""Works a warm loop: takes lines one after the other, swaps models and servers of models between turns, counts.

The loop knows nothing of this. Everything that arrives while a turn is under way is parked and taken at the
next boundary: a swap, a changed list of tools, a pause.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from chat_app.agent.budget import Budget
from chat_app.agent.control import Control
from chat_app.agent.loop import AgentLoop
from chat_app.agent.models.interface import ModelClient, ModelFault
from chat_app.agent.outcome import LoopAbort, Outcome, Status, TurnResult
from chat_app.agent.turn_events import Usage
from chat_app.agent.usage import Account

logger = logging.getLogger(__name__)

Dial: TypeAlias = Callable[[], ModelClient]


async def _unheard() -> None:
    """Take the news that a turn begins again, and tell nobody."""


class SwapPolicy(StrEnum):
    """What becomes of a turn that was under way when its model was swapped."""

    FINISH_ON_OLD = "finish_on_old"
    RESTART_TURN = "restart_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Another model, another way to reach it, or both.

    Attributes:
        model: The model from the next turn on; None keeps it.
        dial: Makes the client from the next turn on; None keeps it.
    """

    model: str | None = None
    dial: Dial | None = None
    policy: SwapPolicy = SwapPolicy.FINISH_ON_OLD


class AgentRunner:
    """Feeds one loop.

    Args:
        loop: Prepared, with its first line in the transcript when there is one.
        client: Reaches the model until a swap says otherwise.
        budget: Made anew for every turn.
        account: Told what every turn spent, discarded ones included (C16).
        control: Pauses and cancels; shared with the loop around a nested one.
        restarting: Told before a turn whose text was thrown away is worked again.
    """

    def __init__(  # noqa: PLR0913 - what a warm loop is worked with, named one by one
        self,
        loop: AgentLoop,
        client: ModelClient,
        *,
        budget: Callable[[], Budget],
        account: Account,
        control: Control | None = None,
        restarting: Callable[[], Awaitable[None]] = _unheard,
    ) -> None:
        self.loop = loop
        self.control = control or Control()
        self._client = client
        self._budget = budget
        self._account = account
        self._restarting = restarting
        self._parked: Swap | None = None

    def swap(self, swap: Swap) -> None:
        """Park a swap for the next boundary; of several, the last one counts (A45)."""
        self._parked = swap

    async def take(self, line: str) -> TurnResult:
        """Deliver a line and work it; see :meth:`work`."""
        return await self._begin(line)

    async def work(self) -> TurnResult:
        """Work what the transcript asks for already.

        A swap that comes meanwhile, changes the model and asks for a restart throws the turn's text away; the
        same line is worked again (A44). The result is that of the last turn, the ledger has all of them.

        Raises:
            LoopAbort: the model failed. What was spent is in the ledger.
        """
        return await self._begin(None)

    async def _begin(self, line: str | None) -> TurnResult:
        if await self.control.at_boundary():
            return TurnResult(Outcome(status=Status.CANCELLED), Usage("", self.loop.model))
        self.settle()
        await self.loop.refresh_if_changed()
        if line is not None:
            self.loop.deliver(line)
        return await self._work()

    async def _work(self) -> TurnResult:
        while True:
            marker = self.loop.transcript_len
            result = await self._turn()
            again = result.outcome.status is not Status.CANCELLED and self._restarts()
            self._account.add(result.usage, discarded=again)
            if not again:
                return result
            self.settle()
            self.loop.truncate_transcript(marker)
            await self._restarting()

    async def _turn(self) -> TurnResult:
        try:
            return await self.loop.run_turn(self._client, self._budget(), self.control)
        except LoopAbort as abort:
            self._account.add(abort.usage or Usage("", self.loop.model))
            raise

    def _restarts(self) -> bool:
        """Say whether the parked swap asks for the turn again: another way to the same model does not (A45)."""
        parked = self._parked
        if parked is None or parked.policy is not SwapPolicy.RESTART_TURN:
            return False
        return parked.model is not None and parked.model != self.loop.model

    def settle(self) -> None:
        """Take the parked swap. One whose client cannot be made changes nothing; no address or key is logged."""
        parked, self._parked = self._parked, None
        if parked is None:
            return
        try:
            client = self._client if parked.dial is None else parked.dial()
        except ModelFault as fault:
            logger.warning("The model stays as it was, since the new one cannot be reached (%s).", fault.code)
            return
        self._client = client
        if parked.model is not None:
            self.loop.set_model(parked.model)
