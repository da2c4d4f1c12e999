"""What differs between frameworks that ask a person: where the question stands, and how it is answered.

A *finder* reads a question out of a run that looks like a plain success. A *shape* knows what an answer
to a kind of question looks like. The way an answer travels is noted in the question's metadata under
``NOTE``, so that it survives a store and a restart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from pydantic import JsonValue

from chat_app.agui.events import CustomEvent, Interrupt

NOTE = "agui.client"
"""The metadata key under which this client keeps what it must know to deliver an answer."""

Edits: TypeAlias = Mapping[str, JsonValue]
"""Arguments that replace the proposed ones, all of them."""


class Delivery(StrEnum):
    """How an answer travels to the agent."""

    RESUME = "resume"
    COMMAND = "command"
    TOOL_MESSAGE = "tool_message"


@dataclass(slots=True)
class SeenCall:
    """A call of the run: its name, its argument text and the text of the message it hangs on."""

    call_id: str
    name: str
    arguments: str = ""
    said: str = ""


@dataclass(slots=True)
class RunRecord:
    """What a run held that may be a question in disguise: custom events, and calls without a result."""

    run_id: str = ""
    customs: list[CustomEvent] = field(default_factory=list)
    calls: list[SeenCall] = field(default_factory=list)


Finder: TypeAlias = Callable[[RunRecord], Sequence[Interrupt]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What answers to one kind of question look like.

    ``fits`` says whether a question is of the kind. ``approve`` and ``reject`` build the payload, or are
    None when the kind knows no such answer; ``edit`` says whether a question takes edited arguments.
    ``cancel_is_safe`` is False where the agent takes a cancelled answer for something else than no.
    """

    name: str
    fits: Callable[[Interrupt], bool]
    approve: Callable[[Interrupt, Edits | None, str], JsonValue] | None = None
    reject: Callable[[Interrupt, str], JsonValue] | None = None
    edit: Callable[[Interrupt], bool] = lambda _: False
    cancel_is_safe: bool = True


def delivery_of(interrupt: Interrupt) -> Delivery:
    """Return how the answer to a question travels."""
    return Delivery(str(_note(interrupt).get("delivery", Delivery.RESUME)))


def asking_call(interrupt: Interrupt) -> str:
    """Return the call that a tool message answers in place of a resume entry."""
    return str(_note(interrupt)["call"])


def noted(delivery: Delivery, *, call_id: str | None = None) -> dict[str, JsonValue]:
    """Return the metadata that says how an answer travels."""
    call: dict[str, JsonValue] = {} if call_id is None else {"call": call_id}
    return {NOTE: {"delivery": delivery.value, **call}}


def metadata_of(interrupt: Interrupt, *path: str) -> JsonValue:
    """Return what the question's metadata holds at ``path``, None when there is nothing."""
    value: JsonValue = interrupt.metadata
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _note(interrupt: Interrupt) -> Mapping[str, JsonValue]:
    note = metadata_of(interrupt, NOTE)
    return note if isinstance(note, dict) else {}
