"""Writes docs/scenarios.md: what the demo agent can play, the line that asks for it, and the events it sends.

.venv/bin/python scripts/scenarios_page.py
"""

import asyncio
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ag_ui.core import BaseEvent, RunAgentInput, Tool, UserMessage  # noqa: E402 - found only with the root on the path

from chat_app.agent.conversation import Conversation  # noqa: E402
from chat_app.agent.memory import ProcessMemory  # noqa: E402
from chat_app.agent.scenario import Scenario  # noqa: E402
from chat_app.agent.scenarios import SCENARIOS, SUGGESTIONS, TALK  # noqa: E402
from chat_app.agent.worker import Worker, new_outbox  # noqa: E402

PAGE = ROOT / "docs" / "scenarios.md"
NOON = datetime(2030, 5, 1, 12, 0, tzinfo=UTC)
OFFERED = tuple(Tool(name=name, description="") for name in ("show_card", "local_time"))
ENDLESS = frozenset({"silent"})
FAMILIES = ("TEXT_MESSAGE_", "REASONING_", "TOOL_CALL_", "STEP_", "SUBAGENT_")

HEAD = """# What the demo agent plays

Without a model, Parley's own agent follows a script. It needs no key, is deterministic, and speaks AG-UI like
any other agent. A line that holds the cue of a scenario plays it; any other line gets the list. Add *quickly*,
*slowly* or *at once* to change the pace.

A run begins with `RUN_STARTED` and a `STATE_SNAPSHOT` of the shared state, and `STATE_DELTA` tells what it spent
before its last event; the table leaves these out. It has each kind of event once, in the order of its first
appearance, and the last event with its outcome. Scenarios that ask, or call a tool of the client's, go on in a
next run. *Dojo* names the demo of the AG-UI Dojo a scenario stands for. Lines in bold are offered on an empty
chat.

Written by `scripts/scenarios_page.py` from the scenarios themselves; do not edit it by hand.

"""


def every_scenario() -> tuple[Scenario, ...]:
    """Return what is on the page, in its order: the Dojo's demos first, each group by name."""
    return tuple(sorted((*SCENARIOS, TALK), key=lambda one: (not one.dojo, one.dojo, one.id)))


async def events_of(scenario: Scenario) -> list[str]:
    """Play a scenario and return what it sends, as the table says it."""
    outbox, numbers = new_outbox(limit=100_000), count(1)
    worker = Worker(new_id=lambda: f"id-{next(numbers)}", now=lambda: NOON, memory=ProcessMemory(), pace=0)
    line = UserMessage(id="u1", role="user", content=scenario.phrase)
    messages = _history(scenario, line)
    asked = RunAgentInput(
        thread_id="t", run_id="r", protocol_version="1.0", messages=messages, tools=list(OFFERED)
    )
    working = asyncio.ensure_future(worker.work(Conversation(asked), outbox))
    begun = await outbox.take()
    if scenario.id in ENDLESS:
        working.cancel()
    await asyncio.wait({working})
    return told([*begun, *outbox.drain()])


def _history(scenario: Scenario, line: UserMessage) -> list[UserMessage]:
    """Give a scenario that shortens something to shorten."""
    before = UserMessage(id="u0", role="user", content="Where is order T-1077?")
    return [before, line] if scenario.id == "shorten" else [line]


def told(events: Sequence[BaseEvent]) -> list[str]:
    """Return the kinds of events in the order they first appear, without the frame that every run has."""
    *body, last = events
    kinds = [_kind(event) for event in body if event.type.value not in {"RUN_STARTED", "STATE_SNAPSHOT"}]
    while kinds[-1:] == ["`STATE_DELTA`"]:
        kinds.pop()
    return [*dict.fromkeys(kinds), _end(last)]


def _kind(event: BaseEvent) -> str:
    """Name an event; what begins, goes on and ends counts as one kind."""
    name = event.type.value
    family = next((one for one in FAMILIES if name.startswith(one) and name != "TOOL_CALL_RESULT"), None)
    return f"`{family}*`" if family else f"`{name}`"


def _end(event: BaseEvent) -> str:
    outcome = getattr(event, "outcome", None)
    return f"`{event.type.value}`" + (f" ({outcome.type})" if outcome is not None else "")


def row(scenario: Scenario, events: Sequence[str]) -> str:
    """Return one line of the table."""
    offered = scenario.id in {suggestion.scenario for suggestion in SUGGESTIONS}
    line = f"**{scenario.phrase}**" if offered else scenario.phrase
    return f"| {scenario.id} | {line} | {scenario.dojo} | {scenario.shows}. | {' '.join(events)} |"


async def page() -> str:
    """Return the whole page."""
    table = ["| scenario | line | Dojo | what it shows | events |", "|---|---|---|---|---|"]
    rows = [row(scenario, await events_of(scenario)) for scenario in every_scenario()]
    return HEAD + "\n".join([*table, *rows]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(asyncio.run(page()), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
