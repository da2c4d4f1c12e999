"""The rules of order, as tables: which event may follow which, and what breaks a rule means.

Rule ids are those of the protocol reference. The machine that applies the tables is `verify`.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from chat_app.agui.events import (
    Event,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
)

RULES = {
    "PV1": "A stream begins with RUN_STARTED or RUN_ERROR.",
    "PV2": "A run does not start while another is active.",
    "PV3": "After RUN_FINISHED comes RUN_STARTED or RUN_ERROR.",
    "PV4": "After RUN_ERROR comes RUN_STARTED.",
    "PV5": "A text message is started before it grows or ends, and not twice while open.",
    "PV6": "A tool call is started before it grows or ends, and not twice while open.",
    "PV7": "A reasoning message or span is started before it grows or ends, and not twice while open.",
    "PV8": "A step is started before it is finished, by the same owner, and not twice while open.",
    "PV9": "A run finishes when everything opened in it is closed.",
    "PV10": "A subagent is started before it ends, once per run, under a parent that was started.",
    "PV11": "What an item's owner opened is continued by that owner or by nobody named.",
    "PV12": "A chunk names what it opens, agrees with it, and can continue one item only.",
    "PV13": "The questions of one outcome have different ids.",
}


class Mode(StrEnum):
    """What a broken rule does.

    ``strict`` fails the run. ``report`` tells of it and leaves the event out. ``off`` looks away.
    ``tolerant`` is strict about runs, subagents, owners and chunks, and mends the order inside a run,
    which real servers break in ways a person need not suffer from.
    """

    STRICT = "strict"
    REPORT = "report"
    OFF = "off"
    TOLERANT = "tolerant"


EASED = frozenset({"PV5", "PV6", "PV7", "PV8", "PV9"})
"""The rules that ``tolerant`` mends."""


AFTER_THE_END = frozenset({"PV3", "PV4"})
"""The rules about what follows a run that is over."""


class Phase(StrEnum):
    """Where a stream stands between its runs."""

    START = "start"
    ACTIVE = "active"
    CLOSED = "closed"
    FAILED = "failed"


PHASES: dict[Phase, tuple[str, dict[type[Event], Phase]]] = {
    Phase.START: ("PV1", {RunStartedEvent: Phase.ACTIVE, RunErrorEvent: Phase.FAILED}),
    Phase.ACTIVE: ("PV2", {RunFinishedEvent: Phase.CLOSED, RunErrorEvent: Phase.FAILED}),
    Phase.CLOSED: ("PV3", {RunStartedEvent: Phase.ACTIVE, RunErrorEvent: Phase.FAILED}),
    Phase.FAILED: ("PV4", {RunStartedEvent: Phase.ACTIVE}),
}
"""Per phase: the rule that an event outside the table breaks, and where the others lead.

Inside an active run every event but RUN_STARTED is in its place.
"""


class Act(Enum):
    """What an event does to the item it names."""

    OPEN = auto()
    USE = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Family:
    """Items that are opened and closed: what a person calls them, and the rule that watches them."""

    noun: str
    rule: str
    key: str


TEXT = Family("text message", "PV5", "message_id")
CALL = Family("tool call", "PV6", "tool_call_id")
THOUGHT = Family("reasoning message", "PV7", "message_id")
SPAN = Family("reasoning span", "PV7", "message_id")
STEP = Family("step", "PV8", "step_name")

ITEMS: dict[type[Event], tuple[Family, Act]] = {
    TextMessageStartEvent: (TEXT, Act.OPEN),
    TextMessageContentEvent: (TEXT, Act.USE),
    TextMessageEndEvent: (TEXT, Act.CLOSE),
    ToolCallStartEvent: (CALL, Act.OPEN),
    ToolCallArgsEvent: (CALL, Act.USE),
    ToolCallEndEvent: (CALL, Act.CLOSE),
    ReasoningMessageStartEvent: (THOUGHT, Act.OPEN),
    ReasoningMessageContentEvent: (THOUGHT, Act.USE),
    ReasoningMessageEndEvent: (THOUGHT, Act.CLOSE),
    ReasoningStartEvent: (SPAN, Act.OPEN),
    ReasoningEndEvent: (SPAN, Act.CLOSE),
    StepStartedEvent: (STEP, Act.OPEN),
    StepFinishedEvent: (STEP, Act.CLOSE),
}

CLOSERS: dict[Family, type[Event]] = {
    family: event for event, (family, act) in ITEMS.items() if act is Act.CLOSE
}
"""The event that ends an item of each family."""

PASSED_WHEN_EASED: frozenset[type[Event]] = frozenset({TextMessageContentEvent, ReasoningMessageContentEvent})
"""Events the folds can place although their item is not open; the others are left out."""
