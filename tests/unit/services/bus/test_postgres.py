import pytest
from structlog.testing import capture_logs

from chat_app.data.db import Database
from chat_app.data.errors import DatabaseUnreachable
from chat_app.services.bus import EVERYTHING, PostgresBus, Wake
from tests.fakes import until, within

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def database(fresh_url):
    opened = Database(fresh_url("postgresql"))
    yield opened
    opened.dispose()


class Ears:
    """What one process has heard, without the looks at everything that begin and mend a connection."""

    def __init__(self) -> None:
        self.heard: set[Wake] = set()
        self.looks = 0

    def __call__(self, wakes: frozenset[Wake]) -> None:
        self.looks += EVERYTHING in wakes
        self.heard |= wakes - {EVERYTHING}


@pytest.fixture
async def two(database):
    """Two processes on the bus, and what each has heard."""
    made = [(PostgresBus(database, me=name, retry=0.01), Ears()) for name in ("one", "other")]
    for bus, ears in made:
        await within(bus.join(ears))
        await within(bus.settle())
    await until(lambda: all(ears.looks for _, ears in made))
    yield made
    for bus, _ in made:
        await bus.leave()


async def test_who_gets_off_before_getting_on_can_get_on_as_the_first(database):
    bus = PostgresBus(database, me="one")
    await within(bus.leave())
    assert await bus.join(Ears())
    await bus.leave()


async def test_the_first_is_alone_and_who_comes_later_is_not(database):
    first, second = (PostgresBus(database, me=name) for name in ("one", "other"))
    assert await first.join(Ears())
    assert not await second.join(Ears())
    await first.settle()
    await second.settle()
    await first.leave()
    third = PostgresBus(database, me="third")
    assert not await third.join(Ears())
    await second.leave()
    await third.leave()
    fourth = PostgresBus(database, me="fourth")
    assert await fourth.join(Ears())
    await fourth.leave()


async def test_a_wake_reaches_the_others_and_not_oneself(two):
    (one, mine), (_, theirs) = two
    many = frozenset(Wake(f"{number:036}", f"{number:036}") for number in range(200))
    one.post(many)
    await until(lambda: theirs.heard == many)
    assert mine.heard == set()


async def test_a_broken_connection_is_made_anew_and_everything_looked_at(two, postgres):
    (one, _), (_, theirs) = two
    looked = theirs.looks
    with capture_logs() as logs:
        postgres.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'parley' AND query LIKE '%advisory%'"
        )
        await until(lambda: theirs.looks > looked)
    assert {line["event"] for line in logs} >= {"bus_broke"}
    one.post(frozenset({Wake("t")}))
    await until(lambda: Wake("t") in theirs.heard)


async def test_after_a_database_was_away_everything_is_looked_at_and_wakes_arrive_again(two, postgres):
    (one, _), (_, theirs) = two
    looked = theirs.looks
    with capture_logs() as logs:
        postgres.stop("fast")
        await until(lambda: len([line for line in logs if line["event"] == "bus_waits"]) > 2)
        postgres.start()
        await until(lambda: theirs.looks > looked, seconds=10)
    one.post(frozenset({Wake("next")}))
    await until(lambda: Wake("next") in theirs.heard)


class Unwilling(Database):
    """A database that listens, and takes nothing for the first few times."""

    refusals = 3

    def transaction(self):
        if self.refusals:
            self.refusals -= 1
            raise DatabaseUnreachable("it is being restarted")
        return super().transaction()


async def test_a_wake_the_database_does_not_take_is_said_again_until_it_does(fresh_url):
    url = fresh_url("postgresql")
    databases = Unwilling(url), Database(url)
    one, other = (
        PostgresBus(database, me=name, retry=0.01)
        for database, name in zip(databases, ("one", "other"), strict=True)
    )
    ears = Ears()
    for bus, hear in ((one, Ears()), (other, ears)):
        await within(bus.join(hear))
        await within(bus.settle())
    await until(lambda: ears.looks)
    with capture_logs() as logs:
        one.post(frozenset({Wake("late")}))
        await until(lambda: Wake("late") in ears.heard)
    assert [line["event"] for line in logs] == ["bus_waits"] * 3
    for bus in (one, other):
        await bus.leave()
    for database in databases:
        database.dispose()


def test_who_has_not_joined_hears_nothing(tmp_path):
    bus = PostgresBus(Database(f"postgresql+psycopg://parley@/nothing?host={tmp_path}"), me="one")
    assert bus._hear(frozenset({EVERYTHING})) is None


async def test_a_server_that_is_not_there_is_said_in_words(tmp_path):
    nobody = Database(f"postgresql+psycopg://parley@/nothing?host={tmp_path}")
    with pytest.raises(DatabaseUnreachable, match="cannot be reached"):
        await PostgresBus(nobody, me="one").join(Ears())
    nobody.dispose()
