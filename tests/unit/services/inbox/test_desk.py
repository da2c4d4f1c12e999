"""The inbox over real services: who sees what, who takes what in hand, and what is approved together."""

import asyncio
import json

import pytest
from sqlalchemy import delete, text

from chat_app.data import inbox
from chat_app.data.db import Database
from chat_app.services.approvals import Answer
from chat_app.services.inbox import Query
from chat_app.services.inbox.reading import MOST
from chat_app.services.policy import Refused
from chat_app.services.problems import InHand, Late, NotAlike, NotYours, TooFast
from chat_app.services.rates import Rates
from tests.fakes import until
from tests.support.records import stored_exchange, stored_question, stored_run, stored_thread
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)

BY_ROLE = {"decide": [{"by": "role", "roles": ["approver"]}]}


@pytest.fixture
def world(sqlite):
    return World(sqlite)


def ids(page):
    return [item.id for item in page.questions]


async def asked(world: World, *scripts, policy=BY_ROLE) -> str:
    """Let Ada's agent ask once; return the question."""
    world.rule(policy)
    thread = await world.said("Please", *(scripts or (ask(),)))
    return world.questions(thread)[-1].id


def stored(world: World, count: int) -> list[str]:
    """Store questions of Ada, each in a thread of its own; return them."""
    first = world.thread()
    with world.database.transaction() as session:
        threads = [stored_thread(session, owner=world.ada.id, agent=first.agent) for _ in range(count)]
        begun = [stored_run(session, stored_exchange(session, one), status="interrupted") for one in threads]
        return [stored_question(session, run).id for run in begun]


async def test_who_has_the_role_sees_a_question_with_what_was_said_before_it(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world)
        page = await world.inbox.page(carla, Query(open=one))

    assert ids(page) == [one]
    assert (page.mine, page.assigned, page.all) == (0, 0, 1)
    item = page.questions[0]
    assert (item.question, item.tool, item.person, item.takes) == ("May I?", "send_mail", "Ada", True)
    assert (page.opened.thread, page.opened.may, page.opened.by) == ("", True, "role")
    assert [(line.role, line.text) for line in page.opened.said] == [("user", "Please")]
    assert page.opened.row.actions[0] == "approve"
    assert [one.name for one in page.tools] == ["send_mail"]


async def test_who_asked_sees_it_as_theirs_and_reads_only(world):
    async with world.running():
        one = await asked(world)
        mine = await world.inbox.page(world.ada, Query(tab="mine", open=one))
        everything = await world.inbox.page(world.ada, Query())

    assert (ids(mine), ids(everything)) == ([one], [])
    assert mine.questions[0].takes is False
    assert mine.opened.thread
    assert not mine.opened.may


async def test_who_may_not_decide_sees_nothing(world):
    auditor = world.person("olga", "Olga", "auditor")
    async with world.running():
        one = await asked(world)
        page = await world.inbox.page(world.bob, Query(open=one))
        assert (page.questions, page.all, page.opened.id) == ([], 0, "")
        assert (await world.inbox.page(world.bob, Query(tab="decided"))).questions == []
        with pytest.raises(Refused):
            await world.inbox.page(auditor, Query())


async def test_a_policy_that_changes_is_in_force_at_once(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world)
        assert ids(await world.inbox.page(carla, Query())) == [one]
        world.rule({"decide": [{"by": "role", "roles": ["admin"]}]})
        assert ids(await world.inbox.page(carla, Query())) == []
        world.rule(None)
        assert ids(await world.inbox.page(world.ada, Query())) == [one]


@pytest.mark.parametrize(
    ("narrowed", "found"),
    [
        ({"tool": "send_mail"}, True),
        ({"tool": "other"}, False),
        ({"agent": "none"}, False),
        ({"owner": "none"}, False),
        ({"age": "hour"}, False),
        ({"age": "soon"}, False),
        ({"sort": "newest"}, True),
        ({"sort": "expiry"}, True),
        ({"sort": "nonsense", "tab": "nonsense", "age": "nonsense"}, True),
    ],
)
async def test_a_list_is_narrowed_and_ordered(world, narrowed, found):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world)
        page = await world.inbox.page(carla, Query(**narrowed))
    assert ids(page) == ([one] if found else [])


async def test_a_long_list_says_that_there_is_more(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        first = await asked(world)
        second = await asked(world)
        page = await world.inbox.page(carla, Query(limit=1))
        assert (ids(page), page.more, page.all) == ([first], True, 2)
        assert ids(await world.inbox.page(carla, Query(sort="newest"))) == [second, first]


async def test_a_list_longer_than_one_stretch_is_read_to_its_end(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        world.rule(BY_ROLE)
        waiting = stored(world, MOST + 7)
        first = await world.inbox.page(carla, Query(limit=2 * MOST))
        rest = await world.inbox.page(carla, Query(limit=2 * MOST, after=first.after))
        assert (len(first.questions), first.more, first.all) == (MOST, True, MOST + 7)
        assert (len(rest.questions), rest.more, rest.after) == (7, False, "")
        assert {*ids(first), *ids(rest)} == set(waiting)
        soonest = await world.inbox.page(carla, Query(sort="expiry", limit=MOST))
        assert len(ids(await world.inbox.page(carla, Query(sort="expiry", after=soonest.after)))) == 7
        assert ids(await world.inbox.page(carla, Query(tab="decided", limit=MOST))) == []


@pytest.mark.parametrize(
    "after", ["nowhere", "2026-13-01~q", "2026-01-01T00:00:00~q", "2026-01-01T00:00:00+00:00~"]
)
async def test_a_stretch_that_begins_nowhere_begins_at_the_beginning(world, after):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        world.rule(BY_ROLE)
        one = await asked(world)
        assert ids(await world.inbox.page(carla, Query(after=after))) == [one]


async def test_what_one_of_two_has_agreed_to_is_in_the_list_and_no_longer_in_their_number(world):
    carla, dan = (world.person(name, name.title(), "approver") for name in ("carla", "dan"))
    async with world.running():
        one = await asked(world, policy={"decide": [{"by": "two", "roles": ["approver"]}]})
        counted = world.inbox.follow_count(carla)
        assert json.loads(await anext(counted))["waiting"] == 1
        following = asyncio.ensure_future(anext(counted))
        await world.approvals.decide(carla, one, Answer("approve"))
        assert json.loads(await following)["waiting"] == 0
        await counted.aclose()
        assert ids(await world.inbox.page(carla, Query())) == [one]
        assert json.loads(await anext(world.inbox.follow_count(dan)))["waiting"] == 1


async def test_a_question_in_hand_is_assigned_and_not_taken_by_another(world):
    carla, dan = (world.person(name, name.title(), "approver") for name in ("carla", "dan"))
    async with world.running():
        one = await asked(world)
        await world.inbox.claim(carla, one)
        assert ids(await world.inbox.page(carla, Query(tab="assigned"))) == [one]
        (seen,) = (await world.inbox.page(dan, Query(open=one))).questions
        assert (seen.holder, seen.held, seen.takes) == ("Carla", False, True)
        with pytest.raises(InHand) as refused:
            await world.inbox.claim(dan, one)
        assert "Carla" in refused.value.problem.told
        await world.inbox.give(carla, one, dan.id)
        assert ids(await world.inbox.page(dan, Query(tab="assigned"))) == [one]
        await world.inbox.give(dan, one, "")
        assert (await world.inbox.page(dan, Query())).questions[0].holder == ""


async def test_a_question_is_given_only_to_who_may_decide_it(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world)
        with pytest.raises(NotYours):
            await world.inbox.give(carla, one, world.bob.id)
        with pytest.raises(NotYours):
            await world.inbox.claim(world.ada, one)
        with pytest.raises(Refused):
            await world.inbox.claim(world.bob, one)
        with pytest.raises(Refused):
            await world.inbox.claim(carla, "no-such-question")


async def test_what_is_decided_moves_to_decided_and_tells_by_whom(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world)
        world.agent.scripts.append(answer("done"))
        await world.approvals.decide(carla, one, Answer("approve"))
        await world.idle()
        assert (await world.inbox.page(carla, Query())).questions == []
        for person in (carla, world.ada):
            (item,) = (await world.inbox.page(person, Query(tab="decided"))).questions
            assert (item.id, item.decision, item.decided_by) == (one, "approve", "Carla")
        with pytest.raises(Late):
            await world.inbox.claim(carla, one)


async def test_alike_questions_are_approved_together(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        found = [await asked(world) for _ in range(3)]
        other = await asked(world, ask(arguments='{"to":"c@d.e"}'))
        page = await world.inbox.page(carla, Query())
        assert len({item.same for item in page.questions if item.id != other}) == 1
        for refused in ([*found, other], [*found, "unknown"], []):
            with pytest.raises(NotAlike):
                await world.inbox.approve_alike(carla, refused)
        with pytest.raises(NotAlike):
            await world.inbox.approve_alike(world.bob, found)
        world.agent.scripts.extend([answer("ok")] * 3)
        assert await world.inbox.approve_alike(carla, found) == (3, None)
        await world.idle()
        assert ids(await world.inbox.page(carla, Query())) == [other]


async def test_questions_without_a_call_are_never_alike(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world, ask(question(call=None)))
        with pytest.raises(NotAlike):
            await world.inbox.approve_alike(carla, [one])


async def test_a_tab_is_told_of_a_new_question_and_of_its_end(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        world.rule(BY_ROLE)
        frames, counted = world.inbox.follow(carla, Query()), world.inbox.follow_count(carla)
        assert json.loads(await anext(frames))["inbox"]["questions"] == []
        assert json.loads(await anext(counted)) == {"waiting": 0, "newest": "", "of": ""}
        next_frame, next_count = asyncio.ensure_future(anext(frames)), asyncio.ensure_future(anext(counted))
        one = await asked(world)
        assert [each["id"] for each in json.loads(await next_frame)["inbox"]["questions"]] == [one]
        assert json.loads(await next_count) == {"waiting": 1, "newest": one, "of": ""}
        next_frame = asyncio.ensure_future(anext(frames))
        world.agent.scripts.append(answer("ok"))
        await world.approvals.decide(carla, one, Answer("approve"))
        assert json.loads(await next_frame)["inbox"]["questions"] == []
        await world.idle()
        await frames.aclose()
        await counted.aclose()


async def test_another_question_is_told_of_and_led_to_in_a_chat_of_ones_own(world):
    async with world.running():
        first = await asked(world, policy=None)
        counted = world.inbox.follow_count(world.ada)
        thread = world.agent.requests[0].thread_id
        assert json.loads(await anext(counted)) == {"waiting": 1, "newest": first, "of": thread}
        coming = asyncio.ensure_future(anext(counted))
        second = await asked(world, policy=None)
        told = json.loads(await coming)
        assert (told["waiting"], told["newest"], told["of"] != thread) == (2, second, True)
        await counted.aclose()


async def test_who_has_no_inbox_is_told_no_number(world):
    auditor = world.person("olga", "Olga", "auditor")
    async with world.running():
        assert [frame async for frame in world.inbox.follow_count(auditor)] == []


async def test_what_an_earlier_version_left_is_judged_when_somebody_looks(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world)
        with world.database.transaction() as session:
            session.connection().exec_driver_sql("DELETE FROM inbox_item")
        assert ids(await world.inbox.page(carla, Query())) == [one]


async def test_of_alike_questions_the_first_trouble_is_told_and_the_others_are_approved(sqlite):
    world = World(sqlite, rates=Rates({"decision": "1 per hour"}))
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        found = [await asked(world) for _ in range(3)]
        world.agent.scripts.append(answer("ok"))
        done, trouble = await world.inbox.approve_alike(carla, found)
        await world.idle()
        assert (done, type(trouble)) == (1, TooFast)
        assert ids(await world.inbox.page(carla, Query())) == found[1:]


async def test_a_question_that_lies_nowhere_yet_is_taken_in_hand(world):
    carla = world.person("carla", "Carla", "approver")
    async with world.running():
        one = await asked(world)
        with world.database.transaction() as session:
            session.execute(delete(inbox.item))
        await world.inbox.claim(carla, one)
        assert ids(await world.inbox.page(carla, Query(tab="assigned"))) == [one]


async def test_of_two_who_take_a_question_at_once_one_has_it(fresh_url):
    database = Database(fresh_url("postgresql"))
    world = World(database)
    carla, dan = (world.person(name, name.title(), "approver") for name in ("carla", "dan"))
    async with world.running():
        one = await asked(world)
        with database.transaction() as session:
            assert inbox.hold(session, one, holder=dan.id, by=dan.id, at=world.clock(), was=None)
            late = asyncio.ensure_future(world.inbox.claim(carla, one))
            await until(lambda: waiting(database))
        with pytest.raises(InHand) as refused:
            await late
        assert "Dan" in refused.value.problem.told
    database.dispose()


def waiting(database: Database) -> int:
    """Return how many transactions wait for another one to end."""
    with database.reading() as session:
        return session.scalar(
            text("SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted")
        )
