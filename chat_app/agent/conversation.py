"""What the request says about the conversation so far: pure reading, nothing is kept.

The messages of the request are the conversation. An edited or shortened history, another process, a restart:
all the same, because every question the agent has about the past is answered here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ag_ui.core import (
    AssistantMessage,
    Message,
    ResumeEntry,
    RunAgentInput,
    TextPart,
    ToolMessage,
    UserMessage,
)

_VERSION: Final = re.compile(r"^(\d+)\.\d+$")


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

    @cached_property
    def declares_1_0(self) -> bool:
        """Whether the client speaks protocol 1.0 or later (spec: versioning).

        One that declares nothing is older; a version that is no version is not guessed downward.
        """
        declared = self._input.protocol_version
        if declared is None:
            return False
        match = _VERSION.match(declared)
        return match is None or int(match[1]) >= 1

    @cached_property
    def last_line(self) -> str:
        """The text of the person's last message; empty when there is none."""
        lines = [message for message in self._input.messages if isinstance(message, UserMessage)]
        return plain_text(lines[-1]) if lines else ""

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


def plain_text(message: Message) -> str:
    """Give a message's text; of content in parts, its text parts joined by line ends."""
    content = getattr(message, "content", None)
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part.text for part in content if isinstance(part, TextPart))
    return ""
