"""Tries an agent as a chat would: one run from start to end, one that is stopped, one that asks; and notes what it saw.

What an agent says it can do is read from `/capabilities` below its address, where ours has it; the protocol names no
place for it, so none is no fault. Nothing of the runs is kept.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from chat_app.agui import (
    Cancelled,
    ConnectFailed,
    Diagnostic,
    Event,
    Failed,
    HttpStatus,
    Interrupted,
    Profile,
    ResumeBuilder,
    RunEnd,
    Session,
    Success,
    Transport,
)

LINE = "Hello"
LIMIT_S = 30.0
"""How long one run may take before it counts as hanging."""
CALM_S = 5.0
"""How long an agent's connection may take to close when a run is stopped."""

Check = Literal["reached", "signed_in", "declared", "run", "stop", "asks", "protocol"]
State = Literal["ok", "note", "bad", "skipped"]


@dataclass(frozen=True, slots=True)
class Probed:
    """What one look at an agent found; `value` is a short fact, `detail` a sentence or a code of the protocol."""

    check: Check
    state: State
    value: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is tried: the line that is said, and one that makes the agent ask (empty: it is not made to)."""

    line: str = LINE
    asking: str = ""
    limit: float = LIMIT_S


@dataclass(slots=True)
class _Seen:
    """What came in one run: events by type, when the first came, and what was odd."""

    events: Counter[str] = field(default_factory=Counter)
    oddities: Counter[str] = field(default_factory=Counter)
    words: dict[str, str] = field(default_factory=dict)
    first: asyncio.Event = field(default_factory=asyncio.Event)


class Probe:
    """Tries one agent over a transport."""

    def __init__(
        self,
        transport: Transport,
        profile: Profile,
        *,
        new_id: Callable[[], str],
        elapsed: Callable[[], float],
        declared: Callable[[], Awaitable[JsonValue]] | None = None,
    ) -> None:
        """Try what `transport` reaches, read by `profile`; `elapsed` counts seconds, `declared` reads its own words."""
        self._transport = transport
        self._profile = profile
        self._new_id = new_id
        self._elapsed = elapsed
        self._declared = declared

    async def look(self, trial: Trial) -> tuple[Probed, ...]:
        """Return what was found, in the order of looking; nothing raises, and what hangs is given up."""
        seen, began = _Seen(), self._elapsed()
        end = await self._run(seen, trial.line, trial.limit)
        took = self._elapsed() - began
        reached = _reached(end, seen)
        if any(one.state == "bad" for one in reached):
            return tuple(reached)
        found = [*reached, *await self._what_it_declares(seen), _whole(end, seen, took)]
        if not isinstance(end, Failed):
            found += [await self._stopped(trial), await self._asked(seen, trial)]
        return (*found, *_oddities(seen))

    async def _run(self, seen: _Seen, line: str, limit: float) -> RunEnd | None:
        return await self._within(self._session(seen).send(line), limit)

    async def _within(self, run: Awaitable[RunEnd], limit: float) -> RunEnd | None:
        """Return how a run ended; None when it did not in time, and then it is stopped."""
        try:
            async with asyncio.timeout(limit):
                return await run
        except TimeoutError:
            return None

    async def _what_it_declares(self, seen: _Seen) -> list[Probed]:
        declared = await self._declared() if self._declared is not None else None
        if not isinstance(declared, dict):
            return [Probed("declared", "skipped")]
        named = ", ".join(sorted(name for name, value in declared.items() if value))
        surprises = [
            Probed("declared", "note", name, "seen")
            for name, kind in SHOWN_BY.items()
            if not declared.get(name) and any(event.startswith(kind) for event in seen.events)
        ]
        return [Probed("declared", "ok", "", named), *surprises]

    async def _stopped(self, trial: Trial) -> Probed:
        """Stop a run at its first event, and say how long that took."""
        seen = _Seen()
        run = asyncio.ensure_future(self._run(seen, trial.line, trial.limit))
        first = asyncio.ensure_future(seen.first.wait())
        await asyncio.wait([run, first], timeout=trial.limit, return_when=asyncio.FIRST_COMPLETED)
        first.cancel()
        began = self._elapsed()
        run.cancel()
        _, late = await asyncio.wait([run], timeout=CALM_S)
        took = f"{self._elapsed() - began:.1f} s"
        return Probed("stop", "bad" if late else "ok", took)

    async def _asked(self, seen: _Seen, trial: Trial) -> Probed:
        """Have the agent ask, cancel its questions, and say whether it went on."""
        if not trial.asking:
            return Probed("asks", "skipped")
        session = self._session(seen)
        end = await self._within(session.send(trial.asking), trial.limit)
        if not isinstance(end, Interrupted):
            return Probed("asks", "note", "0")
        answers = ResumeBuilder(end.interrupts)
        for question in end.interrupts:
            answers.cancel(question.id)
        after = await self._within(session.resume(answers.build()), trial.limit)
        count = str(len(end.interrupts))
        return Probed("asks", "ok" if isinstance(after, Success | Cancelled | Interrupted) else "bad", count)

    def _session(self, seen: _Seen) -> Session[JsonValue]:
        def heard(event: Event, _rows: object) -> None:
            seen.events[event.type.value] += 1
            seen.first.set()

        def odd(found: Diagnostic) -> None:
            seen.oddities[found.code] += 1
            seen.words.setdefault(found.code, found.message)

        return Session(
            self._transport, self._new_id(), profile=self._profile, on_event=heard, on_diagnostic=odd
        )


SHOWN_BY: Mapping[str, str] = {"reasoning": "REASONING_", "state": "STATE_", "tools": "TOOL_CALL_"}
"""Parts of a declaration, and how the events begin that an agent with this part sends."""
CLOSING = "RUN_ERROR"
"""What this side writes by itself when it gives a run up."""
REFUSED = frozenset({401, 403})


def _reached(end: RunEnd | None, seen: _Seen) -> list[Probed]:
    error = end.error if isinstance(end, Failed) else None
    if isinstance(error, ConnectFailed):
        return [Probed("reached", "bad", "", str(error))]
    if isinstance(error, HttpStatus):
        refused = error.status in REFUSED
        answered = Probed("reached", "ok")
        return [answered, Probed("signed_in" if refused else "run", "bad", str(error.status), str(error))]
    if end is None and not set(seen.events) - {CLOSING}:
        return [Probed("reached", "bad", "", "It took the request and said nothing.")]
    return [Probed("reached", "ok"), Probed("signed_in", "ok")]


def _whole(end: RunEnd | None, seen: _Seen, took: float) -> Probed:
    count = f"{took:.1f} s, {sum(seen.events.values())}"
    if end is None:
        return Probed("run", "bad", count, "It did not end in time.")
    if isinstance(end, Failed):
        return Probed("run", "bad", end.code or "", end.message)
    return Probed("run", "ok", count)


def _oddities(seen: _Seen) -> list[Probed]:
    return [
        Probed("protocol", "note", f"{code}: {count}", seen.words[code])
        for code, count in sorted(seen.oddities.items())
    ]
