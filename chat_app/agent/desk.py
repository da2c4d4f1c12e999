"""Where turns wait that go on while a person decides, and where the decisions come in."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ag_ui.core import ResumeEntry

_Decision = TypeVar("_Decision")


class NotAsked(Exception):  # noqa: N818 - it is named for what was found
    """Nobody waits for this answer: it was never asked, is decided, or its turn is over."""


class Desk:
    """The open questions of the turns of one process, by thread and question."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Callable[[ResumeEntry], None]] = {}

    @contextmanager
    def question(
        self, thread_id: str, question_id: str, *, judge: Callable[[ResumeEntry], _Decision]
    ) -> Iterator["asyncio.Future[_Decision]"]:
        """Take answers to a question while the block lasts; give what it is decided with, to be awaited.

        Args:
            thread_id: The thread of the turn that waits.
            question_id: The question.
            judge: Reads an answer; what it raises goes to who answered, and the question stays open.
        """
        decided: asyncio.Future[_Decision] = asyncio.get_running_loop().create_future()
        key = (thread_id, question_id)

        def decide(entry: ResumeEntry) -> None:
            if decided.done():  # its turn is being stopped at this very moment
                raise _not_asked(question_id)
            decided.set_result(judge(entry))

        self._open[key] = decide
        try:
            yield decided
        finally:
            self._open.pop(key, None)

    def answer(self, thread_id: str, entry: ResumeEntry) -> None:
        """Hand in an answer; the turn that waits for it goes on.

        Raises:
            NotAsked: Nobody waits for it.
        """
        key = (thread_id, entry.interrupt_id)
        decide = self._open.get(key)
        if decide is None:
            raise _not_asked(entry.interrupt_id)
        decide(entry)
        del self._open[key]


def _not_asked(question_id: str) -> NotAsked:
    return NotAsked(f"Nobody waits for an answer to {question_id!r} on this thread.")
