"""What is known of one run: when it was under way, how it ended, what it used and what was odd about it."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import JsonValue

from chat_app.agui import CANCELLED
from chat_app.data import runs, threads
from chat_app.data.db import Database
from chat_app.data.records import RunRecord
from chat_app.services.policy import Action, Person, Policy, claimed
from chat_app.services.problems import NotEditable
from chat_app.services.rows import iso


@dataclass(frozen=True, slots=True)
class Used:
    """The tokens of one model. A count the agent never gave is -1, which is not zero."""

    model: str = ""
    provider: str = ""
    tokens_in: int = -1
    tokens_out: int = -1
    reasoning: int = -1
    cached: int = -1


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something the agent did that the protocol does not foresee, by its code, and how often."""

    code: str
    count: int


@dataclass(frozen=True, slots=True)
class Details:
    """The facts of one run. `status` is running, success, interrupted, cancelled or failed; times are ISO 8601.

    `tokens_in` and `tokens_out` are the sums over all models, -1 when the agent gave none.
    """

    run: str = ""
    wire_run: str = ""
    status: str = ""
    started: str = ""
    ended: str = ""
    code: str = ""
    message: str = ""
    tokens_in: int = -1
    tokens_out: int = -1
    used: list[Used] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)


class RunDetails:
    """Tell what is known of runs."""

    def __init__(self, database: Database, policy: Policy) -> None:
        """Read from `database`."""
        self._database = database
        self._policy = policy

    async def of_run(self, person: Person, thread_id: str, run_id: str) -> Details:
        """Return what is known of a run of a thread; without an id, of the last run of the branch shown.

        Raises:
            NotEditable: the thread has no such run.
            Refused: there is no such thread for this person.
        """
        wanted = claimed(run_id) if run_id else ""
        return await asyncio.to_thread(self._of_run, person, claimed(thread_id), wanted)

    def _of_run(self, person: Person, thread_id: str, run_id: str) -> Details:
        with self._database.reading() as session:
            thread = threads.get(session, thread_id)
            self._policy.require(person, Action.READ_THREAD, owner=thread.owner if thread else None)
            run = runs.get(session, run_id) if run_id else runs.last_of(session, thread_id)
        if run is None or run.thread != thread_id:
            raise NotEditable
        return details_of(run)


def details_of(run: RunRecord) -> Details:
    """Return what a run's row says.

    A run that a person stopped ends by an error of that code, and is told as stopped.
    """
    stopped = run.status == "failed" and (run.error_code or "").upper() == CANCELLED
    return Details(
        run=run.id,
        wire_run=run.wire_run_id,
        status="cancelled" if stopped else run.status,
        started=iso(run.started),
        ended=iso(run.ended),
        code="" if stopped else run.error_code or "",
        message="" if stopped else run.error_message or "",
        tokens_in=counted(run.usage, "inputTokens"),
        tokens_out=counted(run.usage, "outputTokens"),
        used=[_used(entry) for entry in _listed(run.usage)],
        oddities=_oddities(run.diagnostics),
    )


def counted(usage: JsonValue, name: str) -> int:
    """Return the sum of one count over the entries a run reported, -1 when none gives it."""
    counts = [count for entry in _listed(usage) if isinstance(count := entry.get(name), int)]
    return sum(counts) if counts else -1


def _used(entry: dict[str, JsonValue]) -> Used:
    def named(name: str) -> str:
        value = entry.get(name)
        return value if isinstance(value, str) else ""

    return Used(
        model=named("model"),
        provider=named("provider"),
        tokens_in=counted([entry], "inputTokens"),
        tokens_out=counted([entry], "outputTokens"),
        reasoning=counted([entry], "reasoningTokens"),
        cached=counted([entry], "cachedInputTokens"),
    )


def _oddities(diagnostics: JsonValue) -> list[Oddity]:
    counts = diagnostics.get("counts") if isinstance(diagnostics, dict) else None
    found = counts.items() if isinstance(counts, dict) else ()
    return [Oddity(code, count) for code, count in sorted(found) if isinstance(count, int)]


def _listed(usage: JsonValue) -> Iterable[dict[str, JsonValue]]:
    return [entry for entry in usage if isinstance(entry, dict)] if isinstance(usage, list) else []
