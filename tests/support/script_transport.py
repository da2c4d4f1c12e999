"""Plays the scripts of the session fixtures: events, and directives for what happens between them."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class ScriptTransport:
    """Answers the i-th request with the i-th script. ``caller`` is the task a directive may cancel."""

    scripts: list
    requests: list = field(default_factory=list)
    gates: dict = field(default_factory=lambda: defaultdict(asyncio.Event))
    caller: asyncio.Task | None = None
    status_of: object = None

    async def run(self, request):
        number = len(self.requests)
        self.requests.append(request)
        for item in self.scripts[number]:
            if "type" in item:
                yield _with_run_id(item, request.run_id)
            else:
                await self._direct(item)

    async def _direct(self, item):
        match item:
            case {"$raise": message}:
                raise RuntimeError(message)
            case {"$hang": _}:
                await asyncio.Event().wait()
            case {"$cancel_caller": _}:
                self.caller.cancel()
            case {"$settle": ticks}:
                for _ in range(ticks):
                    await asyncio.sleep(0)
            case {"$gate": name}:
                await self.gates[name].wait()
            case {"$expect_status": expected}:
                assert {call: self.status_of(call) for call in expected} == expected
            case _:
                raise AssertionError(f"unknown directive {item}")


def _with_run_id(event, run_id):
    return {key: run_id if value == "$run" else value for key, value in event.items()}
