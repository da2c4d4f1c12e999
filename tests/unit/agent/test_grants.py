import pytest

from chat_app.agent.grants import Grant, permitted


@pytest.mark.parametrize("value", [None, "alpha", {"alpha": 1}, ["alpha", 1], []])
def test_a_grant_that_cannot_be_read_admits_nothing(value):
    assert not Grant.read(value).admits("alpha")


def test_patterns_admit_by_prefix_or_exactly():
    grant = Grant.read(["db.*", "http"])
    assert [grant.admits(name) for name in ("db.query", "db.", "db", "http", "https")] == [
        True,
        True,
        False,
        True,
        False,
    ]


def test_every_grant_must_admit_and_none_admits_all():
    assert permitted([], "anything")
    assert permitted([Grant(("*",)), Grant(("a",))], "a")
    assert not permitted([Grant(("*",)), Grant(("a",))], "b")
