"""Sums of what runs took and how long questions waited."""

from datetime import date

import pytest

from chat_app.data.oversight import Took, Waited
from chat_app.services.tally import Grouping, by, days_of, share
from tests.support.records import NOON, SECOND


def took(owner: str = "ada", status: str = "success", **usage: int) -> Took:
    return Took(owner, "a1", NOON, NOON + SECOND, status, [usage] if usage else None)


def waited(seconds: float | None, owner: str = "ada") -> Waited:
    decided = None if seconds is None else NOON + seconds * SECOND
    return Waited(owner, "a1", NOON, decided or NOON + SECOND, decided)


def owners(runs, questions, names):
    (found,) = by(runs, questions, [Grouping(lambda run: run.owner, lambda asked: asked.owner, names)])
    return {one.key: one for one in found}


def test_each_group_has_its_sums_and_those_named_are_there_without_any():
    runs = [took(inputTokens=3, outputTokens=2), took(status="failed"), took("bob", outputTokens=7)]
    found = owners(runs, [waited(4), waited(None), waited(2)], {"cat": "Cat", "ada": "Ada"})
    assert list(found) == ["cat", "ada", "bob"]
    ada, bob, cat = found["ada"], found["bob"], found["cat"]
    assert (ada.name, ada.runs, ada.failed, ada.untold) == ("Ada", 2, 1, 1)
    assert (ada.tokens_in, ada.tokens_out, bob.tokens_in, bob.tokens_out) == (3, 2, 0, 7)
    assert (ada.asked, ada.decided, ada.median, ada.p95) == (3, 2, 2, 4)
    assert (bob.name, cat.runs, cat.asked, cat.median) == ("bob", 0, 0, None)


def test_more_than_one_grouping_is_counted_in_one_pass():
    whole = Grouping(lambda _: "", lambda _: "", {"": ""})
    by_agent = Grouping(lambda run: run.agent, lambda asked: asked.agent, {})
    found = by(iter([took(inputTokens=3), took("bob")]), iter([waited(1)]), [whole, by_agent])
    assert [(one.runs, one.tokens_in, one.asked) for (one,) in found] == [(2, 3, 1), (2, 3, 1)]


def test_a_question_of_somebody_without_runs_is_counted_and_a_clock_that_went_back_is_no_wait():
    found = owners([], [waited(-5, "bob")], {})
    assert (found["bob"].asked, found["bob"].median) == (1, 0)


@pytest.mark.parametrize(
    ("waits", "median", "p95"),
    [([], None, None), ([1.0], 1, 1), ([1.0, 2.0], 1, 2), ([float(n) for n in range(1, 101)], 50, 95)],
)
def test_a_share_is_what_so_many_do_not_exceed(waits, median, p95):
    assert (share(waits, 0.5), share(waits, 0.95)) == (median, p95)


def test_every_day_is_there():
    assert days_of(date(2026, 2, 27), date(2026, 3, 1)) == ("2026-02-27", "2026-02-28", "2026-03-01")
