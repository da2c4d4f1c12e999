import pytest

from chat_app.agent.runner import Swap, SwapPolicy
from chat_app.agent.switchboard import NotAtWork, Switchboard, UnknownModel

KEEP = SwapPolicy.FINISH_ON_OLD


class Runner:
    def __init__(self):
        self.swaps = []

    def swap(self, swap):
        self.swaps.append(swap)


def test_a_turn_under_way_gets_the_swap():
    board, runner = Switchboard(["a", "b"]), Runner()
    with board.under_way("t", runner):
        board.swap("t", "b", policy=SwapPolicy.RESTART_TURN)
    assert runner.swaps == [Swap(model="b", policy=SwapPolicy.RESTART_TURN)]


def test_nobody_is_at_work_before_and_after():
    board = Switchboard(["a"])
    with board.under_way("t", Runner()), pytest.raises(NotAtWork):
        board.swap("other", "a", policy=KEEP)
    with pytest.raises(NotAtWork):
        board.swap("t", "a", policy=KEEP)


def test_of_two_turns_of_a_thread_the_later_one_is_reached_and_stays():
    board, first, second = Switchboard(["a"]), Runner(), Runner()
    outer = board.under_way("t", first)
    outer.__enter__()
    with board.under_way("t", second):
        outer.__exit__(None, None, None)
        board.swap("t", "a", policy=KEEP)
    assert (len(first.swaps), len(second.swaps)) == (0, 1)


@pytest.mark.parametrize(
    ("models", "words"), [((), "on offer is no other"), (("a", "b"), "on offer is a, b")]
)
def test_a_model_nobody_offers_is_refused_with_the_choice(models, words):
    with pytest.raises(UnknownModel, match=words):
        Switchboard(models).swap("t", "x", policy=KEEP)
