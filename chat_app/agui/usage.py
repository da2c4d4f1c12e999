"""Token counts as agents report them: per run, and summed over the thread.

A count nobody gave is unknown, which is not zero: it stays None in a sum until some entry gives it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from ag_ui.core import TokenUsage

from chat_app.agui.events import Event, RunErrorEvent, RunFinishedEvent, RunStartedEvent


@dataclass(frozen=True, slots=True)
class TokenTotals:
    """Sums of token counts. Input and output are totals; the others are parts of them."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None


def sum_usage(entries: Iterable[TokenUsage]) -> TokenTotals:
    """Return the sums over ``entries``.

    >>> sum_usage([TokenUsage(input_tokens=3), TokenUsage(input_tokens=4, output_tokens=0)])
    TokenTotals(input_tokens=7, output_tokens=0, total_tokens=None, reasoning_tokens=None, \
cached_input_tokens=None, cache_write_input_tokens=None)
    """
    given = list(entries)
    return TokenTotals(**{field.name: _sum(given, field.name) for field in fields(TokenTotals)})


def _sum(entries: list[TokenUsage], name: str) -> int | None:
    counts = [count for entry in entries if (count := getattr(entry, name)) is not None]
    return sum(counts) if counts else None


class UsageLedger:
    """What the runs of a thread cost, by run id in order.

    >>> ledger = UsageLedger()
    >>> ledger.apply(RunStartedEvent(thread_id="t", run_id="r"))
    >>> ledger.apply(RunErrorEvent(message="no", usage=[TokenUsage(input_tokens=3)]))
    >>> ledger.run("r")[0].input_tokens, ledger.total.input_tokens
    (3, 3)
    """

    def __init__(self) -> None:
        self._runs: dict[str, tuple[TokenUsage, ...]] = {}
        self._run_id = ""

    def apply(self, event: Event) -> None:
        """Note which run is under way, and what a run says it used when it ends."""
        if isinstance(event, RunStartedEvent):
            self._run_id = event.run_id
        elif isinstance(event, RunFinishedEvent | RunErrorEvent) and event.usage:
            self._runs[self._run_id] = (*self._runs.get(self._run_id, ()), *event.usage)

    def run(self, run_id: str) -> tuple[TokenUsage, ...]:
        """Return the entries a run reported: one per provider and model, as the agent gave them."""
        return self._runs.get(run_id, ())

    @property
    def total(self) -> TokenTotals:
        """The sums over the whole thread."""
        return sum_usage(entry for entries in self._runs.values() for entry in entries)
