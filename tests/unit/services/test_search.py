import pytest

from chat_app.data import messages, threads
from chat_app.services.search import MESSAGES_AT_ONCE
from tests.support.records import a_message
from tests.support.world import World, answer, called, finished, started

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


def marked(hit) -> list[str]:
    return [piece.text for piece in hit.pieces if piece.hit]


async def test_lines_and_answers_are_found_by_any_part_of_their_words(world):
    thread = await world.said("Où est la pompe?", answer("In the Größe of it"))
    title, line = sorted(await world.search.find(world.ada, "POMP"), key=lambda hit: hit.position)
    assert (line.kind, line.thread, line.key, marked(line)) == ("message", thread, line.key, ["pomp"])
    assert (title.kind, title.position, marked(title)) == ("thread", -1, ["pomp"])
    (found,) = await world.search.find(world.ada, "grosse")
    rows = {row.key: row.position for row in world.view(thread).rows}
    assert (found.position, marked(found)) == (rows[found.key], ["Größe"])


async def test_every_word_has_to_be_there(world):
    await world.said("alpha beta", answer("gamma"))
    assert len(await world.search.find(world.ada, "beta alpha")) == 2  # the line and the title
    assert await world.search.find(world.ada, "alpha gamma") == []


@pytest.mark.parametrize("query", ["", "  \n", "\x00", "%", "_", "'; DROP TABLE thread"])
async def test_a_query_is_never_a_pattern(world, query):
    await world.said("alpha", answer("beta"))
    assert await world.search.find(world.ada, query) == []


async def test_calls_are_found_by_what_they_were_called_with(world):
    def calling(run):
        return [started(run), *called("c1", '{"to": "nordhavn"}'), finished(run)]

    await world.said("send it", calling)
    (hit,) = await world.search.find(world.ada, "nordhavn")
    assert (hit.kind, marked(hit)) == ("tool", ["nordhavn"])


async def test_nobody_finds_what_is_somebody_elses(world):
    await world.said("alpha", answer("beta"))
    assert await world.search.find(world.bob, "alpha") == []


async def test_a_deleted_thread_is_not_found_until_it_is_back(world):
    thread = await world.said("alpha", answer("beta"))
    await world.search.find(world.ada, "alpha")
    await world.removal.delete(world.ada, thread)
    assert await world.search.find(world.ada, "alpha") == []
    await world.removal.restore(world.ada, thread)
    assert len(await world.search.find(world.ada, "alpha")) == 2


async def test_a_new_title_is_found_and_the_old_one_is_not(world):
    thread = world.thread(title="before", last_seq=1)
    assert len(await world.search.find(world.ada, "before")) == 1
    await world.shelf.rename(world.ada, thread.id, "after")
    assert await world.search.find(world.ada, "before") == []
    assert [hit.title for hit in await world.search.find(world.ada, "after")] == ["after"]


async def test_a_tag_finds_its_thread(world):
    thread = world.thread()
    await world.shelf.tag(world.ada, thread.id, ["urgent"])
    assert [hit.thread for hit in await world.search.find(world.ada, "urgent")] == [thread.id]


async def test_a_long_thread_is_taken_in_piece_by_piece(world):
    thread = world.thread(last_seq=MESSAGES_AT_ONCE + 10)
    content = [{"kind": "text", "key": "t", "text": "needle"}]
    many = [a_message(thread=thread.id, position=n, content=content) for n in range(MESSAGES_AT_ONCE + 5)]
    with world.database.transaction() as session:
        messages.upsert(session, many)
    assert world.search.index(world.ada.id) == MESSAGES_AT_ONCE + 5
    assert world.search.index(world.ada.id) == 0
    with world.database.reading() as session:
        assert threads.unindexed(session, world.ada.id, limit=1) == ()


async def test_a_row_without_text_is_found_by_nothing_and_breaks_nothing(world):
    thread = world.thread(last_seq=1)
    with world.database.transaction() as session:
        messages.upsert(session, [a_message(thread=thread.id, position=1, content=[])])
    assert await world.search.find(world.ada, "anything") == []


async def test_threads_of_everybody_are_made_searchable_ahead_of_any_search(world):
    await world.said("alpha", answer("beta"))
    world.agent.scripts.append(answer("delta"))
    await world.chat.send(world.bob, None, "gamma")
    await world.idle()
    assert world.search.index() == 4
    assert world.search.index() == 0
    assert len(await world.search.find(world.bob, "delta")) == 1
