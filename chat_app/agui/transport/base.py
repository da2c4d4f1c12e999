"""What a transport is: one method that turns a run input into the frames that answer it.

A transport moves JSON objects and knows nothing of what they mean. Shapes, order and folding are
judged by the stages behind it, so that every transport gets the same verdict on the same frames.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Protocol, TypeAlias, runtime_checkable

from ag_ui.core import RunAgentInput
from pydantic import JsonValue

Frame: TypeAlias = Mapping[str, JsonValue]
"""One decoded JSON object with a non-empty string ``type``; its shape is not yet judged."""


@runtime_checkable
class Transport(Protocol):
    """One method is enough to carry runs over something new.

    The iterator ends when the agent has nothing more to say. Closing it early stops the run: the
    implementation lets go of its connection there, which is all the agent is told. Trouble on the
    way is raised from the iterator as a ``TransportError`` or a ``BadFrame``.
    """

    def run(self, run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
        """Post ``run_input`` and yield the frames of the answer in arrival order."""
        ...
