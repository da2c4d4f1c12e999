"""The history as the next request carries it.

Activities never go back. Reasoning goes back when it carries an encrypted value, which its provider
wants to see again. Calls whose arguments never ended are left out, since models refuse them, and so
are system messages that the agent wrote itself: sent back, it would add them once more each turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from chat_app.agui.events import AssistantMessage, Message
from chat_app.agui.history.entries import CallEntry, Entry
from chat_app.agui.history.history import History


@dataclass(frozen=True, slots=True)
class HistoryCall:
    """A tool call as the history holds it; ``ended`` says that its arguments are complete."""

    call_id: str
    name: str
    arguments: str
    message_id: str
    ended: bool
    answered: bool


def read_call(call: CallEntry) -> HistoryCall:
    """Return the call as it stands."""
    return HistoryCall(
        call.call_id,
        call.name,
        call.arguments.read() or "",
        call.holder.message_id,
        call.ended,
        call.answered,
    )


def outgoing(history: History) -> tuple[Message, ...]:
    """Return the messages a request may carry, oldest first."""
    return tuple(_sendable(history))


def _sendable(history: History) -> Iterator[Message]:
    for entry in history:
        if not _goes_back(entry):
            continue
        message = entry.message()
        if isinstance(message, AssistantMessage) and entry.calls:
            message = _with_ended_calls(message, entry.calls)
            if message.content is None and not message.tool_calls:
                continue
        yield message


def _goes_back(entry: Entry) -> bool:
    if entry.role == "reasoning":
        return entry.encrypted is not None
    return entry.role != "activity" and not entry.foreign


def _with_ended_calls(message: AssistantMessage, calls: list[CallEntry]) -> AssistantMessage:
    ended = [call.model() for call in calls if call.ended]
    return message.model_copy(update={"tool_calls": ended or None})
