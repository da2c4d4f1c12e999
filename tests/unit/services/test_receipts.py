import pytest

from chat_app.data import runs
from chat_app.services.policy import Refused
from chat_app.services.problems import NotEditable
from chat_app.services.receipts import counted
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def test_a_receipt_says_when_a_run_was_under_way(world):
    thread = await world.said("Hello", answer("Hi"))
    (run,) = world.runs(thread)
    receipt = await world.receipts.of_run(world.ada, thread, run.id)
    assert (receipt.run, receipt.wire_run) == (run.id, run.wire_run_id)
    assert "" < receipt.started <= receipt.ended


async def test_a_run_of_another_thread_or_person_is_not_told_of(world):
    thread = await world.said("Hello", answer("Hi"))
    other = await world.said("Hello", answer("Hi"))
    (run,) = world.runs(other)
    for wrong in (run.id, "none"):
        with pytest.raises(NotEditable):
            await world.receipts.of_run(world.ada, thread, wrong)
    with pytest.raises(Refused):
        await world.receipts.of_run(world.bob, other, run.id)
    with world.database.reading() as session:
        assert runs.get(session, run.id) == run


@pytest.mark.parametrize(
    ("usage", "count"),
    [
        (None, -1),
        ("odd", -1),
        ([], -1),
        ([None, {"outputTokens": 3}], -1),
        ([{"inputTokens": None}], -1),
        ([{"inputTokens": 0}], 0),
        ([{"inputTokens": 3}, {"inputTokens": 4}, {"model": "m"}], 7),
    ],
)
def test_a_count_nobody_gave_is_not_zero(usage, count):
    assert counted(usage, "inputTokens") == count
