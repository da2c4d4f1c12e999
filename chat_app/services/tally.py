"""Counting what runs took and how long questions waited, for whatever they are grouped by. Pure."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import ceil

from chat_app.data.oversight import Took, Waited
from chat_app.services.run_details import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """What one day, agent or person came to.

    `untold` are runs whose agent gave no tokens: they are in no sum. `asked` are questions that stopped waiting,
    `decided` those that a person answered; `median` and `p95` are how long these waited, in seconds (None: none did).
    """

    key: str
    name: str
    runs: int
    failed: int
    untold: int
    tokens_in: int
    tokens_out: int
    asked: int
    decided: int
    median: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class Grouping:
    """What runs and questions are counted by: the key of each; `names` are shown, and every one of them is.

    Sums come in the order of `names`, then others as they came.
    """

    of_run: Callable[[Took], str]
    of_question: Callable[[Waited], str]
    names: Mapping[str, str]


@dataclass(slots=True)
class _Tally:
    runs: int = 0
    failed: int = 0
    untold: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    asked: int = 0
    waits: list[float] = field(default_factory=list)

    def add(self, run: Took, told_in: int, told_out: int) -> None:
        self.runs += 1
        self.failed += run.status == "failed"
        self.untold += told_in < 0 and told_out < 0
        self.tokens_in += max(told_in, 0)
        self.tokens_out += max(told_out, 0)

    def wait(self, question: Waited) -> None:
        self.asked += 1
        if question.decided is not None:
            self.waits.append(max((question.decided - question.asked).total_seconds(), 0.0))

    def sums(self, key: str, name: str) -> Sums:
        waits = sorted(self.waits)
        return Sums(
            key=key,
            name=name,
            runs=self.runs,
            failed=self.failed,
            untold=self.untold,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            asked=self.asked,
            decided=len(waits),
            median=share(waits, 0.5),
            p95=share(waits, 0.95),
        )


def share(waits: list[float], part: float) -> float | None:
    """Return what `part` of sorted numbers do not exceed (nearest rank); None of no numbers."""
    return waits[max(ceil(part * len(waits)) - 1, 0)] if waits else None


def by(
    runs: Iterable[Took], questions: Iterable[Waited], groups: Sequence[Grouping]
) -> tuple[tuple[Sums, ...], ...]:
    """Return the sums by each grouping, in one pass over what may be much."""
    tallies = [defaultdict(_Tally, {name: _Tally() for name in group.names}) for group in groups]
    for run in runs:
        told = counted(run.usage, "inputTokens"), counted(run.usage, "outputTokens")
        for group, kept in zip(groups, tallies, strict=True):
            kept[group.of_run(run)].add(run, *told)
    for question in questions:
        for group, kept in zip(groups, tallies, strict=True):
            kept[group.of_question(question)].wait(question)
    return tuple(
        tuple(tally.sums(key, group.names.get(key, key)) for key, tally in kept.items())
        for group, kept in zip(groups, tallies, strict=True)
    )


def days_of(first: date, last: date) -> tuple[str, ...]:
    """Return every day from the first to the last, both included, as ISO 8601."""
    return tuple((first + timedelta(days=number)).isoformat() for number in range((last - first).days + 1))
