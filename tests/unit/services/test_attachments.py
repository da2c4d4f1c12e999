from datetime import timedelta

import pytest

from chat_app.services.attachments import MOST_FILES, UNSENT_FOR, UNSENT_SIZES
from chat_app.services.policy import Refused
from chat_app.services.problems import EmptyMessage, FileGone, FileRefused, FileTooLarge, TooManyFiles
from tests.fakes import until
from tests.support.world import Gate, World, answer, started

pytest_plugins = ("tests.support.databases",)
PNG = b"\x89PNG\r\n\x1a\n"
ALL = ("image", "pdf", "file")


@pytest.fixture
async def world(database, tmp_path):
    async with World(database, files=tmp_path).running() as world:
        yield world


async def brought(world, content: bytes = PNG, name: str = "a.png", by=None) -> str:
    return (await world.attachments.bring(by or world.ada, name, content, accepted=ALL)).id


def sent_files(world) -> list:
    content = world.agent.requests[-1].messages[-1].content
    return [part for part in content if part.type != "text"] if isinstance(content, list) else []


async def test_a_file_is_what_it_is_and_only_its_owners(world):
    found = await world.attachments.bring(world.ada, "../evil.exe", PNG, accepted=ALL)
    assert (found.name, found.type, found.size, found.kind) == ("evil.exe", "image/png", 8, "image")
    record, content = await world.attachments.read(world.ada, found.id)
    assert (record.name, content) == ("evil.exe", PNG)
    with pytest.raises(Refused):
        await world.attachments.read(world.bob, found.id)


async def test_equal_names_do_not_meet(world):
    mine, his = (
        await brought(world, b"mine", "report.pdf"),
        await brought(world, b"his", "report.pdf", world.bob),
    )
    assert (await world.attachments.read(world.ada, mine))[1] == b"mine"
    assert (await world.attachments.read(world.bob, his))[1] == b"his"


async def test_a_file_goes_with_a_line_and_then_belongs_to_its_thread(world):
    file = await brought(world)
    world.agent.scripts.append(answer("I see"))
    thread = await world.chat.send(world.ada, None, "Look", files=[file])
    await world.idle()
    (part,) = sent_files(world)
    assert (part.type, part.source.mime_type, part.metadata["filename"]) == ("image", "image/png", "a.png")
    line = world.view(thread).rows[0]
    assert [(each.kind, each.text, each.name, each.status) for each in line.parts] == [
        ("text", "Look", "", ""),
        ("file", "", "a.png", "image"),
    ]
    assert line.parts[1].result == f"/api/files/{file}"
    assert (await world.attachments.read(world.ada, file))[0].thread == thread
    with pytest.raises(Refused):
        await world.attachments.read(world.bob, file)
    with pytest.raises(Refused):
        await world.attachments.forget(world.ada, file)


async def test_a_file_alone_is_a_line_and_names_the_thread(world):
    world.agent.scripts.append(answer("I see"))
    thread = await world.chat.send(world.ada, None, " ", files=[await brought(world)])
    await world.idle()
    assert world.get_thread(thread).title == "a.png"
    assert [part.kind for part in world.view(thread).rows[0].parts] == ["file"]
    with pytest.raises(EmptyMessage):
        await world.chat.send(world.ada, thread, " ")


async def test_a_file_waits_with_its_line(world):
    gate = Gate()
    world.agent.scripts.extend([lambda run: [started(run), gate, *answer("one")(run)[1:]], answer("two")])
    thread = await world.chat.send(world.ada, None, "First")
    await world.queue.put(world.ada, thread, "", files=[await brought(world)])
    gate.set()
    await until(lambda: len(world.agent.requests) == 2)
    await world.idle()
    assert [part.type for part in sent_files(world)] == ["image"]


async def test_a_file_is_sent_once_and_by_who_brought_it(world):
    file = await brought(world)
    with pytest.raises(FileGone):
        await world.chat.send(world.bob, None, "Mine now", files=[file])
    with pytest.raises(TooManyFiles):
        await world.chat.send(world.ada, None, "Many", files=[file] * (MOST_FILES + 1))
    await world.attachments.forget(world.ada, file)
    with pytest.raises(FileGone):
        await world.chat.send(world.ada, None, "Gone", files=[file])


async def test_what_is_over_a_limit_or_not_taken_is_refused(world):
    with pytest.raises(FileTooLarge):
        await world.attachments.bring(world.ada, "big", b"x" * 1_001, accepted=ALL)
    with pytest.raises(FileRefused):
        await world.attachments.bring(world.ada, "a.png", PNG, accepted=("pdf",))
    for number in range(UNSENT_SIZES):
        await brought(world, bytes([65 + number]) * 1_000)
    with pytest.raises(TooManyFiles):
        await brought(world)


async def test_who_writes_nothing_brings_nothing_and_takes_nothing_back(world):
    auditor = world.person("mia", "Mia", "auditor", "approver", "admin")
    with pytest.raises(Refused):
        await brought(world, by=auditor)
    with pytest.raises(Refused):
        await world.attachments.forget(auditor, await brought(world))


async def test_what_was_never_sent_is_swept_and_what_was_sent_stays(world):
    kept = await brought(world, b"kept")
    world.agent.scripts.append(answer("I see"))
    await world.chat.send(world.ada, None, "Look", files=[kept])
    await world.idle()
    lost = await brought(world, b"lost")
    assert world.attachments.sweep() == 0
    world.clock.now += UNSENT_FOR + timedelta(hours=1)
    assert world.attachments.sweep() == 1
    assert (await world.attachments.read(world.ada, kept))[1] == b"kept"
    with pytest.raises(Refused):
        await world.attachments.read(world.ada, lost)


async def test_bytes_that_are_gone_are_a_file_that_is_not_there(world):
    file = await brought(world)
    world.vault.drop(world.vault.names()[0])
    with pytest.raises(Refused):
        await world.attachments.read(world.ada, file)


async def test_a_line_that_is_edited_keeps_its_files(world):
    files = [await brought(world), await brought(world, b"%PDF-1.7", "b.pdf")]
    world.agent.scripts += [answer("I see"), answer("I see better")]
    thread = await world.chat.send(world.ada, None, "Look", files=files)
    await world.idle()
    await world.branching.edit(world.ada, thread, world.view(thread).rows[0].key, "Look closer")
    await world.idle()
    names = [part.metadata["filename"] for part in sent_files(world)]
    assert names == ["a.png", "b.pdf"]
    line = world.view(thread).rows[0]
    assert [part.text or part.name for part in line.parts] == ["Look closer", "a.png", "b.pdf"]


async def test_a_waiting_line_that_is_changed_keeps_its_files(world):
    gate = Gate()
    world.agent.scripts += [lambda run: [started(run), gate, *answer("one")(run)[1:]], answer("two")]
    thread = await world.chat.send(world.ada, None, "One")
    await world.queue.put(world.ada, thread, "Two", files=[await brought(world)])
    (line,) = world.view(thread).run.queued
    await world.queue.edit(world.ada, line.id, "Deux")
    gate.set()
    await until(lambda: len(world.agent.requests) == 2)
    await world.idle()
    assert [part.metadata["filename"] for part in sent_files(world)] == ["a.png"]
