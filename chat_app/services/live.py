"""A thread as its followers see it: the newest rows, and the numbered frames that changed them. Pure.

`LiveThread` holds the rows in memory, turns each change into a small op, and `publish` encodes the waiting ops once,
for everybody. A follower asks for what came `since` its number: the next frame, or several merged into one when it
is slow, or a snapshot when it is unknown. Nothing here awaits, sleeps or reads a clock.

Panels ride along: `["panel", id, Panel]`, `["patch", id, JSON Patch]`, `["shared", Shared]`.

Wire format (JSON text): `{"t", "snapshot"}`, `{"e", "n", "ops"}`, where `e` is the end of the snapshot's epoch (a
frame carries a token or two; the thread's id would be most of its bytes). Ops are arrays to stay small:
`["+", text]` grows the current target, `["@", row, part]` sets it, `["row", Row]`, `["part", row, Part]`,
`["drop", row]`, `["run", Run]`. A part that the browser already holds travels without its text.
"""

import json
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace

from chat_app.services.panels import Panels
from chat_app.services.rows import SPOKEN, Part, Row, Run, View

KEPT_FRAMES = 2_000
KEPT_ROWS = 50
MERGE_FROM = 2
EPOCH_TAIL = 4
"""Characters of the epoch by which a frame is told from a late one of another thread."""

HEADED = SPOKEN - {"user"}
LIVE = frozenset({"running", "stopping"})

Op = list[object]
Target = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Frame:
    """The ops published under one number, and their text as sent to followers that are up to date."""

    number: int
    ops: list[Op]
    text: str


@dataclass(slots=True)
class _Held:
    """A row as followers hold it: the record as last sent, and the text its parts have grown by since."""

    row: Row
    grown: dict[str, list[str]] = field(default_factory=dict)

    def current(self) -> Row:
        if self.grown:
            self.row = replace(self.row, parts=[self._whole(part) for part in self.row.parts])
            self.grown = {}
        return self.row

    def has(self, part: str) -> bool:
        return any(known.key == part for known in self.row.parts)

    def _whole(self, part: Part) -> Part:
        pieces = self.grown.get(part.key)
        return replace(part, text="".join([part.text, *pieces])) if pieces else part


class LiveThread:
    """The newest rows of one thread and the frames that change them.

    `epoch` names this object's life: a cursor of another epoch is answered with a snapshot. `older` says whether
    rows before the ones held exist in SQL. `writing` names the rows a live run of this process is ahead of SQL with.
    """

    def __init__(self, thread_id: str, epoch: str, view: View, panels: Panels | None = None) -> None:
        """Hold `view` as what a first follower is shown, its state in `panels`."""
        self.panels = panels or Panels()
        self.thread_id = thread_id
        self.epoch = epoch
        self.older = view.older
        self.branch = view.branch
        self.run = view.run
        self.number = 0
        self.writing: set[str] = set()
        self._held = {row.key: _Held(row) for row in view.rows}
        self._order = sorted((held.row.position, key) for key, held in self._held.items())
        self._waiting: list[Op] = []
        self._target: Target | None = None
        self._frames: deque[Frame] = deque(maxlen=KEPT_FRAMES)

    # ------------------------------------------------------------ changes

    def append(self, row: str, part: str, text: str) -> None:
        """Grow the text of one part; rows and parts nobody was told of are ignored."""
        held = self._held.get(row)
        if held is None or not text:
            return
        if self._target != (row, part):
            if not held.has(part):
                return
            self._target = (row, part)
            self._waiting.append(["@", row, part])
        held.grown.setdefault(part, []).append(text)
        if self._waiting and self._waiting[-1][0] == "+":
            self._waiting[-1][1] = f"{self._waiting[-1][1]}{text}"
        else:
            self._waiting.append(["+", text])

    def upsert(self, row: Row) -> None:
        """Show `row` as a run writes it; what only SQL tells of it (ways, opinions) stays as it was.

        A new row before those held is left to the pages of older rows: shown alone it would hide what is between.
        """
        held = self._held.get(row.key)
        if held is None:
            if not self._is_older(row):
                self._insert(row)
            return
        was = held.current()
        told = replace(row, ways=was.ways, way=was.way, verdict=was.verdict, comment=was.comment)
        self._change(held, told)

    def _change(self, held: _Held, row: Row) -> None:
        """Show only what differs from what followers hold."""
        before = held.current()
        held.row = row = replace(row, head=before.head)
        if before == row:
            return
        self._move(before, row)
        changed = _changed_parts(before.parts, row.parts)
        if changed is None:
            self._target = None  # its part may be gone
        if changed is None or replace(before, parts=[]) != replace(row, parts=[]):
            self._waiting.append(["row", _slim_row(before, row)])
        else:
            self._waiting.extend(["part", row.key, part] for part in changed)

    def drop(self, key: str) -> None:
        """Take a row away, also one that is not held: somebody may have paged back to it."""
        held = self._held.pop(key, None)
        if held is not None:
            self._order.remove((held.row.position, key))
            self._target = None
        if held is not None or self.older:
            self._waiting.append(["drop", key])

    def show(self, view: View) -> None:
        """Bring the newest rows and the run in line with `view`; rows that left the thread are dropped.

        Rows in `writing` are ahead of what was read and stay as they are.
        """
        if view.branch != self.branch and self.older:
            self._begin_anew(view)
        self.branch = view.branch
        known = {row.key for row in view.rows} | self.writing
        oldest = view.rows[0].position if view.rows else 0
        for position, key in list(self._order):
            if key not in known and (position >= oldest or not view.older):
                self.drop(key)
        self.older = self.older and view.older
        for row in view.rows:
            if row.key not in self.writing:
                self._bring(row)
        self.set_run(view.run if view.run.id != self.run.id else self._at_work(view.run))
        if not self.panels.writing:
            self.panels.hold(view.held)

    def _begin_anew(self, view: View) -> None:
        """Hold `view` and the rows being written alone, and let every follower be due a snapshot.

        Somebody may have paged back to rows that are not held here, so that nothing could drop them by name.
        """
        written = [held.current() for key, held in self._held.items() if key in self.writing]
        self._held = {row.key: _Held(row) for row in (*view.rows, *written)}
        self._order = sorted((held.row.position, key) for key, held in self._held.items())
        self._target = None
        self.older = view.older
        self._frames.clear()
        self.number += 1
        self._waiting = [["run", asdict(self.run)]]  # a change, so that those who wait are woken

    def _bring(self, row: Row) -> None:
        held = self._held.get(row.key)
        if held is None:
            self.upsert(row)
        else:
            self._change(held, row)

    def show_panels(self) -> None:
        """Let the next frame bring what changed in the panels."""
        self._waiting.extend(self.panels.ops())

    def set_run(self, run: Run) -> None:
        """Show how the thread stands; the same as before is no change."""
        if run != self.run:
            self.run = run
            self._waiting.append(["run", asdict(run)])

    # ------------------------------------------------------------ frames

    @property
    def dirty(self) -> bool:
        """Whether changes wait for `publish`."""
        return bool(self._waiting)

    def publish(self) -> None:
        """Give the waiting ops the next number and encode them once for all followers."""
        if not self._waiting:
            return
        self.number += 1
        ops, self._waiting = self._waiting, []
        self._frames.append(Frame(self.number, ops, self._encode(self.number, ops)))
        self._trim()

    def since(self, number: int) -> tuple[int, str] | None:
        """Return (number reached, frame text) for what followed `number`; None when nothing did.

        A follower several frames behind gets them merged into one, so a slow reader gets bigger frames and no queue.

        Raises:
            KeyError: `number` is not within the frames kept; the follower needs a snapshot.
        """
        if number == self.number:
            return None
        behind = self.number - number
        if behind < 0 or behind > len(self._frames):
            raise KeyError(number)
        if behind < MERGE_FROM:
            return self.number, self._frames[-1].text
        frames = (self._frames[index] for index in range(-behind, 0))
        return self.number, self._encode(self.number, _merged(op for frame in frames for op in frame.ops))

    def snapshot(self) -> tuple[int, str]:
        """Return (number, frame text) of everything held now. Waiting ops are published first."""
        self.show_panels()
        self.publish()
        body = {
            "rows": [asdict(row) for row in self.rows()],
            "older": self.older,
            "run": asdict(self.run),
            "cursor": f"{self.epoch}:{self.number}",
            "at": list(self._target) if self._target else None,
            "panels": self.panels.snapshot(),
        }
        return self.number, _dumps({"t": self.thread_id, "snapshot": body})

    def number_of(self, cursor: str) -> int | None:
        """Return the frame number in `cursor`, or None when a snapshot is due: another epoch, or not a cursor."""
        epoch, _, number = cursor.partition(":")
        if epoch != self.epoch or not number.isascii() or not number.isdigit():
            return None
        reached = int(number)
        return reached if self.number - len(self._frames) <= reached <= self.number else None

    def rows(self) -> list[Row]:
        """Return the rows held, oldest first, their text whole."""
        return [self._held[key].current() for _, key in self._order]

    def _at_work(self, run: Run) -> Run:
        """Return `run` with what only its live events tell: the step and the tool under way."""
        return replace(run, step=self.run.step, tool=self.run.tool) if run.status in LIVE else run

    def _insert(self, row: Row) -> None:
        row = replace(row, head=row.kind in HEADED and not row.lane and not self._follows_turn(row))
        self._held[row.key] = _Held(row)
        insort(self._order, (row.position, row.key))
        self._waiting.append(["row", asdict(row)])

    def _move(self, before: Row, row: Row) -> None:
        if before.position != row.position:
            self._order.remove((before.position, row.key))
            insort(self._order, (row.position, row.key))

    def _is_older(self, row: Row) -> bool:
        return self.older and bool(self._order) and (row.position, row.key) < self._order[0]

    def _follows_turn(self, row: Row) -> bool:
        """Whether the agent spoke last before `row`; cards and notes are nobody's words."""
        before = bisect_left(self._order, (row.position, row.key))
        rows = (self._held[self._order[index][1]].row for index in range(before - 1, -1, -1))
        return next((one.kind in HEADED for one in rows if one.kind in SPOKEN and not one.lane), False)

    def _encode(self, number: int, ops: list[Op]) -> str:
        return _dumps({"e": self.epoch[-EPOCH_TAIL:], "n": number, "ops": ops})

    def _trim(self) -> None:
        # twice the window before cutting, so that the cut is rare; a follower never notices, a newcomer gets a window
        if len(self._order) > 4 * KEPT_ROWS:
            for _, key in self._order[: -2 * KEPT_ROWS]:
                del self._held[key]
            del self._order[: -2 * KEPT_ROWS]
            self.older = True


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _changed_parts(before: Sequence[Part], after: Sequence[Part]) -> list[dict[str, object]] | None:
    """Return the parts to send when the row kept its parts or got more at the end; None when it must be sent whole."""
    if [part.key for part in after[: len(before)]] != [part.key for part in before]:
        return None
    old = {part.key: part for part in before}
    return [_slim_part(old.get(part.key), part) for part in after if old.get(part.key) != part]


def _slim_part(before: Part | None, part: Part) -> dict[str, object]:
    record = asdict(part)
    if before is not None and before.text == part.text:
        del record["text"]
    return record


def _slim_row(before: Row, row: Row) -> dict[str, object]:
    old = {part.key: part for part in before.parts}
    record = asdict(replace(row, parts=[]))
    record["parts"] = [_slim_part(old.get(part.key), part) for part in row.parts]
    return record


def _merged(ops: Iterable[Op]) -> list[Op]:
    merged: list[Op] = []
    for op in ops:
        if merged and op[0] == "+" and merged[-1][0] == "+":
            merged[-1] = ["+", f"{merged[-1][1]}{op[1]}"]
        else:
            merged.append(op)
    return merged
