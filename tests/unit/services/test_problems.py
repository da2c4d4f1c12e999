import pytest
from structlog.testing import capture_logs

from chat_app.agui import (
    CLIENT_ERROR,
    AgentRunError,
    BadFrame,
    ConnectFailed,
    Failed,
    HttpStatus,
    NotAnEventStream,
    OutOfOrder,
    StreamCut,
    ThreadInterrupted,
    TimedOut,
    TransportError,
)
from chat_app.data.errors import DatabaseBusy
from chat_app.services import problems
from chat_app.services.policy import Refused
from chat_app.services.problems import (
    AWAY,
    GONE,
    UNKNOWN,
    ChatError,
    DoesNotFit,
    FileTooLarge,
    code_of,
    problem_of,
)

WORDED = [kind for kind in ChatError.__subclasses__() if kind not in (DoesNotFit, FileTooLarge)]


@pytest.mark.parametrize("kind", [ChatError, *WORDED])
def test_every_error_of_a_use_case_has_words_of_its_own(kind):
    problem = problem_of(kind())
    assert problem.title
    assert problem.title[0].isupper()
    assert not problem.title.endswith(".")
    assert kind is ChatError or problem.detail.endswith(".")


def test_no_two_errors_share_their_words():
    titles = [kind.problem.title for kind in WORDED]
    assert len(set(titles)) == len(titles)


def test_an_answer_that_does_not_fit_says_where():
    problem = problem_of(DoesNotFit("year: 'x' is not of type 'integer'"))
    assert problem.detail == "year: 'x' is not of type 'integer'. Nothing was sent."


@pytest.mark.parametrize(("limit", "size"), [(10_000_000, "10 MB"), (1_500_000, "1.5 MB")])
def test_a_file_that_is_too_large_is_told_how_large_it_may_be(limit: int, size: str):
    assert problem_of(FileTooLarge(limit)).detail == f"At most {size} can be sent."


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


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConnectFailed("x"), "agent_unreachable"),
        (TimedOut("x"), "agent_silent"),
        (HttpStatus(503, "busy"), "agent_failed"),
        (HttpStatus(401, "who"), "agent_refused"),
        (NotAnEventStream("x"), "agent_not_a_stream"),
        (StreamCut("x"), "connection_cut"),
        (TransportError("x"), "connection_failed"),
        (BadFrame("x"), "agent_broke_protocol"),
        (OutOfOrder("PV1", "RUN_STARTED", "again"), "agent_broke_protocol"),
        (ThreadInterrupted("x"), "not_possible_now"),
    ],
)
def test_our_own_trouble_has_a_code_of_its_kind(error, code):
    assert code_of(Failed("r", "m", CLIENT_ERROR, error)) == code


@pytest.mark.parametrize(
    ("code", "error", "shown"),
    [
        ("rate_limit", None, "rate_limit"),
        (None, None, "agent_error"),
        ("", None, "agent_error"),
        ("quota", AgentRunError("m", "quota"), "quota"),
    ],
)
def test_the_agents_own_failure_keeps_its_code(code, error, shown):
    assert code_of(Failed("r", "m", code, error)) == shown


def test_the_narrow_kinds_of_trouble_come_before_the_wide_ones():
    kinds = [kind for kind, _ in problems.CODES]
    for at, kind in enumerate(kinds):
        assert not any(issubclass(later, kind) for later in kinds[at + 1 :])
