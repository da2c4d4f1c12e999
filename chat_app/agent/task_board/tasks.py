"""Boards of tasks in a database: one for each thread, numbered from one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

LONGEST_TITLE: Final = 200
_ATTEMPTS: Final = 5
_METADATA: Final = sa.MetaData()
_TASKS: Final = sa.Table(
    "task",
    _METADATA,
    sa.Column("thread", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("done", sa.Boolean, nullable=False),
)


class BoardError(ValueError):
    """The board cannot do that; the message says why."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a board."""

    number: int
    title: str
    done: bool


class Board:
    """The board of one thread.

    Args:
        engine: Reaches the store, made ready by :func:`open_store`.
        thread: Whose board it is.
    """

    def __init__(self, engine: sa.Engine, thread: str) -> None:
        self._engine = engine
        self._thread = thread

    def tasks(self) -> Sequence[Task]:
        """Give the tasks, oldest first."""
        query = sa.select(_TASKS.c.number, _TASKS.c.title, _TASKS.c.done).where(self._own)
        with self._engine.connect() as connection:
            return [Task(*row) for row in connection.execute(query.order_by(_TASKS.c.number))]

    def add(self, title: str) -> Task:
        """Add a task at the end.

        Raises:
            BoardError: the title is empty or too long.
        """
        title = " ".join(title.replace("\x00", "").split())
        if not title or len(title) > LONGEST_TITLE:
            raise BoardError(f"A title has 1 to {LONGEST_TITLE} characters.")
        return Task(self._insert(title), title, done=False)

    def complete(self, number: int) -> Task:
        """Mark a task as done; one that is done already stays so.

        Raises:
            BoardError: there is no such task.
        """
        with self._engine.begin() as connection:
            connection.execute(
                sa.update(_TASKS).where(self._own, _TASKS.c.number == number).values(done=True)
            )
        return self._task(number)

    def delete(self, number: int) -> Task:
        """Take a task off the board and give what it was.

        Raises:
            BoardError: there is no such task.
        """
        task = self._task(number)
        with self._engine.begin() as connection:
            connection.execute(sa.delete(_TASKS).where(self._own, _TASKS.c.number == number))
        return task

    @property
    def _own(self) -> sa.ColumnElement[bool]:
        return _TASKS.c.thread == self._thread

    def _task(self, number: int) -> Task:
        found = next((task for task in self.tasks() if task.number == number), None)
        if found is None:
            raise BoardError(f"There is no task {number} on this board.")
        return found

    def _insert(self, title: str) -> int:
        """Add a row under the next number. Who finds the number just taken tries the one after."""
        for _attempt in range(_ATTEMPTS):
            highest = sa.select(sa.func.coalesce(sa.func.max(_TASKS.c.number), 0)).where(self._own)
            try:
                with self._engine.begin() as connection:
                    number = int(connection.execute(highest).scalar_one()) + 1
                    row = {"thread": self._thread, "number": number, "title": title, "done": False}
                    connection.execute(sa.insert(_TASKS).values(row))
                    return number
            except IntegrityError:
                continue
        raise BoardError("The board is too busy; try again.")


def open_store(url: str) -> sa.Engine:
    """Open the store at a SQLAlchemy URL and make its table when there is none."""
    engine = sa.create_engine(url)
    _METADATA.create_all(engine)
    return engine
