"""Which models a person may choose among, and the turns under way that can still change theirs.

A wish that comes with a run is for that run and those after it; one that comes while a turn is under way is parked
with its runner, which takes it at the next boundary (A44, A45).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from chat_app.agent.runner import AgentRunner, Swap, SwapPolicy


class UnknownModel(Exception):  # noqa: N818 - it is named for what was found
    """The model is none of those on offer; the message says which are."""


class NotAtWork(Exception):  # noqa: N818 - it is named for what was found
    """No turn of this thread is under way in this process."""


class Switchboard:
    """The turns of one process that could change their model.

    Args:
        models: The names on offer; nothing else is ever dialled.
    """

    def __init__(self, models: Sequence[str] = ()) -> None:
        self.models = tuple(models)
        self._turns: dict[str, AgentRunner] = {}

    def check(self, model: str) -> str:
        """Give the name back when it is on offer.

        Raises:
            UnknownModel: it is not.
        """
        if model not in self.models:
            choice = ", ".join(self.models) or "no other"
            raise UnknownModel(f"There is no model {model!r} here; on offer is {choice}.")
        return model

    @contextmanager
    def under_way(self, thread_id: str, runner: AgentRunner) -> Iterator[None]:
        """Take swaps for this thread's turn while the block lasts."""
        self._turns[thread_id] = runner
        try:
            yield
        finally:
            if self._turns.get(thread_id) is runner:
                del self._turns[thread_id]

    def swap(self, thread_id: str, model: str, *, policy: SwapPolicy) -> None:
        """Let the thread's turn end or begin again with another model.

        Raises:
            UnknownModel: the model is not on offer.
            NotAtWork: there is no such turn; the next run can name the model.
        """
        self.check(model)
        runner = self._turns.get(thread_id)
        if runner is None:
            raise NotAtWork("No turn of this thread is under way; name the model in the next run.")
        runner.swap(Swap(model=model, policy=policy))
