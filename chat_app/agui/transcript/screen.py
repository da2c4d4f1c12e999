"""What is on screen: the rows in order, the parts that can still change, and the turn they join.

This is the store the reducer's handlers edit; every edit returns the row change it makes. Message and
reasoning ids count for one run, the ids of calls and activities for the life of the thread.
"""

from collections.abc import Callable
from typing import Any

from chat_app.agui.subagents import SubagentRegistry
from chat_app.agui.transcript.live import LiveActivity, LiveCall, LivePart, LiveText, Row
from chat_app.agui.updates import Appended, Diagnostic, Idle, Removed, RunState, Touched


class Screen:
    """The drawn rows of one thread."""

    def __init__(self, report: Callable[[Diagnostic], None], ask_tools: frozenset[str]) -> None:
        # What the next terminal event ends: the run of this id, or with None the one that started last.
        self.requested: str | None = None
        self.rows: dict[str, Row] = {}
        self.run: RunState = Idle()
        self.run_id: str | None = None
        self.steps: dict[tuple[str | None, str], None] = {}
        self.texts: dict[str, tuple[Row, LiveText]] = {}
        self.calls: dict[str, tuple[Row, LiveCall]] = {}
        self.activities: dict[str, tuple[Row, LiveActivity]] = {}
        self.streaming: dict[LiveText | LiveCall, Row] = {}
        self.awaiting: list[tuple[Row, LiveCall]] = []
        self.replaying: list[LiveCall] = []
        self.gone: set[str] = set()
        self.subagents = SubagentRegistry()
        self.lanes: dict[str, Row] = {}
        self.customs: dict[str | None, Row] = {}
        self.ask_tools = ask_tools
        self._report = report
        self._turn: Row | None = None
        self._numbers: dict[str, int] = {}
        self._retired: set[str] = set()

    # ------------------------------------------------------------ rows

    def open_row(self, role: str, wire_id: str, owner: str | None) -> Row:
        """Put a new row at the end. It ends the turn, unless it becomes one."""
        row = Row(role, self._unique(wire_id), wire_id, self.run_id, owner)
        self.rows[row.key] = row
        self._turn = None
        return row

    def turn(self, wire_id: str, owner: str | None) -> Row:
        """Return the row that the next part of ``owner`` joins; one named ``wire_id`` when none is open."""
        turn = self._turn
        if turn is None or turn.owner != owner or turn.run_id != self.run_id:
            turn = self.open_row("assistant", wire_id, owner)
            self._turn = turn
        return turn

    def end_turn(self) -> None:
        """Let the next part open a new row."""
        self._turn = None

    def drop_row(self, row: Row) -> Removed:
        """Take a row off the screen. Its key is not used again: to a reader it would be the same row."""
        for part in row.parts:
            self.forget(part)
        del self.rows[row.key]
        self._retired.add(row.key)
        if self._turn is row:
            self._turn = None
        return Removed(row.key)

    def _unique(self, wire_id: str) -> str:
        if wire_id not in self._numbers and self._is_free(wire_id):
            return wire_id
        number = self._numbers.get(wire_id, 1) + 1
        while not self._is_free(f"{wire_id}#{number}"):
            number += 1
        self._numbers[wire_id] = number
        return f"{wire_id}#{number}"

    def _is_free(self, key: str) -> bool:
        return key not in self.rows and key not in self._retired

    # ------------------------------------------------------------ parts

    def add_text(
        self, row: Row, wire_id: str, text: str = "", *, reasoning: bool = False, streaming: bool = False
    ) -> LiveText:
        """Add a text to a row and remember it for the rest of the run."""
        part = LiveText(row.part_key(wire_id), wire_id, reasoning, streaming, text=text)
        row.parts = [*row.parts, part]  # not append: that would reserve room most rows never use
        self.texts[wire_id] = (row, part)
        self.gone.discard(wire_id)
        if streaming:
            self.streaming[part] = row
        return part

    def add_call(self, row: Row, call: LiveCall) -> None:
        """Add a call to a row and remember it for good."""
        call.key = row.part_key(call.wire_id)
        row.parts.append(call)
        self.calls[call.wire_id] = (row, call)
        if call.streaming:
            self.streaming[call] = row

    def drop_part(self, row: Row, part: LivePart) -> Touched | Removed:
        """Take a part off its row, and the row off the screen when it was the last."""
        self.forget(part)
        row.parts = [kept for kept in row.parts if kept is not part]
        return self.touch(row) if row.parts else self.drop_row(row)

    def forget(self, part: LivePart) -> None:
        """Let nothing that arrives reach this part any more."""
        places: tuple[dict[str, tuple[Row, Any]], ...] = (self.texts, self.calls, self.activities)
        for place in places:
            held = place.get(part.wire_id)
            if held is not None and held[1] is part:
                del place[part.wire_id]
        if isinstance(part, LiveText | LiveCall):
            self.streaming.pop(part, None)
        self.awaiting = [held for held in self.awaiting if held[1] is not part]

    # ------------------------------------------------------------ changes

    def touch(self, row: Row) -> Touched:
        """Note that a row changed."""
        row.frozen = None
        return Touched(row.key)

    def append(self, row: Row, part: LiveText | LiveCall, delta: str) -> tuple[Appended, ...]:
        """Let a part grow; nothing is joined or copied."""
        if not delta:
            return ()
        row.frozen = None
        (part.args if isinstance(part, LiveCall) else part).add(delta)
        return (Appended(row.key, part.key, delta),)

    def warn(self, code: str, message: str, event_type: str) -> None:
        """Report something that was ignored."""
        self._report(Diagnostic(code, message, event_type))
