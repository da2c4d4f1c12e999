"""The AG-UI client: runs an agent over a transport and folds what it says into a conversation.

This is the only door: everything an application needs is imported from here. The package knows
nothing of pages, databases or settings.

A whole run, on a transport that plays a script. For a real agent, ``HttpTransport(url)``:

>>> import asyncio
>>> agent = ReplayTransport(
...     [
...         {"type": "RUN_STARTED", "threadId": "t", "runId": "t-run-1"},
...         {"type": "TEXT_MESSAGE_START", "messageId": "a", "role": "assistant"},
...         {"type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": "Hel"},
...         {"type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": "lo"},
...         {"type": "TEXT_MESSAGE_END", "messageId": "a"},
...         {"type": "RUN_FINISHED", "threadId": "t", "runId": "t-run-1"},
...     ]
... )
>>> session = Session(agent, "t")
>>> async def say(line):
...     async with session.send(line) as updates:
...         async for update in updates:
...             match update:
...                 case TextAdded(delta=delta):
...                     print(repr(delta))
...                 case Done(end=end):
...                     return end
>>> asyncio.run(say("Hi"))
'Hel'
'lo'
Success(run_id='t-run-1', result=None, pending=())
>>> [(row.role, row.parts[0].text) for row in session.transcript.messages]
[('user', 'Hi'), ('assistant', 'Hello')]

Who does not need the updates awaits the exchange for its end: ``end = await session.send("Hi")``. Whatever
goes wrong on the way is such an end, not an exception; only what would break the protocol raises, and
then nothing was sent. Cancelling whoever waits stops the run.
"""

from chat_app.agui.capabilities import read_capabilities
from chat_app.agui.driver import CANCELLED_MESSAGE
from chat_app.agui.errors import (
    AgentRunError,
    AguiError,
    BadEvent,
    BadFrame,
    ConfigError,
    ConnectFailed,
    DuplicateAnswer,
    HttpStatus,
    InterruptExpired,
    NotAnEventStream,
    NotInterrupted,
    OutOfOrder,
    PatchFailed,
    ProtocolError,
    StateMismatch,
    StreamCut,
    ThreadInterrupted,
    TimedOut,
    TransportError,
    Truncated,
    UncoveredInterrupts,
    UnknownInterrupt,
    UsageError,
)
from chat_app.agui.events import (
    Event,
    Interrupt,
    LocalMessage,
    LogEntry,
    Message,
    ResumeEntry,
    ToolMessage,
    UserMessage,
    dump_event,
    parse_stored,
)
from chat_app.agui.exchange import Exchange
from chat_app.agui.history import Applier
from chat_app.agui.interrupts import (
    Actions,
    ResumeBuilder,
    actions_of,
    check_answers,
    expires_at,
    is_expired,
    misfit,
)
from chat_app.agui.order import Mode
from chat_app.agui.profiles import CURRENT, LEGACY, PROFILES, TOLERANT, Profile, profile_named
from chat_app.agui.recording import (
    RecordedTransport,
    Recorder,
    Recording,
    read_recordings,
    write_recordings,
)
from chat_app.agui.remote import RemoteAgent
from chat_app.agui.requests import RunParams
from chat_app.agui.session import TOO_MANY_FOLLOW_UPS, Session
from chat_app.agui.stored import parse_message
from chat_app.agui.subagents import Subagent
from chat_app.agui.tools import AnyArguments, AskTool, FrontendTool, RunTool, ToolContext
from chat_app.agui.transcript import (
    ActivityPart,
    CustomsPart,
    FilePart,
    LanePart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
    Transcript,
    TranscriptReducer,
    UiMessage,
)
from chat_app.agui.transport import (
    Frame,
    HttpTransport,
    InProcessTransport,
    ReplayTransport,
    Transport,
    trusted,
)
from chat_app.agui.updates import (
    CANCELLED,
    CLIENT_ERROR,
    ActivityChanged,
    Appended,
    ArgumentsAdded,
    CallEnded,
    CallStarted,
    Cancelled,
    Diagnostic,
    Done,
    EncryptedValueStored,
    Failed,
    Idle,
    Interrupted,
    InterruptRaised,
    MessageEnded,
    MessagesReplaced,
    MessageStarted,
    ReasoningAdded,
    ReasoningEnded,
    ReasoningStarted,
    Removed,
    ResultArrived,
    RowChange,
    RunEnd,
    RunEnded,
    Running,
    RunState,
    StateChanged,
    SubagentChanged,
    SubagentStatus,
    Success,
    TextAdded,
    Touched,
    Trouble,
    Update,
)
from chat_app.agui.usage import TokenTotals, UsageLedger, sum_usage
from chat_app.agui.view import SessionView

__all__ = [
    "CANCELLED",
    "CANCELLED_MESSAGE",
    "CLIENT_ERROR",
    "CURRENT",
    "LEGACY",
    "PROFILES",
    "TOLERANT",
    "TOO_MANY_FOLLOW_UPS",
    "Actions",
    "ActivityChanged",
    "ActivityPart",
    "AgentRunError",
    "AguiError",
    "AnyArguments",
    "Appended",
    "Applier",
    "ArgumentsAdded",
    "AskTool",
    "BadEvent",
    "BadFrame",
    "CallEnded",
    "CallStarted",
    "Cancelled",
    "ConfigError",
    "ConnectFailed",
    "CustomsPart",
    "Diagnostic",
    "Done",
    "DuplicateAnswer",
    "EncryptedValueStored",
    "Event",
    "Exchange",
    "Failed",
    "FilePart",
    "Frame",
    "FrontendTool",
    "HttpStatus",
    "HttpTransport",
    "Idle",
    "InProcessTransport",
    "Interrupt",
    "InterruptExpired",
    "InterruptRaised",
    "Interrupted",
    "LanePart",
    "LocalMessage",
    "LogEntry",
    "Message",
    "MessageEnded",
    "MessageStarted",
    "MessagesReplaced",
    "Mode",
    "NotAnEventStream",
    "NotInterrupted",
    "OutOfOrder",
    "Part",
    "PatchFailed",
    "Profile",
    "ProtocolError",
    "ReasoningAdded",
    "ReasoningEnded",
    "ReasoningPart",
    "ReasoningStarted",
    "RecordedTransport",
    "Recorder",
    "Recording",
    "RemoteAgent",
    "Removed",
    "ReplayTransport",
    "ResultArrived",
    "ResumeBuilder",
    "ResumeEntry",
    "RowChange",
    "RunEnd",
    "RunEnded",
    "RunParams",
    "RunState",
    "RunTool",
    "Running",
    "Session",
    "SessionView",
    "StateChanged",
    "StateMismatch",
    "StreamCut",
    "Subagent",
    "SubagentChanged",
    "SubagentStatus",
    "Success",
    "TextAdded",
    "TextPart",
    "ThreadInterrupted",
    "TimedOut",
    "TokenTotals",
    "ToolCallPart",
    "ToolCallStatus",
    "ToolContext",
    "ToolMessage",
    "Touched",
    "Transcript",
    "TranscriptReducer",
    "Transport",
    "TransportError",
    "Trouble",
    "Truncated",
    "UiMessage",
    "UncoveredInterrupts",
    "UnknownInterrupt",
    "Update",
    "UsageError",
    "UsageLedger",
    "UserMessage",
    "actions_of",
    "check_answers",
    "dump_event",
    "expires_at",
    "is_expired",
    "misfit",
    "parse_message",
    "parse_stored",
    "profile_named",
    "read_capabilities",
    "read_recordings",
    "sum_usage",
    "trusted",
    "write_recordings",
]
