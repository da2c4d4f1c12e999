"""The messages of a thread in order, findable by id, and what the current run did to them.

This is the store the folds of this package edit. Finding, appending and growing cost the same however
long the thread is; an answer looks for its call from the end, where calls are.
"""

from collections.abc import Callable, Iterable, Iterator

from chat_app.agui.history.entries import CallEntry, Entry
from chat_app.agui.updates import Diagnostic


class History:
    """Entries in order, with an index of the newest entry per message id and one of the calls."""

    def __init__(self, report: Callable[[Diagnostic], None]) -> None:
        self._entries: list[Entry] = []
        self._by_id: dict[str, Entry] = {}
        self._calls: dict[str, CallEntry] = {}
        self._report = report
        self.run = 0
        self.run_id = ""
        self.run_calls: dict[str, None] = {}
        self.gone: set[str] = set()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def start_run(self, run_id: str) -> None:
        """Forget what was tallied for the run before."""
        self.run += 1
        self.run_id = run_id
        for call_id in self.run_calls:
            if call := self._calls.get(call_id):
                call.replay = None
        self.run_calls.clear()
        self.gone.clear()

    # ------------------------------------------------------------ finding

    def find(self, message_id: str) -> Entry | None:
        """Return the newest message of this id."""
        return self._by_id.get(message_id)

    def call(self, call_id: str) -> CallEntry | None:
        """Return the call of this id, whichever run made it."""
        return self._calls.get(call_id)

    def calls(self) -> Iterable[CallEntry]:
        """Return every call, oldest first."""
        return self._calls.values()

    # ------------------------------------------------------------ changing

    def append(self, entry: Entry) -> Entry:
        """Put a message at the end."""
        self._entries.append(entry)
        self._index(entry)
        return entry

    def add_call(self, call: CallEntry) -> None:
        """Add a call to the message that holds it."""
        if call.holder.calls is None:
            call.holder.calls = []
        call.holder.calls.append(call)
        self._calls[call.call_id] = call

    def insert_answer(self, answer: Entry) -> None:
        """Put a tool message behind its call's message and the answers there, or at the end."""
        call = self._calls.get(answer.call_id)
        if call is None:
            self.append(answer)
            return
        call.answered = True
        at = self._position(call.holder) + 1
        while at < len(self._entries) and self._entries[at].role == "tool":
            at += 1
        self._entries.insert(at, answer)
        self._by_id[answer.message_id] = answer

    def replace_all(self, entries: list[Entry]) -> None:
        """Hold these messages and no others."""
        self._entries = entries
        self._by_id.clear()
        self._calls.clear()
        for entry in entries:
            self._index(entry)
        for entry in entries:
            if entry.role == "tool" and (call := self._calls.get(entry.call_id)):
                call.answered = True

    def become(self, old: Entry, new: Entry) -> Entry:
        """Put another message in the place of one of the same id."""
        self._entries[self._position(old)] = new
        for call in old.calls or ():
            self._calls.pop(call.call_id, None)
        self._by_id[new.message_id] = new
        return new

    def warn(self, code: str, message: str, event_type: str = "") -> None:
        """Report something that was ignored."""
        self._report(Diagnostic(code, message, event_type))

    def _index(self, entry: Entry) -> None:
        self._by_id[entry.message_id] = entry
        if entry.role == "tool" and (answered := self._calls.get(entry.call_id)):
            answered.answered = True
        for call in entry.calls or ():
            self._calls[call.call_id] = call

    def _position(self, entry: Entry) -> int:
        backwards = range(len(self._entries) - 1, -1, -1)
        return next(index for index in backwards if self._entries[index] is entry)
