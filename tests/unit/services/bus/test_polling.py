import sqlite3

import pytest
from structlog.testing import capture_logs

from chat_app.services.bus import EVERYTHING, PollingBus, Wake
from tests.fakes import until

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def buses(sqlite):
    made = [PollingBus(sqlite.file, pause=0.005) for _ in range(3)]
    yield made
    for bus in made:
        await bus.leave()


def committed(sqlite) -> None:
    with sqlite.transaction():
        sqlite3.connect(sqlite.file).close()
    with sqlite3.connect(sqlite.file) as other:
        other.execute("CREATE TABLE IF NOT EXISTS odd (x)")
        other.execute("INSERT INTO odd VALUES (1)")
    other.close()


async def test_the_first_is_alone_and_the_second_is_not(buses):
    first, second, _ = buses
    assert await first.join(lambda _: None)
    assert not await second.join(lambda _: None)


async def test_a_file_that_was_left_by_all_is_free_again(buses):
    first, second, third = buses
    await first.join(lambda _: None)
    await second.join(lambda _: None)
    await first.leave()
    assert not await third.join(lambda _: None)
    await third.leave()
    await second.leave()
    first._presence = second._presence = third._presence = None
    again = PollingBus(first._file)
    assert await again.join(lambda _: None)
    await again.leave()


async def test_a_commit_of_somebody_wakes_those_who_are_not_alone(buses, sqlite):
    first, second, _ = buses
    heard: list[frozenset[Wake]] = []
    for bus in (first, second):
        await bus.join(heard.append)
        await bus.settle()
    second.post(frozenset({Wake("t")}))
    await until(lambda: committed(sqlite) or heard)
    assert heard[0] == frozenset({EVERYTHING})


async def test_nobody_looks_while_alone(buses, sqlite):
    first = buses[0]
    looks: list[str] = []

    class Watched:
        def __init__(self, presence) -> None:
            self.presence = presence

        def has_company(self) -> bool:
            looks.append("look")
            return self.presence.has_company()

        def go(self) -> None:
            self.presence.go()

    heard: list[frozenset[Wake]] = []
    await first.join(heard.append)
    first._presence = Watched(first._presence)
    await first.settle()
    committed(sqlite)
    await until(lambda: len(looks) > 2)
    assert heard == []


async def test_a_file_that_cannot_be_read_is_said_and_looked_at_again(buses):
    class Broken:
        def happened(self) -> bool:
            raise sqlite3.OperationalError("disk I/O error")

    with capture_logs() as logs:
        assert not await buses[0]._happened(Broken())
    assert [line["event"] for line in logs] == ["bus_waits"]
