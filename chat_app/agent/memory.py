"""What the agent keeps about a thread that the request cannot carry.

The messages of the request are the conversation, so little is left: the shared document as the last turn left
it, and which answer to a question was the first, since a client that lost the reply sends it again.
"""

from collections import OrderedDict
from typing import Final, Protocol

from pydantic import JsonValue

from chat_app.agent.projection import ProjectionStore

THREADS: Final = 1000


class Memory(ProjectionStore, Protocol):
    """Keeps what outlives a turn, by thread.

    A caller may give up waiting for any of it, at once; what it asked for may still come about.
    """

    async def save_projection(self, thread_id: str, document: JsonValue) -> None:
        """Keep the shared document in place of the one kept before."""

    async def sealed_answer(self, thread_id: str, question_id: str) -> JsonValue:
        """Give the answer a question was sealed with; None while it is open."""

    async def seal_answer(self, thread_id: str, question_id: str, answer: JsonValue) -> JsonValue:
        """Seal a question with this answer unless it is sealed.

        Returns:
            The answer that stands: the first one.
        """


class ProcessMemory:
    """Keeps things as long as the process lives, for the threads used last.

    Args:
        threads: How many threads to remember.
    """

    def __init__(self, *, threads: int = THREADS) -> None:
        self._threads = threads
        self._projections: OrderedDict[str, JsonValue] = OrderedDict()
        self._answers: OrderedDict[str, dict[str, JsonValue]] = OrderedDict()

    async def load_projection(self, thread_id: str) -> JsonValue:
        """Give the document kept last; None when there is none."""
        return self._projections.get(thread_id)

    async def save_projection(self, thread_id: str, document: JsonValue) -> None:
        """Keep the document in place of the one kept before."""
        self._projections[thread_id] = document
        self._projections.move_to_end(thread_id)
        if len(self._projections) > self._threads:
            self._projections.popitem(last=False)

    async def sealed_answer(self, thread_id: str, question_id: str) -> JsonValue:
        """Give the answer a question was sealed with; None while it is open."""
        return self._answers.get(thread_id, {}).get(question_id)

    async def seal_answer(self, thread_id: str, question_id: str, answer: JsonValue) -> JsonValue:
        """Seal a question with this answer unless it is sealed; gives the answer that stands."""
        answers = self._answers.setdefault(thread_id, {})
        self._answers.move_to_end(thread_id)
        if len(self._answers) > self._threads:
            self._answers.popitem(last=False)
        return answers.setdefault(question_id, answer)
