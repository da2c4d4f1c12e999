"""Questions that take more than a yes or a no: what a person fills in, described by a schema.

A form is not about a call, so its question ends the run and nothing of it stands in the history: the same line
of the person, played again with the answer, goes on where it asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from ag_ui.core import ResumeEntry
from pydantic import BaseModel, JsonValue, ValidationError

from chat_app.agent.turn import Turn, TurnFailed
from chat_app.agent.turn_events import Question

INVALID_ANSWER: Final = "INVALID_ANSWER"

_PREFIX: Final = "form"
_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Form(Generic[_Model]):
    """A form by its name, which is part of the question's id, and what the filled-in form must be."""

    name: str
    answer: type[_Model]


@dataclass(frozen=True, slots=True)
class Dropped:
    """The person does not want to fill it in."""


def form_question(
    turn: Turn,
    form: Form[_Model],
    message: str,
    *,
    schema: Mapping[str, JsonValue] | None = None,
    subagent_id: str | None = None,
) -> Question:
    """Word the question that asks for a form. The caller pauses the turn with it.

    Args:
        turn: The turn that asks.
        form: What is to be filled in.
        message: Says what for.
        schema: Describes the form where it depends on the moment; the form's own when left out.
        subagent_id: The subagent that asks.
    """
    return Question(
        id=f"{_PREFIX}:{form.name}:{turn.means.new_id()}",
        reason="input_required",
        message=message,
        response_schema=schema or form.answer.model_json_schema(),
        subagent_id=subagent_id,
    )


async def form_answer(turn: Turn, form: Form[_Model]) -> _Model | Dropped | None:
    """Give the form as it was filled in first, or that it was dropped; None when no answer came.

    Raises:
        TurnFailed: The answer does not fit the form. It may be given again.
    """
    wanted = f"{_PREFIX}:{form.name}:"
    entries = [one for one in turn.conversation.resume if one.interrupt_id.startswith(wanted)]
    if not entries:
        return None
    memory, place = turn.means.memory, (turn.conversation.thread_id, entries[-1].interrupt_id)
    stands = await memory.sealed_answer(*place)
    if stands is None:
        _filled(form, entries[-1])
        stands = await memory.seal_answer(*place, entries[-1].model_dump(mode="json", by_alias=True))
    return _filled(form, ResumeEntry.model_validate(stands))


def _filled(form: Form[_Model], entry: ResumeEntry) -> _Model | Dropped:
    if entry.status == "cancelled":
        return Dropped()
    return read_answer(form.answer, entry.payload, "The answer")


def is_form_question(question_id: str) -> bool:
    """Tell whether a question asked for a form."""
    return question_id.startswith(f"{_PREFIX}:")


def read_answer(model: type[_Model], value: JsonValue, what: str) -> _Model:
    """Validate what came from a client, word for word.

    Raises:
        TurnFailed: It does not fit; the message says where and why.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        where = f" at {place!r}" if place else ""
        raise TurnFailed(f"{what} cannot be used{where}: {first['msg']}.", code=INVALID_ANSWER) from error
