"""What is to be done in one turn, as whoever thinks up the answers hands it to the worker.

This is the seam between the wire and the mind behind it: the scripted demo agent is one mind, a language model
with tools is another, and neither knows HTTP or AG-UI.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from chat_app.agent.conversation import Conversation
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import TurnEnd

Play: TypeAlias = Callable[[Turn], Awaitable[TurnEnd | None]]
"""Works a turn; coming back without an end means that it is completed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One turn, planned.

    Attributes:
        play: Works the turn.
        model: Names the model that will answer.
        stays: Models one of which the thread may have been left with; that one answers then.
        starts: False for a turn that fails before it starts.
        pace: Scales the pauses.
        counts_words: True when nobody else tells what the turn spends, so that its words stand for tokens.
    """

    play: Play
    model: str
    stays: Collection[str] = ()
    starts: bool = True
    pace: float = 1.0
    counts_words: bool = True


Mind: TypeAlias = Callable[[Conversation], Work]
"""Plans a turn from its request alone, without waiting for anything."""
