"""Answers to questions: one per question, changeable by its author until the run is sealed, then never.

A sealed answer is *owed* while no run has delivered it: the run that carried it is missing or failed. A person
retries; nothing here sends.
"""

from collections.abc import Sequence

from sqlalchemy import Select, delete, or_, select, update
from sqlalchemy.orm import Session

from chat_app.data import branches, sql
from chat_app.data.records import DecisionRecord
from chat_app.data.tables import Decision, Interrupt, Run, table_of

decision = table_of(Decision)
interrupt = table_of(Interrupt)
run = table_of(Run)
_all = select(*sql.columns_of(DecisionRecord, decision))
_with_questions = _all.join(interrupt, interrupt.c.id == decision.c.interrupt)


def record(session: Session, answer: DecisionRecord) -> bool:
    """Store an answer; False when the question has one, waits no longer, or its run is sealed."""
    return _is_open(session, answer.interrupt) and sql.add_unless(session, decision, answer)


def revise(session: Session, answer: DecisionRecord) -> bool:
    """Replace an author's own answer to a question; False when there is none or it is sealed."""
    if not _is_open(session, answer.interrupt):
        return False
    values = sql.values_of(answer)
    del values["id"]
    mine = decision.c.interrupt == answer.interrupt, decision.c.by == answer.by
    return sql.changed(session, update(decision).where(*mine).values(values)) == 1


def withdraw(session: Session, interrupt_id: str) -> bool:
    """Take back the answer to a question; False when there is none or it is sealed."""
    if not _is_open(session, interrupt_id):
        return False
    return sql.changed(session, delete(decision).where(decision.c.interrupt == interrupt_id)) == 1


def of_run(session: Session, run_id: str) -> tuple[DecisionRecord, ...]:
    """Return the answers to the questions of a run, in the order of the questions."""
    return _in_order(session, _with_questions.where(interrupt.c.run == run_id))


def of_interrupts(session: Session, interrupt_ids: Sequence[str]) -> tuple[DecisionRecord, ...]:
    """Return the answers these questions have, in the order of the questions."""
    return _in_order(session, _with_questions.where(decision.c.interrupt.in_(interrupt_ids)))


def owed(session: Session, thread: str) -> tuple[DecisionRecord, ...]:
    """Return the sealed answers of the branch shown that no run is known to have delivered, as they were asked.

    An answer whose run is alive is on its way, not owed. A question that was superseded or withdrawn
    waits no longer.
    """
    asking, carrying = run.alias("asking"), run.alias("carrying")
    on_path = branches.on(branches.path(session, thread), asking.c.branch, interrupt.c.position)
    undelivered = (
        _with_questions.join(asking, asking.c.id == interrupt.c.run)
        .outerjoin(carrying, carrying.c.id == decision.c.resume_run)
        .where(
            interrupt.c.thread == thread,
            on_path,
            interrupt.c.status.not_in(("superseded", "withdrawn")),
            asking.c.sealed_at.is_not(None),
            or_(carrying.c.id.is_(None), carrying.c.status == "failed"),
        )
    )
    return _in_order(session, undelivered)


def carried(session: Session, run_id: str) -> tuple[DecisionRecord, ...]:
    """Return the answers a run carries to its agent, in the order of the questions."""
    return _in_order(session, _with_questions.where(decision.c.resume_run == run_id))


def set_resume_run(session: Session, decision_ids: Sequence[str], *, resume_run: str) -> int:
    """Note which run carries these answers now; return how many were noted."""
    return sql.changed(
        session, update(decision).where(decision.c.id.in_(decision_ids)).values(resume_run=resume_run)
    )


def _is_open(session: Session, interrupt_id: str) -> bool:
    """Say whether a question takes answers, and keep its run from being sealed until the transaction ends."""
    asking = (
        select(run.c.id)
        .join(interrupt, interrupt.c.run == run.c.id)
        .where(
            interrupt.c.id == interrupt_id,
            interrupt.c.status.in_(("pending", "expired")),
            run.c.sealed_at.is_(None),
        )
        .with_for_update(of=run)
    )
    return session.execute(asking).one_or_none() is not None


def _in_order(session: Session, answers: Select[tuple[object, ...]]) -> tuple[DecisionRecord, ...]:
    return sql.many(session, DecisionRecord, answers.order_by(interrupt.c.position, interrupt.c.id))


def by_user(session: Session, user_id: str) -> tuple[DecisionRecord, ...]:
    """Return every answer a person gave, oldest first."""
    return sql.many(session, DecisionRecord, _all.where(decision.c.by == user_id).order_by(decision.c.id))
