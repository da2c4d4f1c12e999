import pytest

from chat_app.services.problems import TooFast
from chat_app.services.rates import Rates


def test_what_is_not_limited_is_not_counted():
    for rates in (Rates(), Rates({"run": "", "decision": "1 per hour"})):
        for _ in range(5):
            rates.hit("run", "ada")
        assert rates.left("run", "ada") is None
        rates.forget("run", "ada")


def test_one_attempt_too_many_is_refused_and_says_for_how_long():
    rates = Rates({"sign_in": "3 per hour"})
    for left in (2, 1, 0):
        rates.hit("sign_in", "ada", "10.0.0.1")
        assert rates.left("sign_in", "ada", "10.0.0.1") == left
    with pytest.raises(TooFast) as refused:
        rates.hit("sign_in", "ada", "10.0.0.1")
    assert 3500 < refused.value.seconds <= 3600


def test_each_person_and_kind_is_counted_alone():
    rates = Rates({"sign_in": "1 per hour", "run": "1 per hour"})
    rates.hit("sign_in", "ada")
    rates.hit("sign_in", "bob")
    rates.hit("run", "ada")
    with pytest.raises(TooFast):
        rates.hit("run", "ada")


def test_what_went_well_is_counted_anew():
    rates = Rates({"sign_in": "1 per hour"})
    rates.hit("sign_in", "ada")
    rates.forget("sign_in", "ada")
    rates.hit("sign_in", "ada")
