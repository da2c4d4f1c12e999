"""Every recorded answer of a real server, drawn: no error the recording does not hold, and no row that flickers.

The recorder shows each event of the stream to a follower, as it does for a live run; the follower holds what the
transcript is. A snapshot of the messages may bring other ids for what is on the screen; the rows stay.
"""

from dataclasses import asdict, dataclass, field

import pytest

from chat_app.agui import Failed
from chat_app.data.records import MessageRecord, RunRecord
from chat_app.services.content import content_of
from chat_app.services.hub import Channel
from chat_app.services.live import LiveThread
from chat_app.services.projection import Context, message_row, with_heads
from chat_app.services.recorder import Ground, Place, Recorder
from chat_app.services.rows import Row, View
from tests.fakes import NOON, Browser, FakeClock, counting_ids
from tests.support.recorded import last_word, recordings, session_of
from tests.support.shared import params

STREAMS = recordings()
SNAPSHOT, ERROR = "MESSAGES_SNAPSHOT", "RUN_ERROR"


def name_of(entry) -> str:
    return f"{entry['framework']}/{entry['scenario']}"


@dataclass
class Watched:
    """A follower of one recorded run, and what was on its screen around each snapshot of the messages."""

    entry: dict
    browser: Browser = field(default_factory=Browser)
    around: list[tuple[list[dict], list[dict]]] = field(default_factory=list)
    errors: int = 0

    async def play(self) -> "Watched":
        self.session, params = session_of(
            self.entry, on_event=self._heard, on_diagnostic=lambda _: None, now=FakeClock()
        )
        self._begin(params.run_id)
        self.end = await self.session.run(params)
        return self

    def _begin(self, run_id: str) -> None:
        run = RunRecord(id=run_id, exchange="x", thread="t", wire_run_id=run_id, started=NOON)
        held = self.session.reducer.snapshot().messages
        self.places = {
            message.key: Place(id=message.key, position=at, created=NOON, parent=None, run=None)
            for at, message in enumerate(held, start=1)
        }
        ground = Ground(
            exchange="x",
            run=run,
            last_seq=len(held),
            leaf=None,
            places=self.places,
            spans={},
            context=Context(live_run=run_id),
        )
        self.live = LiveThread("t", "e", View(rows=with_heads([self._row(message) for message in held])))
        channel = Channel(self.live, window=lambda: 0.0)
        self.recorder = Recorder(
            ground, self.session.reducer, channel, now=FakeClock(), new_id=counting_ids()
        )
        self.browser.receive(self.live.snapshot()[1])

    def _row(self, message) -> Row:
        place = self.places[message.key]
        return message_row(
            MessageRecord(
                id=place.id,
                thread="t",
                position=place.position,
                key=message.key,
                wire_id=message.wire_id,
                role=message.role,
                content=content_of(message, {}),
                created=NOON,
                updated=NOON,
            ),
            Context(),
        )

    def _heard(self, event, changes) -> None:
        before = self.browser.shown()
        self.recorder.record(event, changes)
        self.live.publish()
        step = self.live.since(self.browser.number)
        if step is not None:
            self.browser.receive(step[1])
        if event.type == SNAPSHOT:
            self.around.append((before, self.browser.shown()))
        self.errors += event.type == ERROR

    def texts(self) -> list[tuple[str, list[str]]]:
        return [(row["key"], [part["text"] for part in row["parts"]]) for row in self.browser.shown()]


def said(rows: list[dict]) -> dict[str, tuple[str, ...]]:
    """Return what each row of an agent says and calls, by its key."""
    return {
        row["key"]: tuple(part["text"] or part["name"] for part in row["parts"])
        for row in rows
        if row["kind"] == "turn" and any(part["text"] or part["name"] for part in row["parts"])
    }


@pytest.mark.parametrize("entry", params(STREAMS, map(name_of, STREAMS)))
async def test_a_recorded_run_is_drawn_as_it_is_without_an_error_of_ours(entry):
    watched = await Watched(entry).play()
    word = last_word(entry)
    told = word is None or word["type"] == "RUN_ERROR"
    assert isinstance(watched.end, Failed) is told
    assert watched.errors == told
    assert watched.browser.shown() == [asdict(row) for row in watched.live.rows()]
    drawn = watched.session.reducer.snapshot().messages
    assert {row["key"] for row in watched.browser.shown()} == {message.key for message in drawn}


SNAPSHOTS = [entry for entry in STREAMS if entry["counts"].get(SNAPSHOT)]


@pytest.mark.parametrize("entry", params(SNAPSHOTS, map(name_of, SNAPSHOTS)))
async def test_what_a_snapshot_calls_by_another_id_stays_the_row_it_is(entry):
    watched = await Watched(entry).play()
    for before, after in watched.around:
        was, now = said(before), said(after)
        gone = {key: words for key, words in was.items() if key not in now}
        anew = {words for key, words in now.items() if key not in was}
        assert not {key for key, words in gone.items() if words in anew}
        assert [key for key in now if key in was] == [key for key in was if key in now]
