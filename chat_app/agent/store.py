"""The suspended turn behind a question: what the messages of a request cannot carry.

A turn that waits for a person is kept under (thread, interrupt): the calls as the model made them, and the steps
in the provider's own form. So a question can be answered after a restart, and an answer that comes again gets
the first result instead of a second refund.

The tables belong to the agent. They are reached by an engine that is handed in and made by the migrations of
whoever owns the database; nothing in them points at anything else.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, TypeVar

import anyio.to_thread
import sqlalchemy as sa
from pydantic import JsonValue

from chat_app.agent.servers import Observation
from chat_app.agent.transcript import Entry, ToolCall, dump_entries, load_entries

METADATA: Final = sa.MetaData()
"""Every table of the agent's own."""
KEPT_FOR: Final = timedelta(days=30)
"""How long a turn nobody comes back to is kept."""

_Result = TypeVar("_Result")
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_TIME: Final = sa.DateTime(timezone=True)

TURNS: Final = sa.Table(
    "suspended_turn",
    METADATA,
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("thread", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("entries", sa.JSON, nullable=False),
    sa.Column("created", _TIME, nullable=False),
    sa.Column("answering", _TIME, nullable=True),
    sa.Column("reply", sa.JSON(none_as_null=True), nullable=True),
    sa.PrimaryKeyConstraint("id", name="pk_suspended_turn"),
    sa.Index("ix_suspended_turn_created", "created"),
)

QUESTIONS: Final = sa.Table(
    "suspended_question",
    METADATA,
    sa.Column("thread", sa.Text, nullable=False),
    sa.Column("interrupt", sa.Text, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("call", sa.JSON, nullable=False),
    sa.Column("begun", _TIME, nullable=True),
    sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
    sa.PrimaryKeyConstraint("thread", "interrupt", name="pk_suspended_question"),
    sa.ForeignKeyConstraint(
        ["turn"], ["suspended_turn.id"], name="fk_suspended_question_turn", ondelete="CASCADE"
    ),
    sa.Index("ix_suspended_question_turn", "turn"),
)

PROJECTIONS: Final = sa.Table(
    "agent_projection",
    METADATA,
    sa.Column("thread", sa.Text, nullable=False),
    sa.Column("document", sa.JSON, nullable=False),
    sa.Column("updated", _TIME, nullable=False),
    sa.PrimaryKeyConstraint("thread", name="pk_agent_projection"),
)

ANSWERS: Final = sa.Table(
    "sealed_answer",
    METADATA,
    sa.Column("thread", sa.Text, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("answer", sa.JSON, nullable=False),
    sa.PrimaryKeyConstraint("thread", "question", name="pk_sealed_answer"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a call.

    Attributes:
        begun: When its answer was first acted on; None while nobody has.
        result: What that gave; None while it is not known.
    """

    interrupt: str
    call: ToolCall
    begun: datetime | None = None
    result: Observation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a turn said once all its questions were decided.

    Attributes:
        after: Stands for what the person wrote after the questions; another line is another request.
        entries: Everything said and done, in order.
        asked: The calls it ended with that a person decides on.
    """

    after: str
    entries: tuple[Entry, ...]
    asked: tuple[str, ...] = ()


class StillAnswering(Exception):  # noqa: N818 - it is named for what was found
    """Somebody else is working on this turn's reply at this moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspendedTurn:
    """A turn that waits.

    Attributes:
        model: What it was worked with.
        entries: Everything since the person's line.
        questions: In the order they were asked.
    """

    id: str
    thread: str
    model: str
    entries: tuple[Entry, ...]
    questions: tuple[Asked, ...]


class TurnStore:
    """Keeps suspended turns. Each method is one transaction, in a worker thread.

    Args:
        engine: Reaches the tables.
        now: Tells the time, aware.
    """

    def __init__(self, engine: sa.Engine, *, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._now = now

    async def suspend(self, turn: SuspendedTurn) -> None:
        """Keep a turn, and forget those nobody came back to."""
        await self._do(partial(_suspend, turn=turn, now=self._now().astimezone(UTC)))

    async def find(self, thread: str, interrupts: Sequence[str]) -> SuspendedTurn | None:
        """Give the turn that asked any of these questions, with all its questions.

        When they are of several turns, which no honest client sends, it is the latest.
        """
        return await self._do(partial(_find, thread=clean(thread), interrupts=interrupts))

    async def begin(self, thread: str, interrupt: str) -> bool:
        """Take a question to act on its answer; False for who comes second, whatever became of the first."""
        return await self._do(
            partial(_begin, thread=clean(thread), interrupt=interrupt, now=self._now().astimezone(UTC))
        )

    async def conclude(self, thread: str, interrupt: str, result: Observation) -> None:
        """Keep what acting on an answer gave."""
        await self._do(partial(_conclude, thread=clean(thread), interrupt=interrupt, result=result))

    async def claim(self, turn_id: str, *, patience: timedelta) -> Reply | None:
        """Take a turn whose questions are decided, to say its reply; give that of who was first, if there is one.

        Args:
            turn_id: The turn.
            patience: How long somebody else is believed to be still at work on it.

        Raises:
            StillAnswering: somebody else is.
        """
        now = self._now().astimezone(UTC)
        return await self._do(partial(_claim, turn_id=turn_id, now=now, before=now - patience))

    async def keep_reply(self, turn_id: str, reply: Reply) -> None:
        """Keep what a claimed turn said."""
        await self._do(partial(_set_turn, turn_id=turn_id, values={"reply": _reply_values(reply)}))

    async def release(self, turn_id: str) -> None:
        """Give up a claimed turn without a reply: whoever asks next is answered anew."""
        await self._do(partial(_set_turn, turn_id=turn_id, values={"answering": None}))

    async def _do(self, work: Callable[[sa.Connection], _Result]) -> _Result:
        def transaction() -> _Result:
            with self._engine.begin() as connection:
                return work(connection)

        return await anyio.to_thread.run_sync(transaction)


def _suspend(connection: sa.Connection, *, turn: SuspendedTurn, now: datetime) -> None:
    old = sa.select(TURNS.c.id).where(TURNS.c.created < now - KEPT_FOR)
    connection.execute(sa.delete(QUESTIONS).where(QUESTIONS.c.turn.in_(old)))
    connection.execute(sa.delete(TURNS).where(TURNS.c.created < now - KEPT_FOR))
    thread = clean(turn.thread)
    row = {"id": turn.id, "thread": thread, "model": turn.model, "created": now}
    connection.execute(sa.insert(TURNS).values(**row, entries=dump_entries(turn.entries)))
    asked = [clean(question.interrupt) for question in turn.questions]
    again = sa.delete(QUESTIONS).where(QUESTIONS.c.thread == thread, QUESTIONS.c.interrupt.in_(asked))
    connection.execute(again)  # a branch that was edited away may have asked by the same id
    for position, question in enumerate(turn.questions):
        connection.execute(
            sa.insert(QUESTIONS).values(
                thread=thread,
                interrupt=clean(question.interrupt),
                turn=turn.id,
                position=position,
                call=_call_values(question.call),
            )
        )


def _find(connection: sa.Connection, *, thread: str, interrupts: Sequence[str]) -> SuspendedTurn | None:
    named = QUESTIONS.c.interrupt.in_([clean(interrupt) for interrupt in interrupts])
    asked = sa.select(QUESTIONS.c.turn).where(QUESTIONS.c.thread == thread, named)
    query = sa.select(TURNS).where(TURNS.c.id.in_(asked)).order_by(TURNS.c.created.desc(), TURNS.c.id.desc())
    turn = connection.execute(query.limit(1)).first()
    if turn is None:
        return None
    rows = connection.execute(
        sa.select(QUESTIONS).where(QUESTIONS.c.turn == turn.id).order_by(QUESTIONS.c.position)
    )
    return SuspendedTurn(
        id=turn.id,
        thread=turn.thread,
        model=turn.model,
        entries=tuple(load_entries(turn.entries)),
        questions=tuple(_asked(row) for row in rows),
    )


def _begin(connection: sa.Connection, *, thread: str, interrupt: str, now: datetime) -> bool:
    untouched = sa.update(QUESTIONS).where(*_named(thread, interrupt), QUESTIONS.c.begun.is_(None))
    return connection.execute(untouched.values(begun=now)).rowcount == 1


def _conclude(connection: sa.Connection, *, thread: str, interrupt: str, result: Observation) -> None:
    values: JsonValue = {"text": result.text, "is_error": result.is_error}
    connection.execute(sa.update(QUESTIONS).where(*_named(thread, interrupt)).values(result=values))


def _claim(connection: sa.Connection, *, turn_id: str, now: datetime, before: datetime) -> Reply | None:
    free = sa.or_(TURNS.c.answering.is_(None), TURNS.c.answering < before)
    mine = sa.update(TURNS).where(TURNS.c.id == turn_id, TURNS.c.reply.is_(None), free)
    if connection.execute(mine.values(answering=now)).rowcount == 1:
        return None
    kept = connection.execute(sa.select(TURNS.c.reply).where(TURNS.c.id == turn_id)).scalar()
    if kept is None:
        raise StillAnswering
    return Reply(
        after=kept["after"], entries=tuple(load_entries(kept["entries"])), asked=tuple(kept["asked"])
    )


def _set_turn(connection: sa.Connection, *, turn_id: str, values: Mapping[str, Any]) -> None:
    connection.execute(sa.update(TURNS).where(TURNS.c.id == turn_id).values(**values))


def _reply_values(reply: Reply) -> Mapping[str, JsonValue]:
    return {"after": reply.after, "entries": dump_entries(reply.entries), "asked": list(reply.asked)}


def _named(thread: str, interrupt: str) -> tuple[sa.ColumnElement[bool], ...]:
    return QUESTIONS.c.thread == thread, QUESTIONS.c.interrupt == clean(interrupt)


def _asked(row: Any) -> Asked:
    begun = row.begun
    if begun is not None:
        begun = begun.replace(tzinfo=UTC) if begun.tzinfo is None else begun.astimezone(UTC)
    result = None if row.result is None else Observation(row.result["text"], row.result["is_error"])
    return Asked(row.interrupt, ToolCall(**row.call), begun, result)


def _call_values(call: ToolCall) -> Mapping[str, JsonValue]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}


def clean(text: str) -> str:
    """Replace what no database holds; both sides of a comparison are treated alike."""
    return _UNSTORABLE.sub("\ufffd", text)
