"""Reads a thread from SQL as the page shows it: the newest rows, or a page of older ones."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from chat_app.data import (
    decisions,
    endorsements,
    exchanges,
    interrupts,
    messages,
    queued_sends,
    runs,
    threads,
)
from chat_app.data.messages import MessagePage
from chat_app.data.records import DecisionRecord, ExchangeRecord, InterruptRecord, MessageRecord
from chat_app.services.opinions import with_opinions
from chat_app.services.panels import Held
from chat_app.services.policy import Policy
from chat_app.services.projection import (
    Context,
    Question,
    Yes,
    approval_row,
    by_call,
    in_batches,
    message_row,
    note_row,
    with_heads,
)
from chat_app.services.rows import Queued, Row, Run, View, iso
from chat_app.services.talking import is_open
from chat_app.services.two_people import name_of
from chat_app.services.versions import read_held
from chat_app.services.viewing import openings
from chat_app.services.ways import with_ways

PAGE = 50
LONG_PAGE = 1000
NEAR = 10
"""Rows that come before one that was jumped to."""


def read_view(session: Session, thread_id: str) -> View:
    """Return the newest rows of a thread and how it stands."""
    live = exchanges.live_of(session, thread_id)
    page = messages.newest(session, thread_id, limit=PAGE)
    rows = _rows(session, thread_id, page, live, before=None)
    thread = threads.get(session, thread_id)
    held = read_held(session, thread) if thread is not None else Held()
    branch = thread.branch if thread is not None else 0
    return View(rows, page.older, read_run(session, thread_id, live), held, branch)


def read_page(session: Session, thread_id: str, before: int, *, until: int | None = None) -> View:
    """Return the rows just before position `before`, oldest first, and whether there are still older ones.

    Where a reader wants to go back to position `until`, there are as many as that takes, up to `LONG_PAGE`.
    """
    live = exchanges.live_of(session, thread_id)
    limit = (
        PAGE if until is None else min(LONG_PAGE, messages.between(session, thread_id, until, before) + NEAR)
    )
    page = messages.newest(session, thread_id, limit=limit, before=before)
    return View(_rows(session, thread_id, page, live, before=before), page.older)


def read_run(session: Session, thread_id: str, live: ExchangeRecord | None) -> Run:
    """Return how the thread stands now, and what waits to be sent in it."""
    queued = read_queue(session, thread_id)
    viewed = openings(session, thread_id)
    if live is not None:
        running = runs.running_of(session, live.id)
        status = "stopping" if live.stop_requested_at else "running"
        run_id = running[-1].id if running else ""
        return Run(status, run_id, iso(live.started), queued=queued, viewed=viewed)
    waits = bool(interrupts.unsealed(session, thread_id))
    return Run("waiting" if waits else "idle", queued=queued, viewed=viewed)


def read_queue(session: Session, thread_id: str) -> list[Queued]:
    """Return the lines that wait to be sent in a thread, the next one first."""
    lines = queued_sends.of_thread(session, thread_id)
    thread = threads.get(session, thread_id) if lines else None
    if thread is None:
        return []
    shut = {
        by: not is_open(session, Policy(), agent=thread.agent, to=by) for by in {line.by for line in lines}
    }
    return [Queued(line.id, line.text, iso(line.created), line.urgent, shut[line.by]) for line in lines]


def read_context(
    session: Session, thread_id: str, shown: Sequence[MessageRecord], *, live_run: str | None
) -> Context:
    """Return what the status of the calls of `shown` messages depends on; they are consecutive, oldest first."""
    first = shown[0].position if shown else 0
    named = {message.run for message in shown if message.run is not None}
    return Context(
        questions=by_call(read_questions(session, thread_id, first=first)),
        runs={run.id: run for run in runs.some(session, named)},
        live_run=live_run,
    )


def read_questions(
    session: Session, thread_id: str, *, first: int, before: int | None = None
) -> list[Question]:
    """Return the questions shown from position `first` on, each with its decision, oldest first."""
    asked = interrupts.placed(session, thread_id, first=first, before=before)
    decided = {answer.interrupt: answer for answer in decisions.of_interrupts(session, [q.id for q in asked])}
    owed = {answer.id for answer in decisions.owed(session, thread_id)}
    names = {by: name_of(session, by) for by in {answer.by for answer in decided.values()}}
    holding = {question.id for question in interrupts.unsealed(session, thread_id)}
    carriers = {answer.resume_run for answer in decided.values() if answer.resume_run is not None}
    carrying = {run.id: run for run in runs.some(session, carriers)}
    found = [
        replace(_question(one, decided.get(one.id), names, owed), holds=one.id in holding) for one in asked
    ]
    said = _endorsed(session, [one.interrupt.id for one in found if one.holds and one.decision is None])
    found = [replace(one, endorsed=said.get(one.interrupt.id, ())) for one in found]
    return in_batches([replace(one, carrier=carrying.get(_carrier(one))) for one in found])


def read_question(session: Session, asked: InterruptRecord) -> Question:
    """Return one question with its decision, in its batch where its thread shows it."""
    batch = interrupts.of_run(session, asked.run)
    first, last = batch[0].position, batch[-1].position
    shown = read_questions(session, asked.thread, first=first, before=last + 1)
    found = next((one for one in shown if one.interrupt.id == asked.id), None)
    if found is not None:
        return found
    (decided,) = decisions.of_interrupts(session, [asked.id]) or (None,)
    name = name_of(session, decided.by) if decided is not None else ""
    return Question(asked, decided, name)


def _endorsed(session: Session, question_ids: list[str]) -> dict[str, tuple[Yes, ...]]:
    said: dict[str, tuple[Yes, ...]] = {}
    for one in endorsements.of_interrupts(session, question_ids):
        said[one.interrupt] = (*said.get(one.interrupt, ()), Yes(name_of(session, one.by), one.at))
    return said


def _rows(
    session: Session, thread_id: str, page: MessagePage, live: ExchangeRecord | None, *, before: int | None
) -> list[Row]:
    # a thread whose oldest message is shown also shows what came before it
    first = page.messages[0].position if page.older else 0
    running = runs.running_of(session, live.id) if live is not None else ()
    context = read_context(session, thread_id, page.messages, live_run=running[-1].id if running else None)
    newest = runs.last_of(session, thread_id) if live is None else None
    asked = read_questions(session, thread_id, first=first, before=before)
    noted = runs.noted(session, thread_id, first=first, before=before)
    rows = [
        *(message_row(message, context) for message in page.messages),
        *map(approval_row, asked),
        *(note_row(run, newest=newest is not None and run.id == newest.id) for run in noted),
    ]
    rows = with_ways(session, thread_id, sorted(rows, key=lambda row: (row.position, row.key)))
    return with_heads(with_opinions(session, thread_id, rows))


def _question(
    asked: InterruptRecord, decision: DecisionRecord | None, names: dict[str | None, str], owed: set[str]
) -> Question:
    if decision is None:
        return Question(asked)
    return Question(asked, decision, names.get(decision.by, ""), decision.id in owed)


def _carrier(question: Question) -> str:
    return (question.decision.resume_run or "") if question.decision is not None else ""
