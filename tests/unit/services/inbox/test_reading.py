"""What of a thread is shown beside a question."""

import pytest

from chat_app.data import inbox, interrupts, threads
from chat_app.services.inbox.reading import LONGEST_LINE, read_opened, read_said
from chat_app.services.judging import judge_anew
from chat_app.services.policy import Policy
from tests.support.records import stored_exchange, stored_message, stored_question, stored_run, stored_thread
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


def a_question(session, world, **values):
    thread = stored_thread(session, owner=world.ada.id)
    run = stored_run(session, stored_exchange(session, thread), status="interrupted")
    return thread, stored_question(session, run, **values)


def test_only_the_last_words_before_the_question_are_shown(world):
    with world.database.transaction() as session:
        thread, asked = a_question(session, world, position=20)
        for place in range(1, 10):
            words = [{"kind": "text", "key": "t", "text": f"line {place}"}]
            stored_message(
                session, thread, position=place, role="user" if place % 2 else "assistant", content=words
            )
        hidden = [{"kind": "reasoning", "key": "r", "text": "secret thought"}]
        stored_message(session, thread, position=10, content=hidden)
        stored_message(session, thread, position=21, content=[{"kind": "text", "key": "t", "text": "later"}])
        long = [{"kind": "text", "key": "t", "text": "x" * (LONGEST_LINE + 1)}]
        stored_message(session, thread, position=11, content=long)
        said = read_said(session, asked, threads.get(session, thread.id), "Agent")
    assert [line.text for line in said[:3]] == ["line 7", "line 8", "line 9"]
    assert said[3].text == "x" * LONGEST_LINE + "…"
    assert [(line.role, line.name) for line in said[1:3]] == [("agent", "Agent"), ("user", "Ada")]


def test_a_question_that_lies_nowhere_yet_is_not_shown(world):
    with world.database.transaction() as session:
        _, asked = a_question(session, world)
        assert read_opened(session, Policy(), world.ada, asked.id).id == ""
        judge_anew(session)
        assert read_opened(session, Policy(), world.ada, asked.id).id == asked.id
        assert read_opened(session, Policy(), world.ada, "no\x00id").id == ""
        assert interrupts.get(session, asked.id) is not None
        assert inbox.get(session, asked.id).by == "requester"
