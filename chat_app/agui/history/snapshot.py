"""Folds whole lists of messages into the history: MESSAGES_SNAPSHOT and the echo of the input.

A snapshot edits rather than replaces. Messages it repeats keep their place and take its content,
messages it leaves out go, new ones follow in its order. Activities and reasoning stay unless it
carries any of their kind, because many agents keep neither.
"""

from collections import defaultdict, deque
from collections.abc import Iterable

from chat_app.agui.events import Message, MessagesSnapshotEvent, RunStartedEvent
from chat_app.agui.history.entries import Entry, entry_of
from chat_app.agui.history.history import History
from chat_app.agui.history.text import Updates
from chat_app.agui.keeping import Keeper
from chat_app.agui.updates import MessagesReplaced


def merge_snapshot(history: History, event: MessagesSnapshotEvent) -> Updates:
    """Merge the agent's list of messages into the history."""
    keeper = Keeper(event)
    incoming = _Incoming(event.messages, history.run)
    held = list(history)
    matched = incoming.match(held)
    kept: list[Entry] = []
    for entry in held:
        replacement = matched.get(id(entry))
        if replacement is not None:
            replacement.foreign = entry.foreign
            kept.append(replacement)
        elif keeper.keeps(entry.role, entry.activity_type):
            kept.append(entry)
    added = incoming.rest()
    _claim_own_prompts(held, kept, added)
    for entry in kept + added:
        _keep_streamed(entry, history)
    history.replace_all(kept + added)
    history.gone |= {entry.message_id for entry in held} - {entry.message_id for entry in history}
    return (MessagesReplaced(tuple(entry.message_id for entry in history)),)


def append_echo(history: History, event: RunStartedEvent) -> None:
    """Append the messages of an echoed input that are not held; held ones are never overwritten."""
    for message in event.input.messages if event.input is not None else ():
        if history.find(message.id) is None:
            history.append(entry_of(message, run=history.run, foreign=True))


class _Incoming:
    """The messages of a snapshot, handed out once each: to a held one of the same id, else as new."""

    def __init__(self, messages: Iterable[Message], run: int) -> None:
        self._entries = [entry_of(message, run=run, foreign=True) for message in messages]
        self._taken: set[int] = set()

    def match(self, held: list[Entry]) -> dict[int, Entry]:
        """Pair held messages with incoming ones: by id and role first, then by id alone."""
        pairs: dict[int, Entry] = {}
        for by_role in (True, False):
            waiting: defaultdict[tuple[str, str], deque[Entry]] = defaultdict(deque)
            for entry in self._entries:
                if id(entry) not in self._taken:
                    waiting[_identity(entry, by_role)].append(entry)
            for entry in held:
                queue = waiting.get(_identity(entry, by_role))
                if queue and id(entry) not in pairs:
                    pairs[id(entry)] = queue.popleft()
                    self._taken.add(id(pairs[id(entry)]))
        return pairs

    def rest(self) -> list[Entry]:
        """Return the incoming messages nobody held."""
        return [entry for entry in self._entries if id(entry) not in self._taken]


def _identity(entry: Entry, by_role: bool) -> tuple[str, str]:
    return (entry.message_id, entry.role if by_role else "")


def _keep_streamed(entry: Entry, history: History) -> None:
    """Give the incoming calls what they must not lose: their run, their openness, streamed arguments."""
    for call in entry.calls or ():
        known = history.call(call.call_id)
        if known is None:
            continue
        call.run, call.ended = known.run, known.ended
        if not call.arguments.read():
            call.arguments = known.arguments


def _claim_own_prompts(held: list[Entry], kept: list[Entry], added: list[Entry]) -> None:
    """Recognise our own system messages in those an agent gave a new id."""
    still_there = {id(entry) for entry in kept}
    ours = {
        (entry.role, entry.read())
        for entry in held
        if not entry.foreign and entry.role in {"system", "developer"} and id(entry) not in still_there
    }
    for entry in added:
        if (entry.role, entry.read()) in ours:
            entry.foreign = False
