import pytest
from structlog.testing import capture_logs

from chat_app.data.errors import DatabaseBusy
from chat_app.services.policy import Refused
from chat_app.services.problems import (
    AWAY,
    DONE,
    GONE,
    UNKNOWN,
    BadNotice,
    ChatError,
    DoesNotFit,
    FileTooLarge,
    InHand,
    Late,
    TooFast,
    kinds,
    problem_of,
)

KINDS = tuple(kinds())


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_of_a_use_case_has_words_of_its_own(kind):
    problem = kind.problem
    assert problem.title
    assert problem.title[0].isupper()
    assert not problem.title.endswith(".")
    assert kind is ChatError or problem.detail.endswith(".")
    assert all(detail.endswith(".") for detail in kind.details)


def test_no_two_errors_share_their_words():
    titles = [kind.problem.title for kind in KINDS]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (BadNotice, FileTooLarge)])
def test_what_is_raised_without_more_says_what_its_kind_says(kind):
    assert problem_of(kind()) == kind.problem


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Late("Eve", "edit"), "Eve approved it with changes first. Your click changed nothing."),
        (Late("{count}", "sign"), "{count} decided first. Your click changed nothing."),
        (InHand("Carla"), "Carla has it. You can still decide it."),
        (TooFast(12), "Try again in 12 s. Your text is kept."),
        (FileTooLarge(10_000_000), "At most 10 MB can be sent."),
        (FileTooLarge(1_500_000), "At most 1.5 MB can be sent."),
        (
            DoesNotFit("year: 'x' is not of type 'integer'"),
            "year: 'x' is not of type 'integer'. Nothing was sent.",
        ),
    ],
)
def test_what_an_error_knows_is_in_its_words(error, told):
    problem = problem_of(error)
    assert problem.told == told
    assert problem.title == type(error).problem.title
    assert problem.detail in type(error).details


def test_who_decided_is_told_for_every_way_to_decide():
    assert set(DONE) == {"approve", "edit", "reject", "respond", "cancel"}


def test_what_is_refused_is_not_there():
    assert problem_of(Refused()) == GONE


def test_database_trouble_is_logged_and_shown_without_its_place():
    with capture_logs() as logs:
        assert problem_of(DatabaseBusy("sqlite:////srv/secret.db is held")) == AWAY
    assert logs[0]["reason"] == "sqlite:////srv/secret.db is held"
    assert "secret" not in AWAY.detail


def test_what_has_no_words_is_logged_with_its_cause_and_called_unknown():
    error = LookupError("inner secret")
    with capture_logs() as logs:
        assert problem_of(error) == UNKNOWN
    assert logs[0]["exc_info"] is error
    assert "secret" not in UNKNOWN.title + UNKNOWN.detail
