"""The shared state as a type: what an application reads in place of raw JSON.

Raw state is always current. The typed view is the last state that fitted, so that one bad document
neither loses a run nor blanks a page; ``None`` means that no fitting state was ever sent, which is not
the same as an empty one.
"""

from typing import Generic, TypeVar, cast

from pydantic import JsonValue, TypeAdapter, ValidationError

from chat_app.agui.errors import StateMismatch
from chat_app.agui.updates import StateChanged, Trouble, Update

S = TypeVar("S")


class TypedState(Generic[S]):
    """The state of a session as ``state_type``, or as JSON when there is none."""

    def __init__(self, state_type: type[S] | None = None) -> None:
        self._adapter: TypeAdapter[S] | None = None if state_type is None else TypeAdapter(state_type)
        self.value: S | None = None
        self.stale = False

    def heed(self, update: Update) -> Update:
        """Return the update as it is passed on; a state that does not fit is passed on as trouble."""
        trouble = self.adopt(update.value) if isinstance(update, StateChanged) else None
        return update if trouble is None else Trouble(trouble)

    def adopt(self, raw: JsonValue) -> StateMismatch | None:
        """Take over a new state, or return why it does not fit."""
        try:
            self.value = cast("S", raw) if self._adapter is None else self._adapter.validate_python(raw)
        except ValidationError as error:
            self.stale = True
            return StateMismatch(f"The agent's state does not fit: {_complaints(error)}")
        self.stale = False
        return None


def _complaints(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'/'.join(map(str, item['loc'])) or 'document'}: {item['msg']}" for item in found)
