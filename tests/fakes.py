"""Stand-ins that tests hand in: a clock turned by hand, ids that count, and a browser that applies live frames."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

NOON = datetime(2030, 5, 1, 12, 0, tzinfo=UTC)
WAIT = 15.0


class FakeClock:
    """A clock that moves only when told to, and by `step` at each look."""

    def __init__(self, now: datetime = NOON, *, step: timedelta = timedelta(0)) -> None:
        self.now = now
        self.step = step

    def __call__(self) -> datetime:
        shown, self.now = self.now, self.now + self.step
        return shown

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


def counting_ids(prefix: str = "id") -> Callable[[], str]:
    """Make ids that sort in the order they were made, as ours do."""
    counter = itertools.count(1)
    return lambda: f"{prefix}-{next(counter):05}"


async def within(work, seconds: float = WAIT):
    """Await something that must come soon."""
    async with asyncio.timeout(seconds):
        return await work


async def until(condition: Callable[[], object], seconds: float = WAIT) -> None:
    """Let the loop and the worker threads go on until `condition` holds."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.001)


async def next_frame(frames: AsyncGenerator[str, None]) -> dict:
    return json.loads(await within(anext(frames)))


async def nothing_comes(frames: AsyncGenerator[str, None]) -> None:
    """Assert that no frame is on its way; the stream is over afterwards."""
    waiting = asyncio.ensure_future(anext(frames))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    waiting.cancel()
    await asyncio.wait([waiting])


@dataclass
class Browser:
    """What a tab holds of one thread, by the rules of the live channel: rows, texts apart, and a cursor."""

    rows: dict[str, dict] = field(default_factory=dict)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    run: dict = field(default_factory=dict)
    older: bool = False
    epoch: str = ""
    number: int = 0
    target: tuple[str, str] | None = None

    @property
    def cursor(self) -> str:
        return f"{self.epoch}:{self.number}" if self.epoch else ""

    def receive(self, text: str) -> None:
        frame = json.loads(text)
        if "snapshot" in frame:
            self._replace(frame["snapshot"])
        elif frame["n"] > self.number and self.epoch.endswith(frame["e"]):
            for kind, *rest in frame["ops"]:
                self._OPS[kind](self, *rest)
            self.number = frame["n"]

    def shown(self) -> list[dict]:
        """Give the rows as drawn: in order, each part with its text."""
        rows = sorted(self.rows.values(), key=lambda row: (row["position"], row["key"]))
        return [{**row, "parts": [self._whole(row, part) for part in row["parts"]]} for row in rows]

    def _whole(self, row: dict, part: dict) -> dict:
        return {**part, "text": self.texts[row["key"], part["key"]]}

    def _replace(self, snapshot: dict) -> None:
        self.rows, self.texts = {}, {}
        for row in snapshot["rows"]:
            self._row(row)
        self.run, self.older = snapshot["run"], snapshot["older"]
        self.target = tuple(snapshot["at"]) if snapshot["at"] else None
        self.epoch, _, number = snapshot["cursor"].rpartition(":")
        self.number = int(number)

    def _hold(self, row: str, part: dict) -> dict:
        if "text" in part:
            self.texts[row, part["key"]] = part["text"]
        assert (row, part["key"]) in self.texts, "a part new to the browser must bring its text"
        return {name: value for name, value in part.items() if name != "text"}

    def _row(self, row: dict) -> None:
        self.rows[row["key"]] = {**row, "parts": [self._hold(row["key"], part) for part in row["parts"]]}

    def _part(self, key: str, part: dict) -> None:
        parts, held = self.rows[key]["parts"], self._hold(key, part)
        at = next((at for at, other in enumerate(parts) if other["key"] == held["key"]), len(parts))
        parts[at : at + 1] = [held]

    def _drop(self, key: str) -> None:
        for part in self.rows.pop(key, {"parts": []})["parts"]:
            del self.texts[key, part["key"]]

    def _aim(self, row: str, part: str) -> None:
        self.target = (row, part)

    def _grow(self, text: str) -> None:
        self.texts[self.target] += text

    def _stand(self, run: dict) -> None:
        self.run = run

    _OPS = {"+": _grow, "@": _aim, "row": _row, "part": _part, "drop": _drop, "run": _stand}  # noqa: RUF012
