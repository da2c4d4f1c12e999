"""The error tree of the client: ours or theirs is visible in the type.

::

    AguiError
      ConfigError             our caller's mistake, raised when the object is built
      UsageError              a call that would break the protocol; nothing was sent
        ThreadInterrupted       send or run while questions are open
        NotInterrupted          resume on a thread that asked nothing
        UncoveredInterrupts     a resume that leaves questions out
        UnknownInterrupt        a resume that answers a question nobody asked
        DuplicateAnswer         a resume that answers one question twice
        InterruptExpired        a resolved answer to a question past its time
      TransportError          the connection broke
        ConnectFailed · TimedOut · HttpStatus · StreamCut · NotAnEventStream
      ProtocolError           the agent broke the protocol
        BadFrame                bytes that are no event
        BadEvent                an event with a malformed field
        OutOfOrder              an event the rules of order forbid
        Truncated               a stream that ended before its run did
        PatchFailed             a JSON Patch that does not apply
        StateMismatch           state that does not fit the declared type
      AgentRunError           the agent said RUN_ERROR

``kind`` is the stable word for a class of errors: what an application logs or switches on.

>>> def told(error: AguiError) -> str:
...     return f"{error.kind}: {error.message}"
>>> for connection in (ConnectFailed, TimedOut, StreamCut, NotAnEventStream):
...     assert issubclass(connection, TransportError)
...     print(told(connection()))
transport: The agent could not be reached.
transport: The agent took too long to answer.
transport: The connection was cut before the stream was over.
transport: The agent answered with something that is no event stream.
>>> for broken in (BadFrame(), Truncated(), StateMismatch(), OutOfOrder("PV1", "STEP_STARTED", "no run")):
...     assert isinstance(broken, ProtocolError)
...     print(told(broken))
decode: The stream carried bytes that are no AG-UI event.
protocol: The stream ended before the run did.
state: The agent's state does not fit the declared type; the last good value stays.
protocol: no run
>>> for refused in (ThreadInterrupted, NotInterrupted, UnknownInterrupt, DuplicateAnswer, InterruptExpired):
...     assert issubclass(refused, UsageError)
>>> told(AgentRunError("out of credit", "QUOTA"))
'run: out of credit'
"""
# ruff: noqa: N818 - each class reads as the sentence it says; the tree already tells that it is an error

from typing import ClassVar


class AguiError(Exception):
    """Something went wrong between this client and an agent."""

    kind: ClassVar[str] = "agui"

    def __init__(self, message: str = "") -> None:
        super().__init__(message or (type(self).__doc__ or "").partition("\n")[0])

    @property
    def message(self) -> str:
        """The sentence this error says."""
        return str(self.args[0])


class ConfigError(AguiError):
    """The client was set up with a value that cannot work."""

    kind = "config"


class UsageError(AguiError):
    """The call would break the protocol; nothing was sent."""

    kind = "usage"


class ThreadInterrupted(UsageError):
    """The agent waits for answers to its questions; resume is the only way on."""


class NotInterrupted(UsageError):
    """No question is open on this thread, so there is nothing to resume."""


class UncoveredInterrupts(UsageError):
    """Every open question needs an answer in the same request."""

    def __init__(self, message: str = "", *, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.missing = missing


class UnknownInterrupt(UsageError):
    """An answer names a question that is not open."""


class DuplicateAnswer(UsageError):
    """One question was answered twice in the same request."""


class InterruptExpired(UsageError):
    """The question has expired; it can be cancelled but no longer answered."""


class TransportError(AguiError):
    """The connection to the agent broke."""

    kind = "transport"


class ConnectFailed(TransportError):
    """The agent could not be reached."""


class TimedOut(TransportError):
    """The agent took too long to answer."""


class HttpStatus(TransportError):
    """The agent refused the request with an HTTP error; the run never started.

    >>> HttpStatus(503, "restarting", retry_after="10").message
    'The agent answered with HTTP status 503: restarting'
    """

    def __init__(
        self, status: int, excerpt: str = "", *, retry_after: str | None = None, hint: str = ""
    ) -> None:
        said = f": {excerpt}" if excerpt else ""
        advice = f" {hint}" if hint else ""
        super().__init__(f"The agent answered with HTTP status {status}{said}{advice}")
        self.status = status
        self.excerpt = excerpt
        self.retry_after = retry_after


class StreamCut(TransportError):
    """The connection was cut before the stream was over."""


class NotAnEventStream(TransportError):
    """The agent answered with something that is no event stream."""


class ProtocolError(AguiError):
    """The agent broke the protocol."""

    kind = "protocol"


class BadFrame(ProtocolError):
    """The stream carried bytes that are no AG-UI event."""

    kind = "decode"


class BadEvent(ProtocolError):
    """An event carried a malformed field.

    ``path`` is a JSON Pointer into the event, ``event_type`` its type as sent.

    >>> BadEvent("RUN_STARTED", "/runId", "a string is missing").message
    'RUN_STARTED is malformed at /runId: a string is missing'
    """

    kind = "decode"

    def __init__(self, event_type: str, path: str, reason: str) -> None:
        super().__init__(f"{event_type} is malformed at {path or '/'}: {reason}")
        self.event_type = event_type
        self.path = path
        self.reason = reason


class OutOfOrder(ProtocolError):
    """An event arrived where the protocol's order forbids it.

    ``rule`` is the id of the broken rule (``PV1`` … ``PV13``), ``event_type`` the event's type.
    """

    def __init__(self, rule: str, event_type: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule
        self.event_type = event_type


class Truncated(ProtocolError):
    """The stream ended before the run did."""


class PatchFailed(ProtocolError):
    """A JSON Patch does not apply; the document stays as it was.

    ``index`` counts the operation that failed, ``pointer`` is its path.

    >>> PatchFailed("no such member", index=1, op="remove", pointer="/a").message
    'The patch does not apply at operation 1 (remove /a): no such member'
    """

    kind = "patch"

    def __init__(self, reason: str, *, index: int, op: str, pointer: str) -> None:
        super().__init__(f"The patch does not apply at operation {index} ({op} {pointer or '/'}): {reason}")
        self.index = index
        self.op = op
        self.pointer = pointer


class StateMismatch(ProtocolError):
    """The agent's state does not fit the declared type; the last good value stays."""

    kind = "state"


class AgentRunError(AguiError):
    """The agent reported that its run failed."""

    kind = "run"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code
