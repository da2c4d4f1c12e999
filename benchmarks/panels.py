"""Prints what a change of the shared state costs: bytes pushed to a follower per panel, and the time to find them.

Two states: the demo plan, which fills step by step, and a board of a hundred tasks, one of which is ticked.
"""

import json
import time
from collections.abc import Iterator

from pydantic import JsonValue

from chat_app.agent.scenarios.plan import STAGES, board
from chat_app.services.panels import Held, Op, Panels, Shared
from chat_app.ui.panels import specs

BESIDE: dict[str, JsonValue] = {"mode": "chat", "usage": {"inputTokens": 6, "outputTokens": 24}}
MANY = 100


def main() -> None:
    """Print a line per change."""
    print("change of the shared state      board    plan   state     all      ms")
    for name, states in (("demo plan, step {}", _plan()), (f"a tick in {MANY} tasks", _ticks())):
        for at, (taken, ops) in enumerate(_changes(states), start=1):
            print(f"{name.format(at):<28}{_line(ops)}{taken * 1000:8.1f}")


def _plan() -> Iterator[JsonValue]:
    yield dict(BESIDE)
    for done in range(len(STAGES) + 1):
        yield {**BESIDE, "app": board(done)}


def _ticks() -> Iterator[JsonValue]:
    for ticked in range(2):
        tasks: list[JsonValue] = [
            {
                "id": str(at),
                "title": "Look at the wheel of order T-1042",
                "done": at == MANY // 2 and ticked > 0,
            }
            for at in range(MANY)
        ]
        yield {**BESIDE, "app": {"title": "Workshop", "tasks": tasks}}


def _changes(states: Iterator[JsonValue]) -> Iterator[tuple[float, list[Op]]]:
    panels = Panels(specs(), Held((next(states),), Shared(seen=True)))
    for state in states:
        began = time.perf_counter()
        panels.hear(state, "")
        ops = panels.ops()
        yield time.perf_counter() - began, ops


def _line(ops: list[Op]) -> str:
    sizes = {op[1]: len(json.dumps(op, ensure_ascii=False, separators=(",", ":"))) for op in ops}
    shown = [sizes.get(name, 0) for name in ("board", "plan", "state")]
    return "".join(f"{size:8}" for size in (*shown, sum(shown)))


if __name__ == "__main__":
    main()
