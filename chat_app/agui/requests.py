"""The outgoing gate: what leaves this side, and in what shape.

A request always carries state, tools, context and forwarded props, because older servers refuse one
that lacks them, and never an empty ``resume``. What an old peer cannot read is flattened or left out,
with a diagnostic that names what was lost.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ag_ui.core import Context, RunAgentInput, Tool
from pydantic import JsonValue

from chat_app.agui.adapters import Delivery, asking_call, delivery_of, shape_of
from chat_app.agui.enforcement import Report, enforce_input
from chat_app.agui.events import (
    AssistantMessage,
    Interrupt,
    Message,
    ReasoningMessage,
    ResumeEntry,
    ToolMessage,
    UserMessage,
)
from chat_app.agui.profiles import Profile
from chat_app.agui.updates import Diagnostic


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParams:
    """What a caller may set for one exchange; its follow-up runs get the same but for the run id.

    >>> import asyncio
    >>> from chat_app.agui import ReplayTransport, Session
    >>> agent = ReplayTransport([])
    >>> async def talk(params):
    ...     return await Session(agent, "t").send("Hi", params=params)
    >>> end = asyncio.run(talk(RunParams(run_id="mine", forwarded_props={"tone": "dry"})))
    >>> agent.requests[0].run_id, agent.requests[0].forwarded_props
    ('mine', {'tone': 'dry'})
    """

    run_id: str | None = None
    tools: Sequence[Tool] = ()
    context: Sequence[Context] = ()
    forwarded_props: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to questions, sorted by the way they travel.

    ``by_call`` holds the content of a tool message per call, ``command`` what goes under
    ``forwardedProps.command.resume``.
    """

    entries: tuple[ResumeEntry, ...] = ()
    by_call: Mapping[str, str] = field(default_factory=dict)
    command: tuple[JsonValue, ...] = ()
    command_ids: tuple[str, ...] = ()


def sort_answers(entries: Sequence[ResumeEntry], pending: Sequence[Interrupt]) -> Answers:
    """Return the answers by the way each of their questions wants them delivered."""
    asked = {interrupt.id: interrupt for interrupt in pending}
    ways: dict[Delivery, list[ResumeEntry]] = {way: [] for way in Delivery}
    for entry in entries:
        ways[delivery_of(asked[entry.interrupt_id])].append(entry)
    # a cancelled command has no form on the wire: the agent repeats its question
    commands = [entry for entry in ways[Delivery.COMMAND] if entry.status == "resolved"]
    return Answers(
        entries=tuple(ways[Delivery.RESUME]),
        by_call={
            asking_call(asked[entry.interrupt_id]): _spoken(entry, asked[entry.interrupt_id])
            for entry in ways[Delivery.TOOL_MESSAGE]
        },
        command=tuple(entry.payload for entry in commands),
        command_ids=tuple(entry.interrupt_id for entry in commands),
    )


def _spoken(entry: ResumeEntry, interrupt: Interrupt) -> str:
    """Return an answer as the content of a tool message, where cancelling can only be said as no."""
    payload: JsonValue = entry.payload
    if entry.status == "cancelled":
        refuse = shape_of(interrupt).reject
        payload = {"cancelled": True} if refuse is None else refuse(interrupt, "")
    return payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)


def commanded(props: Mapping[str, JsonValue], answers: Answers) -> dict[str, JsonValue]:
    """Return the forwarded props with the command that carries the answers, if there are any.

    One answer stands for itself; several are told apart by the ids of their questions.
    """
    if not answers.command:
        return dict(props)
    one = len(answers.command) == 1
    resume: JsonValue = (
        answers.command[0] if one else dict(zip(answers.command_ids, answers.command, strict=True))
    )
    return {**props, "command": {"resume": resume}}


def adjacent(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with every tool answer behind the message that holds its call.

    Model APIs demand it, and a snapshot that brings a result late leaves it elsewhere. Answers keep
    their order among themselves; one whose call is nowhere stays where it is.
    """
    holders = _holders(messages)
    behind: dict[str, list[Message]] = defaultdict(list)
    kept: list[Message] = []
    for message in messages:
        holder = holders.get(message.tool_call_id) if isinstance(message, ToolMessage) else None
        (kept if holder is None else behind[holder]).append(message)
    return [one for message in kept for one in (message, *_answers_to(message, behind))]


def _holders(messages: Iterable[Message]) -> dict[str, str]:
    """Return the id of the message that holds each call."""
    return {
        call.id: message.id
        for message in messages
        if isinstance(message, AssistantMessage)
        for call in message.tool_calls or ()
    }


def _answers_to(message: Message, behind: dict[str, list[Message]]) -> list[Message]:
    return behind.pop(message.id, []) if isinstance(message, AssistantMessage) else []


def gate(request: RunAgentInput, profile: Profile, report: Report) -> RunAgentInput:
    """Return the request as this peer may be sent it.

    Raises:
        BadEvent: Something in it is malformed, so that nothing may be sent.
    """
    checked = enforce_input(request, report)
    return _aged(checked, report) if profile.old else checked


# ------------------------------------------------------------------ old peers


def _aged(request: RunAgentInput, report: Report) -> RunAgentInput:
    """Return the request without what a server of the 0.1 age refuses."""
    messages = [_plain(message, report) for message in request.messages if _is_readable(message, report)]
    tools = [
        tool.model_copy(update={"parameters": tool.parameters or {}, "metadata": None})
        for tool in request.tools or ()
    ]
    return request.model_copy(update={"protocol_version": None, "messages": messages, "tools": tools})


def _is_readable(message: Message, report: Report) -> bool:
    if not isinstance(message, ReasoningMessage):
        return True
    report(Diagnostic("downgrade", f"Reasoning {message.id!r} and its encrypted value were left out"))
    return False


def _plain(message: Message, report: Report) -> Message:
    lost = [name for name in ("metadata", "encrypted_value") if getattr(message, name, None) is not None]
    if lost:
        report(Diagnostic("downgrade", f"Message {message.id!r} was sent without {' and '.join(lost)}"))
    bare = message.model_copy(update=dict.fromkeys((*lost, "subagent_run_id")))
    if isinstance(bare, UserMessage | ToolMessage):
        return _flattened(bare, report)
    return bare


def _flattened(message: UserMessage | ToolMessage, report: Report) -> Message:
    """Return the message with its parts as one text; what is no text is lost, and said so."""
    if isinstance(message.content, str):
        return message
    lost = [part.type for part in message.content if part.type != "text"]
    if lost:
        report(Diagnostic("downgrade", f"Message {message.id!r} was sent without its {', '.join(lost)}"))
    text = "".join(part.text for part in message.content if part.type == "text")
    return message.model_copy(update={"content": text})
