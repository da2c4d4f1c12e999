"""How a question may stand, and every way from one standing to another, as a table.

A question is an interrupt of the agent or a call that a person answers (`ask`); both wait, are answered and end alike.
Each act takes questions from the standings it fits and leaves the others alone, so an act that comes late or twice
changes nothing. When time has passed is told by the clock that is handed in.

    pending ── answer ──▶ answered        expired ── cancel ──▶ cancelled
       ├───── cancel ──▶ cancelled           └─ supersede ──▶ superseded
       ├───── expire ──▶ expired          answered, cancelled ── supersede ──▶ superseded (still owed to the agent)
       ├── supersede ──▶ superseded       withdrawn ── restore ──▶ pending
       └─── withdraw ──▶ withdrawn
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import audit, decisions, interrupts, runs
from chat_app.data.records import DecisionRecord, InterruptRecord, InterruptStatus
from chat_app.services.answers import is_over
from chat_app.services.digest import fingerprint

Act = Literal["answer", "cancel", "expire", "supersede", "withdraw", "restore"]


@dataclass(frozen=True, slots=True)
class Move:
    """From which standings an act takes a question, and to which."""

    sources: frozenset[InterruptStatus]
    target: InterruptStatus


MOVES: Mapping[Act, Move] = {
    "answer": Move(frozenset({"pending"}), "answered"),
    "cancel": Move(frozenset({"pending", "expired"}), "cancelled"),
    "expire": Move(frozenset({"pending"}), "expired"),
    "supersede": Move(frozenset({"pending", "expired", "answered", "cancelled"}), "superseded"),
    "withdraw": Move(frozenset({"pending"}), "withdrawn"),
    "restore": Move(frozenset({"withdrawn"}), "pending"),
}
OPEN: frozenset[InterruptStatus] = frozenset({"pending", "expired"})
"""Standings in which a question of a run that is not sealed can still be acted on by a person."""


def move(session: Session, question_ids: Collection[str], act: Act, *, now: datetime) -> int:
    """Take questions one step on; returns how many stood where `act` fits."""
    step = MOVES[act]
    settled = None if step.target == "pending" else now
    ids = list(question_ids)
    return interrupts.set_status(session, ids, status=step.target, was=step.sources, at=settled) if ids else 0


def seal(session: Session, run_id: str, *, now: datetime) -> bool:
    """Seal the answers of a run when each of its questions has one or is over; True for exactly one caller.

    Call `runs.lock` first. What stood open ends as it was answered; expired questions need no answer and go out
    cancelled (decisions, *answers*).
    """
    if interrupts.undecided(session, run_id, now=now) or not runs.seal(session, run_id, now=now):
        return False
    asked = {question.id: question for question in interrupts.of_run(session, run_id)}
    decided = {answer.interrupt: answer for answer in decisions.of_run(session, run_id)}
    for question in asked.values():
        move(session, [question.id], _ending(question, decided.get(question.id), now), now=now)
    return True


def abandon(
    session: Session, found: Collection[InterruptRecord], *, by: str, now: datetime, new_id: Callable[[], str]
) -> None:
    """Give up open questions for `by` and seal the answers of their runs; a draft of theirs is given up too."""
    for run in dict.fromkeys(question.run for question in found):
        runs.lock(session, run)
    for question in found:
        given_up = DecisionRecord(
            id=new_id(), interrupt=question.id, by=by, kind="cancel", digest=question.args_digest, at=now
        )
        _ = decisions.record(session, given_up) or decisions.revise(session, given_up)
    for run in dict.fromkeys(question.run for question in found):
        seal(session, run, now=now)
    for question in found:
        note(session, question, "cancel", actor=by, at=now)


def _ending(question: InterruptRecord, decision: DecisionRecord | None, now: datetime) -> Act:
    if decision is not None and decision.kind == "cancel":
        # what nobody gave up in time has expired, even where the policy tells the agent at once
        return "expire" if decision.by is None and is_over(question, now) else "cancel"
    return "expire" if decision is None or is_over(question, now) else "answer"


def expire(session: Session, thread_id: str, *, now: datetime) -> tuple[InterruptRecord, ...]:
    """Let the questions of a thread expire whose time is over; returns those."""
    waiting = interrupts.of_thread(session, thread_id, status="pending")
    return _ended(session, [question for question in waiting if is_over(question, now)], "expire", now)


def supersede(session: Session, thread_id: str, *, now: datetime) -> int:
    """End what a thread still asks or owes, because the conversation went on without it; returns how many."""
    owed = [answer.interrupt for answer in decisions.owed(session, thread_id)]
    found = [*interrupts.unsealed(session, thread_id), *_those(session, owed)]
    return _end(session, found, "supersede", now)


def withdraw(session: Session, thread_id: str, *, now: datetime) -> int:
    """End what a thread asks, in every branch, because the thread is deleted; returns how many."""
    return _end(session, interrupts.of_thread(session, thread_id, status="pending"), "withdraw", now)


def restore(session: Session, thread_id: str, *, now: datetime) -> int:
    """Ask again what was withdrawn with its thread; returns how many. What expired meanwhile expires again."""
    return _end(session, interrupts.of_thread(session, thread_id, status="withdrawn"), "restore", now)


def digest_of(question: InterruptRecord, answer: DecisionRecord) -> str | None:
    """Return the digest of the arguments an answer lets happen: the edited ones, or those that were asked about."""
    if answer.kind == "edit":
        return fingerprint(json.dumps(answer.edited_args))
    return question.args_digest


def note(  # noqa: PLR0913 - one row of the record
    session: Session,
    question: InterruptRecord,
    act: str,
    *,
    actor: str | None,
    at: datetime,
    more: Mapping[str, JsonValue] | None = None,
) -> None:
    """Write down an act on a question: ids, the tool's name and digests, never a text or an argument."""
    detail: dict[str, JsonValue] = {
        "thread": question.thread,
        "run": question.run,
        "tool": question.tool_name,
        "digest": question.args_digest,
        **(more or {}),
    }
    written = audit.Act(
        action=f"question.{act}", object=f"interrupt:{question.id}", actor=actor, at=at, detail=detail
    )
    audit.append(session, written)


def _end(session: Session, found: Collection[InterruptRecord], act: Act, now: datetime) -> int:
    return len(_ended(session, found, act, now))


def _ended(
    session: Session, found: Collection[InterruptRecord], act: Act, now: datetime
) -> tuple[InterruptRecord, ...]:
    moved = [question for question in found if move(session, [question.id], act, now=now)]
    for question in moved:
        note(session, question, act, actor=None, at=now)
    return tuple(moved)


def _those(session: Session, ids: Collection[str]) -> list[InterruptRecord]:
    found = (interrupts.get(session, question_id) for question_id in ids)
    return [question for question in found if question is not None]
