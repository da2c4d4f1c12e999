from ag_ui.core import TokenUsage

from chat_app.agui.usage import TokenTotals, UsageLedger, sum_usage
from tests.support.wire import failed, finished, started, text


def test_a_count_nobody_gave_stays_unknown() -> None:
    totals = sum_usage([TokenUsage(input_tokens=0), TokenUsage(output_tokens=2)])
    assert totals == TokenTotals(input_tokens=0, output_tokens=2)


def test_runs_are_kept_apart_and_summed_over_the_thread() -> None:
    ledger = UsageLedger()
    entries = [
        started("r1"),
        *text("m", "x"),
        finished("r1", usage=[{"model": "a", "inputTokens": 3}, {"model": "b", "inputTokens": 4}]),
        started("r2"),
        failed(usage=[{"outputTokens": 5}]),
        started("r3"),
        finished("r3"),
    ]
    for entry in entries:
        ledger.apply(entry)
    assert [usage.input_tokens for usage in ledger.run("r1")] == [3, 4]
    assert ledger.run("r3") == ()
    assert ledger.total == TokenTotals(input_tokens=7, output_tokens=5)


def test_a_late_error_adds_to_the_run_before_it() -> None:
    ledger = UsageLedger()
    for entry in [
        started("r1"),
        finished("r1", usage=[{"inputTokens": 1}]),
        failed(usage=[{"inputTokens": 2}]),
    ]:
        ledger.apply(entry)
    assert ledger.total.input_tokens == 3
