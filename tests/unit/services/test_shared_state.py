import json
from contextlib import aclosing

import pytest

from chat_app.services.panels import PanelSpec
from chat_app.services.policy import Refused
from chat_app.services.problems import Busy, NotInState
from chat_app.services.shared_state import LONGEST
from tests.fakes import until
from tests.support.world import Gate, World, answer, finished, frame_of, started, unreachable

pytest_plugins = ("tests.support.databases",)
PANELS = (PanelSpec("state", edits=("/app/**",)),)
BOARD = {"app": {"title": "Board", "done": False}, "usage": 1}


def snapshot(state):
    return {"type": "STATE_SNAPSHOT", "snapshot": state}


def telling(state):
    """Script a run that says what the state is."""
    return lambda run: [started(run), snapshot(state), finished(run)]


def keeping(run):
    """Script a run that says of the state what it was given."""
    return [started(run), snapshot(run.state), finished(run)]


@pytest.fixture
def world(sqlite):
    return World(sqlite, panels=PANELS)


async def shown(world: World, thread: str) -> dict:
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
        return frame_of(await anext(frames))["snapshot"]["panels"]


async def past(world: World, thread: str, number: int) -> dict:
    return json.loads(await world.shared.past(world.ada, thread, number))["past"]


async def test_a_change_is_the_persons_and_goes_out_with_the_next_message(world):
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        await world.shared.edit(world.ada, thread, "/app/done", True)
        panels = await shown(world, thread)
        assert panels["views"]["state"]["view"]["app"]["done"] is True
        assert panels["shared"]["yours"] == ["/app/done"]
        assert panels["shared"]["by"] == "Ada"

        await world.said("Go on", keeping, thread=thread)
        assert world.agent.requests[-1].state == {**BOARD, "app": {"title": "Board", "done": True}}
        panels = await shown(world, thread)
        assert panels["shared"]["yours"] == []
        assert panels["views"]["state"]["view"]["app"]["done"] is True


async def test_a_change_stays_the_persons_when_the_agent_was_never_reached(world):
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        await world.shared.edit(world.ada, thread, "/app/done", True)
        await world.said("Go on", unreachable, thread=thread)
        assert (await shown(world, thread))["shared"]["yours"] == ["/app/done"]


async def test_an_agent_that_says_nothing_of_the_state_has_it_all_the_same(world):
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        await world.shared.edit(world.ada, thread, "/app/done", True)
        await world.said("Go on", answer("Yes."), thread=thread)
        assert (await shown(world, thread))["shared"]["yours"] == []


async def test_a_change_taken_back_is_nobodys(world):
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        for value in (True, False):
            await world.shared.edit(world.ada, thread, "/app/done", value)
        assert (await shown(world, thread))["shared"]["yours"] == []


async def test_the_state_is_the_agents_while_it_works(world):
    gate = Gate()
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        world.agent.scripts.append(lambda run: [started(run), gate, finished(run)])
        await world.chat.send(world.ada, thread, "Go on")
        await until(lambda: world.agent.waiting == 1)
        with pytest.raises(Busy):
            await world.shared.edit(world.ada, thread, "/app/done", True)
        gate.set()
        await world.idle()


@pytest.mark.parametrize("pointer", ["/usage", "", "/app"])
async def test_what_no_panel_lets_change_is_refused(sqlite, pointer):
    world = World(sqlite, panels=(PanelSpec("state", edits=("/app/*",)),))
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        with pytest.raises(Refused):
            await world.shared.edit(world.ada, thread, pointer, 1)


@pytest.mark.parametrize(("pointer", "value"), [("/app/gone", 1), ("/app/title", "x" * LONGEST)])
async def test_a_place_that_is_not_there_or_a_value_too_long_changes_nothing(world, pointer, value):
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        with pytest.raises(NotInState):
            await world.shared.edit(world.ada, thread, pointer, value)
        assert (await shown(world, thread))["shared"]["count"] == 1


async def test_a_foreign_state_can_be_neither_changed_nor_read(world):
    async with world.running():
        thread = await world.said("Hello", telling(BOARD))
        with pytest.raises(Refused):
            await world.shared.edit(world.bob, thread, "/app/done", True)
        with pytest.raises(Refused):
            await world.shared.past(world.bob, thread, 1)


async def test_each_version_tells_who_made_it_and_what_was_before(world):
    async with world.running():
        thread = await world.said("Hello", telling({"app": {"n": 1}}))
        await world.shared.edit(world.ada, thread, "/app/n", 2)
        await world.said("Go on", telling({"app": {"n": 3}}), thread=thread)
        versions = [await past(world, thread, number) for number in (1, 2, 3, 99)]
        assert [(one["number"], one["count"], one["by"]) for one in versions] == [
            (1, 3, ""),
            (2, 3, "Ada"),
            (3, 3, ""),
            (3, 3, ""),
        ]
        assert [(one["was"], one["now"]) for one in versions[:3]] == [
            ({}, {"app": {"n": 1}}),
            ({"app": {"n": 1}}, {"app": {"n": 2}}),
            ({"app": {"n": 2}}, {"app": {"n": 3}}),
        ]
        assert versions[1]["mine"] == [2]
        assert versions[1]["views"]["state"]["view"] == {"app": {"n": 2}}


async def test_a_thread_without_a_state_has_no_versions(world):
    async with world.running():
        thread = await world.said("Hello", answer("Hi."))
        with pytest.raises(Refused):
            await world.shared.past(world.ada, thread, 1)


async def test_followers_see_the_state_while_it_changes(world):
    gate = Gate()
    async with world.running():
        world.agent.scripts.append(
            lambda run: [
                started(run),
                snapshot({"n": 1}),
                {"type": "STEP_STARTED", "stepName": "Count"},
                gate,
                {"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/n", "value": 2}]},
                finished(run),
            ]
        )
        thread = await world.chat.send(world.ada, None, "Count")
        await until(lambda: world.agent.waiting == 1)
        async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
            snapshot_frame = frame_of(await anext(frames))["snapshot"]
            assert snapshot_frame["panels"]["views"]["state"]["view"] == {"n": 1}
            assert snapshot_frame["run"]["step"] == "Count"
            gate.set()
            ops = []
            while not any(op[0] in ("patch", "panel") for op in ops):
                ops += frame_of(await anext(frames)).get("ops", [])
        await world.idle()
        assert (await shown(world, thread))["views"]["state"]["view"] == {"n": 2}


async def test_a_thread_opened_again_shows_the_last_state_that_fitted(sqlite):
    world = World(sqlite, panels=(PanelSpec("count", "/app"), PanelSpec("state")))
    async with world.running():
        thread = await world.said("Hello", telling({"app": 1}))
        await world.said("Go on", telling({"other": 2}), thread=thread)
        views = (await shown(world, thread))["views"]
        assert (views["count"]["status"], views["count"]["view"]) == ("stale", 1)
        assert views["count"]["at"]
