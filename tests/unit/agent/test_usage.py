import pytest

from chat_app.agent.turn_events import Usage
from chat_app.agent.usage import Account, UsageLedger, combined

SMALL, BIG = Usage("p", "small", 1, 2), Usage("p", "big", 10, 20)


def test_deltas_of_one_model_add_up():
    assert (SMALL + SMALL).tokens == 6
    assert SMALL.tokens == 3


def test_deltas_of_two_models_do_not():
    with pytest.raises(ValueError, match="small and big"):
        SMALL + BIG
    assert combined([SMALL, BIG, SMALL]) == (Usage("p", "small", 2, 4), BIG)


def test_a_loops_total_holds_those_of_the_loops_inside_it():
    ledger = UsageLedger()
    top = Account(ledger, ("top",))
    top.add(SMALL)
    top.inner("child").add(BIG)
    top.inner("child").inner("grandchild").add(BIG)

    assert top.total() == (SMALL, BIG + BIG)
    assert top.inner("child").total() == (BIG + BIG,)
    assert ledger.tokens() == 63
    assert ledger.total(("other",)) == ()


def test_tokens_of_discarded_turns_are_counted_and_marked():
    ledger = UsageLedger()
    Account(ledger).add(SMALL, discarded=True)
    Account(ledger).add(BIG)

    assert ledger.discarded() == (SMALL,)
    assert ledger.total() == (SMALL, BIG)
    assert [spent.discarded for spent in ledger.entries] == [True, False]
