"""What was used in a stretch of days: by day, by agent and by person, as sums and as a file."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal, get_args

from chat_app.data import agents, oversight, users
from chat_app.data.db import Database
from chat_app.data.oversight import Took, Waited
from chat_app.services.policy import Action, Person, Policy
from chat_app.services.tally import Grouping, Sums, by, days_of
from chat_app.services.thread_filters import day
from chat_app.services.trail import row

__all__ = ["GROUPS", "Group", "Report", "Sums", "Usage"]

DAYS: Final = 30
"""How many days are shown unless others are asked for."""
MOST: Final = 366
Group = Literal["day", "agent", "person"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
COLUMNS: Final = (
    "runs",
    "failed",
    "untold",
    "tokens_in",
    "tokens_out",
    "asked",
    "decided",
    "median",
    "p95",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was used from the day `since` to the day `until`, both included (ISO 8601, UTC).

    Days are all there, agents and people that used nothing are not. `wrong` says that the days that were asked for
    are none, or too many, and that the usual ones are shown.
    """

    since: str
    until: str
    total: Sums
    days: tuple[Sums, ...]
    agents: tuple[Sums, ...]
    people: tuple[Sums, ...]
    wrong: bool = False

    def of(self, group: Group) -> tuple[Sums, ...]:
        """Return the sums by one of the groups."""
        return {"day": self.days, "agent": self.agents, "person": self.people}[group]


class Usage:
    """Count what was used."""

    def __init__(self, database: Database, policy: Policy, *, now: Callable[[], datetime]) -> None:
        """Read from `database`."""
        self._database = database
        self._policy = policy
        self._now = now

    async def report(self, person: Person, since: str = "", until: str = "") -> Report:
        """Return what was used in these days; the last `DAYS` days when none are given.

        Raises:
            Refused: the person does not see what was used.
        """
        self._policy.require(person, Action.SEE_USAGE)
        return await asyncio.to_thread(self._report, since, until)

    async def file(self, person: Person, group: Group, since: str = "", until: str = "") -> Iterator[str]:
        """Return the same as lines of CSV, one for each of a group.

        Raises:
            Refused: the person does not see what was used.
        """
        return lines((await self.report(person, since, until)).of(group), group)

    def _report(self, since: str, until: str) -> Report:
        first, last, wrong = _days(since, until, self._now().date())
        during = {
            "since": day(first.isoformat()),
            "until": day(last.isoformat()) + timedelta(days=1),
        }
        with self._database.reading() as session:
            runs, questions = oversight.took(session, **during), oversight.waited(session, **during)
            agent_names = {one.id: one.name for one in agents.every(session)}
            people_names = {one.id: one.display_name for one in users.every(session)}
        groups = (
            Grouping(lambda _: "", lambda _: "", {"": ""}),
            Grouping(_day_of_run, _day_of_question, {one: one for one in days_of(first, last)}),
            Grouping(_agent, _agent, agent_names),
            Grouping(_owner, _owner, people_names),
        )
        (total,), by_day, by_agent, by_person = by(runs, questions, groups)
        return Report(
            since=first.isoformat(),
            until=last.isoformat(),
            total=total,
            days=by_day,
            agents=_busy(by_agent),
            people=_busy(by_person),
            wrong=wrong,
        )


def lines(sums: Sequence[Sums], group: Group) -> Iterator[str]:
    """Yield sums as lines of CSV below the names of the columns; times in seconds, nothing where nobody waited."""
    yield row((group, "name", *COLUMNS))
    for one in sums:
        values = (getattr(one, name) for name in COLUMNS)
        yield row((one.key, one.name, *("" if value is None else str(value) for value in values)))


def _days(since: str, until: str, today: date) -> tuple[date, date, bool]:
    """Return the first and the last day, and whether what was asked for could not be had."""
    try:
        last = day(until).date() if until else today
        first = day(since).date() if since else last - timedelta(days=DAYS - 1)
    except (ValueError, OverflowError):
        return today - timedelta(days=DAYS - 1), today, True
    if not 0 <= (last - first).days < MOST or last.year > today.year + 1:
        return today - timedelta(days=DAYS - 1), today, True
    return first, last, False


def _busy(sums: Sequence[Sums]) -> tuple[Sums, ...]:
    """Return those that used something, what had most runs first."""
    return tuple(
        sorted((one for one in sums if one.runs or one.asked), key=lambda one: (-one.runs, one.name))
    )


def _day_of_run(run: Took) -> str:
    return run.started.date().isoformat()


def _day_of_question(question: Waited) -> str:
    return question.settled.date().isoformat()


def _agent(one: Took | Waited) -> str:
    return one.agent


def _owner(one: Took | Waited) -> str:
    return one.owner
