"""What the request says about the conversation so far: pure reading, nothing is kept.

The messages of the request are the conversation. An edited or shortened history, another process, a restart:
all the same, because every question the agent has about the past is answered here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from ag_ui.core import (
    PROTOCOL_VERSION,
    AssistantMessage,
    AudioPart,
    DocumentPart,
    ImagePart,
    Message,
    ResumeEntry,
    RunAgentInput,
    TextPart,
    Tool,
    ToolMessage,
    UserMessage,
    VideoPart,
)
from pydantic import JsonValue

Attachment: TypeAlias = ImagePart | AudioPart | VideoPart | DocumentPart

_VERSION: Final = re.compile(r"(\d+)\.(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class PastCall:
    """A tool call found in the history.

    Attributes:
        arguments: The argument text as it was streamed, which need not be JSON.
        answer: The content of its tool message as text; None while the call is open.
        fresh: True when no line of the person follows the call, so it belongs to the work in hand.
    """

    id: str
    name: str
    arguments: str
    answer: str | None
    fresh: bool


class Conversation:
    """A run input, read."""

    def __init__(self, run_input: RunAgentInput) -> None:
        self._input = run_input

    @property
    def thread_id(self) -> str:
        """The thread, as the client names it."""
        return self._input.thread_id

    @property
    def run_id(self) -> str:
        """The requested run, as the client names it."""
        return self._input.run_id

    @property
    def resume(self) -> Sequence[ResumeEntry]:
        """The answers that came along, in the client's order."""
        return self._input.resume or ()

    @property
    def messages(self) -> Sequence[Message]:
        """The history, as it came."""
        return self._input.messages

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools the client offers to run, in its order."""
        return self._input.tools or ()

    @property
    def app(self) -> JsonValue:
        """The application's part of the state as the client holds it; None when it has none."""
        state = self._input.state
        return state.get("app") if isinstance(state, dict) else None

    @property
    def wanted_model(self) -> str | None:
        """The model the client asks for in ``forwardedProps.model``; None when it leaves the choice open."""
        props = self._input.forwarded_props
        wanted = props.get("model") if isinstance(props, dict) else None
        return wanted if isinstance(wanted, str) and wanted else None

    @property
    def protocol_version(self) -> str | None:
        """The protocol version the client declares."""
        return self._input.protocol_version

    @cached_property
    def declares_1_0(self) -> bool:
        """Whether the client speaks protocol 1.0 or later (spec: versioning).

        One that declares nothing is older; a version that is no version is not guessed downward.
        """
        version = _parts(self.protocol_version)
        return self.protocol_version is not None and (version is None or version >= (1, 0))

    @cached_property
    def is_newer(self) -> bool:
        """Whether the client declares a version this agent does not know: later than its own, or none at all."""
        version, ours = _parts(self.protocol_version), _parts(PROTOCOL_VERSION)
        return self.protocol_version is not None and (version is None or ours is None or version > ours)

    def offers(self, name: str) -> bool:
        """Tell whether the client offers to run a tool of this name."""
        return any(tool.name == name for tool in self.tools)

    @cached_property
    def last_line(self) -> str:
        """The text of the person's last message; empty when there is none."""
        lines = [message for message in self._input.messages if isinstance(message, UserMessage)]
        return plain_text(lines[-1]) if lines else ""

    @cached_property
    def attachments(self) -> tuple[Attachment, ...]:
        """What came with the person's last message beside its text."""
        lines = [message for message in self._input.messages if isinstance(message, UserMessage)]
        content = lines[-1].content if lines else ""
        return (
            ()
            if isinstance(content, str)
            else tuple(part for part in content if not isinstance(part, TextPart))
        )

    @cached_property
    def calls(self) -> tuple[PastCall, ...]:
        """Every tool call of the history, oldest first, with its answer where there is one."""
        messages = self._input.messages
        answers = {
            message.tool_call_id: plain_text(message)
            for message in messages
            if isinstance(message, ToolMessage)
        }
        newest_line = max(
            (at for at, message in enumerate(messages) if isinstance(message, UserMessage)), default=-1
        )
        return tuple(
            PastCall(
                call.id,
                call.function.name,
                call.function.arguments,
                answers.get(call.id),
                fresh=at > newest_line,
            )
            for at, message in enumerate(messages)
            if isinstance(message, AssistantMessage)
            for call in message.tool_calls or ()
        )

    def fresh_calls(self, name: str) -> tuple[PastCall, ...]:
        """Give the calls of one tool that were made since the person's last line."""
        return tuple(call for call in self.calls if call.fresh and call.name == name)

    def words(self) -> int:
        """Count the words of the history, the scripted agent's measure for tokens."""
        return sum(len(plain_text(message).split()) for message in self._input.messages)


def _parts(version: str | None) -> tuple[int, int] | None:
    """Read a version by its grammar, so that 1.10 is later than 1.9; None for what is no version."""
    match = _VERSION.fullmatch(version or "")
    return (int(match[1]), int(match[2])) if match is not None else None


def plain_text(message: Message) -> str:
    """Give a message's text; of content in parts, its text parts joined by line ends."""
    content = getattr(message, "content", None)
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part.text for part in content if isinstance(part, TextPart))
    return ""
