import pytest

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
from chat_app.services.run_codes import CODES, code_of


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
    kinds = [kind for kind, _ in CODES]
    for at, kind in enumerate(kinds):
        assert not any(issubclass(later, kind) for later in kinds[at + 1 :])
