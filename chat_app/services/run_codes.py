"""The codes a note row carries: each names the kind of a run's end for the page, which words it for the person."""

from chat_app.agui import (
    AguiError,
    ConnectFailed,
    Failed,
    HttpStatus,
    NotAnEventStream,
    ProtocolError,
    StreamCut,
    TimedOut,
    TransportError,
    Truncated,
    UsageError,
)

# the first class that fits names the code
CODES: tuple[tuple[type[AguiError], str], ...] = (
    (ConnectFailed, "agent_unreachable"),
    (TimedOut, "agent_silent"),
    (HttpStatus, "agent_refused"),
    (NotAnEventStream, "agent_not_a_stream"),
    (StreamCut, "connection_cut"),
    (TransportError, "connection_failed"),
    (Truncated, "answer_cut_short"),
    (ProtocolError, "agent_broke_protocol"),
    (UsageError, "not_possible_now"),
)

INTERNAL = "INTERNAL"
"""The code of a run that ended by a fault of ours."""

AGENT_FAILED = "agent_failed"
SERVER_ERROR = 500

RUN_PROBLEMS = (*(code for _, code in CODES), AGENT_FAILED, INTERNAL)
"""Every code of our own that a note may carry, besides the two ways a run is ended on purpose."""


def code_of(end: Failed) -> str:
    """Return the code of a failed run for the page: the kind of our own trouble, else the agent's code."""
    if isinstance(end.error, HttpStatus) and end.error.status >= SERVER_ERROR:
        return AGENT_FAILED
    for kind, code in CODES:
        if isinstance(end.error, kind):
            return code
    return end.code or "agent_error"
