import json

import pytest

from chat_app.data import branches, events, threads
from chat_app.services.export import read_events, replayed
from chat_app.services.exports import KINDS
from chat_app.services.masking import MASK
from chat_app.services.policy import Refused
from tests.support.records import an_event
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


@pytest.mark.parametrize("kind", KINDS)
async def test_the_owner_gets_a_thread_and_nobody_else(world, kind):
    thread = await world.said("Hello", answer("Good day"))
    file = await world.services.exports.file(world.ada, thread, kind)
    assert "Hello" in file.text
    assert "Good day" in file.text
    assert file.name.startswith(thread)
    for wrong in (thread, "none"):
        with pytest.raises(Refused):
            await world.services.exports.file(world.bob, wrong, kind)


async def test_an_auditor_gets_it_after_saying_why(world):
    thread = await world.said("Hello", answer("Good day"))
    auditor = world.person("eve", "Eve", "auditor")
    with pytest.raises(Refused):
        await world.services.exports.file(auditor, thread, "markdown")
    await world.viewing.open(auditor, thread, "a complaint")
    assert "Good day" in (await world.services.exports.file(auditor, thread, "markdown")).text


async def test_what_an_agent_sent_under_the_name_of_a_secret_is_its_owners_alone(world):
    thread = await world.said("Hello", answer("Good day"))
    with world.database.transaction() as session:
        sent = an_event(thread=thread, seq=threads.reserve(session, thread), payload={"api_key": "s3cret"})
        events.append(session, [sent])
    auditor = world.person("eve", "Eve", "auditor")
    await world.viewing.open(auditor, thread, "a complaint")
    shown = (await world.services.exports.file(auditor, thread, "events")).text
    assert ("s3cret" in shown, MASK in shown, "Good day" in shown) == (False, True, True)
    assert "s3cret" in (await world.services.exports.file(world.ada, thread, "events")).text


async def test_events_of_a_real_thread_fold_to_the_rows_of_its_log(world):
    thread = await world.said("Hello", answer("Good day"))
    file = await world.services.exports.file(world.ada, thread, "events")
    with world.database.reading() as session:
        log = events.of_path(session, thread, branches.path(session, thread))
    again = replayed(read_events(file.text.splitlines()))
    assert [(row.key, row.kind, [part.text for part in row.parts]) for row in again] == [
        (row.key, row.kind, [part.text for part in row.parts]) for row in replayed(log)
    ]
    assert len(again) == 2


async def test_every_page_of_a_long_thread_is_in_the_file(world):
    thread = await world.said("Line 0", answer("Answer 0"))
    for number in range(1, 30):
        await world.said(f"Line {number}", answer(f"Answer {number}"), thread=thread)
    rows = json.loads((await world.services.exports.file(world.ada, thread, "json")).text)["rows"]
    texts = [row["parts"][0]["text"] for row in rows]
    assert texts == [text for n in range(30) for text in (f"Line {n}", f"Answer {n}")]
