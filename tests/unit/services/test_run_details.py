import pytest
from ag_ui.core import TokenUsage

from chat_app.services.policy import Policy, Refused
from chat_app.services.problems import NotEditable
from chat_app.services.run_details import Details, Oddity, RunDetails, Used, counted, details_of
from tests.support.world import World, answer, finished, started

pytest_plugins = ("tests.support.databases",)
USED = [
    {"model": "m-1", "provider": "p", "inputTokens": 10, "outputTokens": 3},
    {"model": "m-2", "inputTokens": 1, "reasoningTokens": 2, "cachedInputTokens": 0},
]


@pytest.fixture
def world(sqlite):
    return World(sqlite)


def spending(run):
    return [started(run), finished(run, usage=USED)]


def of(world: World, thread: str, run: str = "", person=None):
    return RunDetails(world.database, Policy()).of_run(person or world.ada, thread, run)


async def test_a_run_tells_what_each_model_used(world):
    async with world.running():
        thread = await world.said("Hello", spending)
        details = await of(world, thread)
        assert details.used == [Used("m-1", "p", 10, 3), Used("m-2", "", 1, -1, 2, 0)]
        assert (details.status, bool(details.started), bool(details.ended)) == ("success", True, True)


async def test_each_run_tells_its_own(world):
    async with world.running():
        thread = await world.said("Hello", spending)
        await world.said("Again", answer("Hi."), thread=thread)
        first, second = world.runs(thread)
        assert len((await of(world, thread, first.id)).used) == 2
        assert (await of(world, thread, second.id)).used == []
        assert (await of(world, thread)).run == second.id


async def test_a_run_of_another_thread_or_person_is_not_told(world):
    async with world.running():
        thread, other = await world.said("Hello", answer("Hi.")), await world.said("Hello", answer("Hi."))
        run = world.runs(other)[0].id
        with pytest.raises(NotEditable):
            await of(world, thread, run)
        with pytest.raises(NotEditable):
            await of(world, thread, "nobody")
        with pytest.raises(Refused):
            await of(world, other, run, person=world.bob)


async def test_what_was_odd_is_counted(world):
    async with world.running():
        stray = {"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/no", "value": 1}]}
        thread = await world.said("Hello", lambda run: [started(run), stray, finished(run)])
        assert Oddity("patch-failed", 1) in (await of(world, thread)).oddities


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("CANCELLED", ("cancelled", "", "")),
        ("cancelled", ("cancelled", "", "")),
        ("quota", ("failed", "quota", "No")),
    ],
)
async def test_a_run_that_was_stopped_is_told_as_stopped_and_one_that_failed_with_its_code(world, code, told):
    async with world.running():
        end = {"type": "RUN_ERROR", "message": "No", "code": code}
        details = await of(world, await world.said("Hello", lambda run: [started(run), end]))
        assert (details.status, details.code, details.message) == told


def test_a_count_nobody_gave_is_unknown():
    assert Used() == Used("", "", -1, -1, -1, -1)
    assert Details().used == []
    assert TokenUsage().input_tokens is None
    assert details_of is not None


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
