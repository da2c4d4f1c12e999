import pytest

from chat_app.agent.budget import Budget
from chat_app.agent.outcome import Status
from tests.support.agent_parts import Ticker


def test_a_deadline_that_passed_comes_before_the_other_bounds():
    clock = Ticker()
    meter = Budget(max_steps=0, max_tokens=0, seconds=5).open(clock)
    assert meter.exceeded() is Status.EXHAUSTED_STEPS
    clock.now = 5
    assert meter.exceeded() is Status.DEADLINE


def test_steps_come_before_tokens():
    meter = Budget(max_steps=1, max_tokens=10).open(Ticker())
    assert meter.exceeded() is None
    meter.count(10)
    assert meter.exceeded() is Status.EXHAUSTED_STEPS


def test_tokens_of_nested_loops_count():
    meter = Budget(max_steps=9, max_tokens=10).open(Ticker())
    meter.charge(10)
    assert meter.exceeded() is Status.EXHAUSTED_TOKENS


@pytest.mark.parametrize(("seconds", "left"), [(10, 7), (None, None), (2, 0)])
def test_what_is_left_is_never_below_zero(seconds, left):
    clock = Ticker()
    meter = Budget(max_steps=1, max_tokens=10, seconds=seconds).open(clock)
    meter.count(12)
    meter.count(1)
    clock.now = 3
    assert meter.remaining() == Budget(max_steps=0, max_tokens=0, seconds=left)


def test_a_narrowed_budget_is_the_tighter_one_bound_by_bound():
    wide, long = Budget(max_steps=9, max_tokens=1), Budget(max_steps=1, max_tokens=9, seconds=4)
    assert wide.narrowed(long) == Budget(max_steps=1, max_tokens=1, seconds=4)
    assert wide.narrowed(wide) == wide
