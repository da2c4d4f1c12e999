import asyncio
from contextlib import asynccontextmanager, suppress

import pytest
from structlog.testing import capture_logs

from chat_app.data.errors import DatabaseBusy
from chat_app.services.batch import Batch
from chat_app.services.journal import Journal
from tests.fakes import NOON, until, within


class Recording:
    """A recorder that holds numbered entries and gives them up as batches named for them."""

    def __init__(self, exchange: str) -> None:
        self.exchange = exchange
        self.entries = 0
        self.taken = 0

    def __len__(self) -> int:
        return self.entries

    @property
    def pending(self) -> bool:
        return self.entries > 0

    def take(self) -> Batch:
        self.taken += self.entries
        self.entries = 0
        return Batch(exchange=self.exchange, thread="t", at=NOON, last_seq=self.taken, leaf=None)


class Sql:
    """Where batches go: what was written, what is refused, and whether anybody answers."""

    def __init__(self) -> None:
        self.written: list[list[tuple[str, int]]] = []
        self.lost: list[str] = []
        self.trouble: Exception | None = None
        self.tries = 0

    def write(self, batches: list[Batch]) -> list[str]:
        self.tries += 1
        if self.trouble is not None:
            raise self.trouble
        self.written.append([(batch.exchange, batch.last_seq) for batch in batches])
        return [batch.exchange for batch in batches if batch.exchange in self.lost]


def journal_of(sql: Sql, *, interval: float = 60.0, most: int = 3) -> Journal:
    return Journal(sql.write, interval=interval, most=most, retry=0.001)


@asynccontextmanager
async def running(journal: Journal):
    task = asyncio.ensure_future(journal.run())
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
def sql():
    return Sql()


async def test_everything_recorded_is_committed_together(sql):
    journal, one, two = journal_of(sql), Recording("x1"), Recording("x2")
    journal.add("x1", one, lambda: None)
    journal.add("x2", two, lambda: None)
    one.entries, two.entries = 2, 1
    assert await journal.flush()
    assert sql.written == [[("x1", 2), ("x2", 1)]]


async def test_nothing_recorded_is_no_commit(sql):
    journal = journal_of(sql)
    journal.add("x1", Recording("x1"), lambda: None)
    assert await journal.flush()
    assert sql.tries == 0


async def test_what_was_closed_is_committed_at_once(sql):
    journal, one = journal_of(sql), Recording("x1")
    async with running(journal):
        journal.add("x1", one, lambda: None)
        one.entries = 1
        journal.noted("x1", boundary=True)
        await until(lambda: sql.written)


async def test_what_is_still_growing_waits_for_the_interval(sql):
    journal, one = journal_of(sql, interval=0.02), Recording("x1")
    async with running(journal):
        journal.add("x1", one, lambda: None)
        await until(lambda: not journal._due.is_set())
        one.entries = 1
        journal.noted("x1", boundary=False)
        assert not journal._due.is_set()
        await until(lambda: sql.written)


async def test_much_that_waits_is_committed_at_once(sql):
    journal, one = journal_of(sql, most=3), Recording("x1")
    async with running(journal):
        journal.add("x1", one, lambda: None)
        one.entries = 3
        journal.noted("x1", boundary=False)
        await until(lambda: sql.written)


async def test_a_process_without_runs_does_not_look(sql):
    journal = journal_of(sql, interval=0.001)
    async with running(journal) as task:
        for _ in range(20):
            await asyncio.sleep(0)
        assert not task.done()
        assert sql.tries == 0


async def test_news_of_an_unknown_exchange_is_no_trouble(sql):
    journal = journal_of(sql)
    journal.noted("unknown", boundary=True)
    journal.remove("unknown")
    assert not journal._due.is_set()


async def test_what_could_not_be_written_is_written_first_when_the_database_is_back(sql):
    journal, one = journal_of(sql), Recording("x1")
    journal.add("x1", one, lambda: None)
    sql.trouble = DatabaseBusy("away")
    for _ in range(3):
        one.entries = 1
        with capture_logs() as logs:
            assert not await journal.flush()
        assert [entry["event"] for entry in logs] == ["journal_waits"]
    sql.trouble = None
    one.entries = 1
    assert await journal.flush()
    assert sql.written == [[("x1", 1), ("x1", 2), ("x1", 3), ("x1", 4)]]
    assert await journal.flush()
    assert len(sql.written) == 1


async def test_the_end_of_an_exchange_waits_for_the_database(sql):
    journal, one = journal_of(sql), Recording("x1")
    journal.add("x1", one, lambda: None)
    one.entries, sql.trouble = 1, DatabaseBusy("away")
    ending = asyncio.ensure_future(journal.finish("x1"))
    await until(lambda: sql.tries >= 2)
    assert not ending.done()
    sql.trouble = None
    await within(ending)
    assert sql.written == [[("x1", 1)]]


async def test_an_exchange_of_somebody_else_is_let_go_and_told(sql):
    journal, told = journal_of(sql), []
    for name in ("x1", "x2"):
        recording = Recording(name)
        recording.entries = 1
        journal.add(name, recording, lambda name=name: told.append(name))
    sql.lost = ["x1"]
    assert await journal.flush()
    assert told == ["x1"]
    assert list(journal._open) == ["x2"]
    await within(journal.finish("x1"))


async def test_what_was_removed_while_it_was_written_is_not_told(sql):
    journal, told, one = journal_of(sql), [], Recording("x1")
    journal.add("x1", one, lambda: told.append("x1"))
    one.entries, sql.lost = 1, ["x1"]
    flushing = asyncio.ensure_future(journal.flush())
    await asyncio.sleep(0)
    journal.remove("x1")
    assert await within(flushing)
    assert told == []


async def test_what_waits_of_a_removed_exchange_is_forgotten(sql):
    journal, one = journal_of(sql), Recording("x1")
    journal.add("x1", one, lambda: None)
    one.entries = 1
    journal.remove("x1")
    assert await journal.flush()
    assert sql.tries == 0


async def test_two_commits_never_overlap(sql):
    journal, one, inside = journal_of(sql), Recording("x1"), []

    def write(batches):
        inside.append(len(inside))
        assert journal._writing.locked()
        return []

    journal._write = write
    journal.add("x1", one, lambda: None)
    one.entries = 1
    first = asyncio.ensure_future(journal.flush())
    await asyncio.sleep(0)
    one.entries = 1
    second = asyncio.ensure_future(journal.flush())
    assert await within(asyncio.gather(first, second)) == [True, True]
    assert inside == [0, 1]


async def test_what_is_recorded_while_a_commit_runs_is_in_the_next(sql):
    journal, one = journal_of(sql), Recording("x1")
    journal.add("x1", one, lambda: None)
    one.entries = 1
    flushing = asyncio.ensure_future(journal.flush())
    await asyncio.sleep(0)
    one.entries = 1
    await within(flushing)
    assert one.pending
    await journal.flush()
    assert sql.written == [[("x1", 1)], [("x1", 2)]]


async def test_a_fault_of_ours_is_not_taken_for_an_absent_database(sql):
    journal, one = journal_of(sql), Recording("x1")
    journal.add("x1", one, lambda: None)
    one.entries, sql.trouble = 1, LookupError("a fault")
    with pytest.raises(LookupError):
        await journal.flush()


async def test_commits_go_on_after_a_fault_of_ours(sql):
    journal, one = journal_of(sql, interval=0.001), Recording("x1")
    journal.add("x1", one, lambda: None)
    one.entries, sql.trouble = 1, LookupError("a fault")
    with capture_logs() as logs:
        async with running(journal):
            await until(lambda: logs)
            sql.trouble = None
            await until(lambda: sql.written)
    assert logs[0]["event"] == "task_failed"
