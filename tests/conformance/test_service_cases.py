"""Field failures (``cases/``) of the kinds persistence and interrupts: their half that services keep, in SQL."""

import asyncio
import copy
import json
from contextlib import aclosing
from datetime import timedelta

import pytest

from chat_app.data import audit, events
from chat_app.data.tables import Base
from chat_app.services.approvals import Answer
from chat_app.services.policy import Refused
from chat_app.services.problems import DoesNotFit, Expired, NotOffered, Waiting
from chat_app.services.verify import verdict
from tests.fakes import Browser, until, within
from tests.support.records import NOON
from tests.support.shared import load, params
from tests.support.world import Gate, World, answer, ask, question, texts

pytest_plugins = ("tests.support.databases",)


def case(name: str):
    found = load(f"cases/{name}.json")
    return pytest.mark.parametrize("case", params([found] if found else [], [name]))


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


def played(script: list[dict]):
    """Return a script of the agent: the case's events under the ids of the request that came, the line's too."""

    def play(run):
        for event in json.loads(json.dumps(script).replace('"u1"', json.dumps(run.messages[-1].id))):
            if "threadId" in event:
                event |= {"threadId": run.thread_id, "runId": run.run_id}
            yield event

    return play


async def begun(world: World, case: dict) -> str:
    first = case["input"]["runs"][0]
    return await world.said(first["request"]["messages"][-1]["content"], played(first["events"]))


def resume_of(request) -> list[dict]:
    return [entry.model_dump(by_alias=True, exclude_none=True, mode="json") for entry in request.resume or ()]


async def restarted(world: World) -> World:
    """Return the next process on the same database; the old one has gone."""
    await world.services.stop()
    other = World(world.database, worker="worker-2", new_id=world.new_id, clock=world.clock)
    await other.services.start()
    return other


def cards(world: World, thread: str) -> list:
    return [row for row in world.view(thread).rows if row.kind == "approval"]


def history(request) -> list[dict]:
    dumped = [
        message.model_dump(by_alias=True, exclude_none=True, mode="json") for message in request.messages
    ]
    return [{name: value for name, value in message.items() if name != "id"} for message in dumped]


def faithful(world: World, thread: str) -> None:
    """Assert that the log folds to what the tables hold."""
    with world.database.reading() as session:
        assert verdict(session, thread).differences == ()


# ---------------------------------------------------------------- interrupts


@case("o08")
async def test_o08_an_open_approval_is_back_after_a_restart_and_sent_once(database, case):
    before = World(database)
    await before.services.start()
    thread = await begun(before, case)
    (card,) = cards(before, thread)
    world = await restarted(before)
    assert cards(world, thread) == [card]
    assert (card.message, card.tool, card.actions) == (
        "Delete folder /tmp/build?",
        "delete_folder",
        ["approve", "reject", "cancel"],
    )
    assert world.agent.requests == []  # nothing is approved by opening the page

    world.agent.scripts.append(played(case["input"]["runs"][1]["events"]))
    await world.approvals.decide(world.ada, card.interrupt_id, Answer("approve"))
    await world.idle()
    (request,) = world.agent.requests
    assert resume_of(request) == case["input"]["runs"][1]["expected_request"]["resume"]
    assert [message.content for message in request.messages if message.role == "user"] == ["Clean up"]
    expected = [
        {name: value for name, value in message.items() if name != "id"}
        for message in case["expect"]["value"]["messages_final"]
    ]
    world.agent.scripts.append(answer("."))
    await world.said("Thanks", thread=thread)
    assert history(world.agent.requests[-1])[: len(expected)] == expected
    parts = [part for row in world.view(thread).rows for part in row.parts if part.kind == "tool"]
    assert [(part.name, part.status, part.result) for part in parts] == [("delete_folder", "done", "deleted")]
    (told,) = cards(world, thread)
    assert (told.decision, told.decided_by, bool(told.decided_at)) == ("approve", "Ada", True)
    with database.reading() as session:
        written = audit.of_object(session, f"interrupt:{card.interrupt_id}")
    assert [(entry.action, entry.actor) for entry in written] == [
        ("question.propose", None),
        ("question.approve", world.ada.id),
        ("question.resume", world.ada.id),
        ("question.execute", None),
    ]
    faithful(world, thread)
    await world.services.stop()


@case("o09")
async def test_o09_two_questions_are_one_request_and_a_draft_survives_a_reload(world, case):
    thread = await begun(world, case)
    first, second = cards(world, thread)
    await world.approvals.decide(world.ada, first.interrupt_id, Answer("approve"))
    assert len(world.agent.requests) == 1
    again, _ = cards(world, thread)
    assert (again.status, again.decision) == ("pending", "approve")
    await world.approvals.decide(world.ada, first.interrupt_id, Answer("reject"))
    assert len(world.agent.requests) == 1
    world.agent.scripts.append(played(case["input"]["runs"][1]["events"]))
    await world.approvals.decide(world.ada, second.interrupt_id, Answer("respond", '{"centre": "4200"}'))
    await world.idle()
    assert resume_of(world.agent.requests[-1]) == case["input"]["runs"][1]["expected_request"]["resume"]
    assert len(world.agent.requests) == 2
    faithful(world, thread)


@case("o10")
async def test_o10_an_edit_is_a_full_replacement_with_its_types(world, case):
    thread = await begun(world, case)
    (card,) = cards(world, thread)
    assert "edit" in card.actions
    (expected,) = case["input"]["runs"][1]["expected_request"]["resume"]
    edited = expected["payload"]["editedArgs"]
    with pytest.raises(DoesNotFit):
        await world.approvals.decide(
            world.ada, card.interrupt_id, Answer("edit", edited={**edited, "copies": "abc"})
        )
    assert len(world.agent.requests) == 1
    world.agent.scripts.append(played(case["input"]["runs"][1]["events"]))
    await world.approvals.decide(world.ada, card.interrupt_id, Answer("edit", edited=edited))
    await world.idle()
    (sent,) = resume_of_with_nulls(world.agent.requests[-1])
    assert sent == expected
    assert {name: type(value) for name, value in sent["payload"]["editedArgs"].items()} == {
        name: type(value) for name, value in edited.items()
    }
    (stored,) = world.questions(thread)
    assert '"copies":3' in stored.args  # the proposal stands beside the edit


def resume_of_with_nulls(request) -> list[dict]:
    return [
        {"interruptId": entry.interrupt_id, "status": entry.status, "payload": entry.payload}
        for entry in request.resume
    ]


@case("o11")
@pytest.mark.parametrize("abandon", [False, True])
async def test_o11_a_line_never_passes_an_open_approval(world, case, abandon):
    thread = await begun(world, case)
    line = "wait, use staging"
    if not abandon:
        with pytest.raises(Waiting):
            await world.chat.send(world.ada, thread, line)
        assert (len(world.agent.requests), cards(world, thread)[0].status) == (1, "pending")
        assert await world.said("Elsewhere", answer("ok")) != thread  # other threads stay usable
        return
    world.agent.scripts.append(answer("ok"))
    await world.chat.send(world.ada, thread, line, abandon=True)
    await world.idle()
    request = world.agent.requests[-1]
    assert resume_of(request) == [{"interruptId": "int-1", "status": "cancelled"}]
    assert request.messages[-1].content == line
    (card,) = cards(world, thread)
    assert (card.status, card.actions) == ("cancelled", [])
    faithful(world, thread)


ANSWERABLE = {"far-future-offset", "absent", "not-a-date", "epoch-millis-string"}


@case("o12")
async def test_o12_no_expiry_locks_a_thread_and_none_is_passed(world, case):
    for variant in case["input"]["variants"]:
        script = copy.deepcopy(variant["events"])
        (asked,) = script[-1]["outcome"]["interrupts"]
        if str(asked.get("expiresAt", "")).startswith("<"):
            asked["expiresAt"] = (world.clock.now + timedelta(seconds=3)).isoformat()
        thread = await world.said("Go", played(script))
        (card,) = cards(world, thread)
        before = len(world.agent.requests)
        if variant["name"] == "expires-while-open":
            world.clock.forward(seconds=4)
        if variant["name"] not in ANSWERABLE:
            for kind in ("approve", "reject"):
                with pytest.raises((Expired, NotOffered)):
                    await world.approvals.decide(world.ada, card.interrupt_id, Answer(kind))
            await world.supervisor.look()
            assert cards(world, thread)[0].actions == ["cancel"], variant["name"]
            assert len(world.agent.requests) == before
        kind = "approve" if variant["name"] in ANSWERABLE else "cancel"
        world.agent.scripts.append(answer("ok"))
        await world.approvals.decide(world.ada, card.interrupt_id, Answer(kind))
        await world.idle()
        (entry,) = resume_of(world.agent.requests[-1])
        assert entry["status"] == ("resolved" if kind == "approve" else "cancelled"), variant["name"]
        await world.said("Next", answer("ok"), thread=thread)
        assert texts(world.view(thread))[-2:] == ["Next", "ok"]


# ---------------------------------------------------------------- persistence


@case("o16")
async def test_o16_a_reload_in_mid_stream_shows_the_whole_answer_once(world, case):
    script, gate = case["input"]["agent"]["events"], Gate()

    def play(run):
        for number, event in enumerate(played(script)(run)):
            if number == 12:
                yield gate
            yield event

    world.agent.scripts.append(play)
    thread = await world.chat.send(world.ada, None, "Count")
    await until(lambda: world.agent.waiting)
    with world.database.reading() as session:
        assert events.of_thread(session, thread)[0].type == "user_message"
    page = Browser()
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:  # the reload
        page.receive(await within(anext(frames)))
        assert _shown(page)[1].startswith("word01 word02 ")
        gate.set()
        while page.run["status"] != "idle":
            page.receive(await within(anext(frames)))
    await world.idle()
    whole = case["expect"]["value"]["a1.content"]
    assert _shown(page) == texts(world.view(thread)) == ["Count", whole]
    assert [message.role for message in world.messages(thread)] == ["user", "assistant"]
    assert len(world.agent.requests) == 1
    faithful(world, thread)


def _shown(page: Browser) -> list[str]:
    return [part["text"] for row in page.shown() for part in row["parts"]]


@case("o17")
async def test_o17_a_deleted_thread_leaves_nothing_and_late_events_bring_nothing_back(world, case):
    del case  # its steps are the test
    left, kept = [await world.said("Go", ask(question("q1", "c1"), question("q2", "c2"))) for _ in range(2)]
    for thread in (left, kept):
        world.agent.scripts.append(ask(question("q3", "c3")))
        for card in cards(world, thread):
            await world.approvals.decide(world.ada, card.interrupt_id, Answer("approve"))
        await world.idle()
    gate = Gate()
    world.agent.scripts.append(lambda run: [*answer("first")(run)[:-1], gate, *answer("late")(run)[1:]])
    await world.chat.send(world.ada, left, "More", abandon=True)
    await until(lambda: world.agent.waiting)
    await world.removal.delete(world.ada, left)
    gate.set()
    await world.idle()
    with pytest.raises(Refused):
        await world.threads.older(world.ada, left, 9)
    before = _rows_of(world, kept)
    world.clock.forward(days=90)
    await asyncio.to_thread(world.retention.sweep)
    assert _rows_of(world, left) == {}
    assert _rows_of(world, kept) == before


def _rows_of(world: World, thread: str) -> dict[str, int]:
    """Count the rows that name a thread, in every table that can; the audit is to stay."""
    counted = {}
    with world.database.reading() as session:
        for name, table in Base.metadata.tables.items():
            column = table.c.get("thread") if name != "thread" else table.c.id
            if column is None:
                continue
            found = len(session.execute(table.select().where(column == thread)).all())
            counted |= {name: found} if found else {}
    return counted


@case("o18")
async def test_o18_rows_of_one_moment_keep_the_order_they_came_in(database, case):
    world = World(database)
    world.clock.step = timedelta(0)
    await world.services.start()
    thread = await world.said("Do three things", played(case["input"]["events"]))
    shown = world.view(thread)
    expected = [
        {name: value for name, value in message.items() if name != "id"}
        for message in case["expect"]["value"]["messages"]
    ]
    world.clock.now = NOON - timedelta(hours=1)
    later = await restarted(world)
    assert later.view(thread).rows == shown.rows
    later.agent.scripts.append(answer("ok"))
    await later.said("And?", thread=thread)
    assert history(later.agent.requests[-1])[:-1] == expected
    assert [part.name for row in shown.rows for part in row.parts if part.kind == "tool"] == [
        "one",
        "two",
        "three",
    ]
    await later.services.stop()
