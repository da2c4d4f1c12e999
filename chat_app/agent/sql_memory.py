"""The agent's memory in its own tables, so that it outlives the process."""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from pydantic import JsonValue
from sqlalchemy.exc import IntegrityError

from chat_app.agent.store import ANSWERS, PROJECTIONS, clean

_Result = TypeVar("_Result")


class SqlMemory:
    """Keeps documents and first answers, by thread. Each method is one transaction, in a worker thread.

    Args:
        engine: Reaches the tables.
        now: Tells the time, aware.
    """

    def __init__(self, engine: sa.Engine, *, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._now = now
        # Each begins at once: what waited for a place among the threads would be given up unwritten.
        self._threads = anyio.CapacityLimiter(math.inf)

    async def load_projection(self, thread_id: str) -> JsonValue:
        """Give the document kept last; None when there is none."""
        query = sa.select(PROJECTIONS.c.document).where(PROJECTIONS.c.thread == clean(thread_id))
        return await self._do(lambda connection: connection.execute(query).scalar_one_or_none())

    async def save_projection(self, thread_id: str, document: JsonValue) -> None:
        """Keep the document in place of the one kept before."""
        values = {"document": document, "updated": self._now().astimezone(UTC)}
        await self._do(partial(_replace, thread=clean(thread_id), values=values))

    async def sealed_answer(self, thread_id: str, question_id: str) -> JsonValue:
        """Give the answer a question was sealed with; None while it is open."""
        return await self._do(partial(_answer, thread=clean(thread_id), question=clean(question_id)))

    async def seal_answer(self, thread_id: str, question_id: str, answer: JsonValue) -> JsonValue:
        """Seal a question with this answer unless it is sealed; gives the answer that stands."""
        key = {"thread": clean(thread_id), "question": clean(question_id)}
        try:
            await self._do(
                lambda connection: connection.execute(sa.insert(ANSWERS).values(**key, answer=answer))
            )
        except IntegrityError:
            return await self.sealed_answer(thread_id, question_id)
        return answer

    async def _do(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        def transaction() -> _Result:
            with self._engine.begin() as connection:
                return work(connection)

        # A turn that is being stopped waits for no lock; what was begun may still be written.
        return await anyio.to_thread.run_sync(transaction, abandon_on_cancel=True, limiter=self._threads)


def _answer(connection: sa.Connection, *, thread: str, question: str) -> JsonValue:
    query = sa.select(ANSWERS.c.answer).where(ANSWERS.c.thread == thread, ANSWERS.c.question == question)
    answer: JsonValue = connection.execute(query).scalar_one_or_none()
    return answer


def _replace(connection: sa.Connection, *, thread: str, values: dict[str, object]) -> None:
    """Write a row in place of the one there. Two at once meet at the key, and the second writes over the first."""
    changed = connection.execute(
        sa.update(PROJECTIONS).where(PROJECTIONS.c.thread == thread).values(**values)
    )
    if changed.rowcount:
        return
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(PROJECTIONS).values(thread=thread, **values))
    except IntegrityError:
        connection.execute(sa.update(PROJECTIONS).where(PROJECTIONS.c.thread == thread).values(**values))
