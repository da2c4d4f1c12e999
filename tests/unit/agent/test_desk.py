import asyncio

import pytest
from ag_ui.core import ResumeEntry

from chat_app.agent.desk import Desk, NotAsked


def entry(key="q", status="resolved", **fields):
    return ResumeEntry(interrupt_id=key, status=status, **fields)


async def waiting(desk, judge=lambda given: given.status, key="q"):
    async def wait():
        with desk.question("t", key, judge=judge) as decided:
            return await decided

    task = asyncio.ensure_future(wait())
    await asyncio.sleep(0)
    return task


async def test_an_answer_reaches_the_turn_that_waits():
    desk = Desk()
    task = await waiting(desk)
    desk.answer("t", entry())
    assert await task == "resolved"


@pytest.mark.parametrize(("thread", "key"), [("t", "other"), ("other", "q")])
async def test_an_answer_nobody_waits_for_is_refused(thread, key):
    desk = Desk()
    task = await waiting(desk)
    with pytest.raises(NotAsked, match="Nobody waits"):
        desk.answer(thread, entry(key))
    task.cancel()


async def test_a_question_is_answered_once():
    desk = Desk()
    task = await waiting(desk)
    desk.answer("t", entry())
    with pytest.raises(NotAsked):
        desk.answer("t", entry(status="cancelled"))
    assert await task == "resolved"


async def test_an_answer_that_cannot_be_used_leaves_the_question_open():
    def judge(given):
        if given.payload is None:
            raise ValueError("no payload")
        return given.payload

    desk = Desk()
    task = await waiting(desk, judge)
    with pytest.raises(ValueError, match="no payload"):
        desk.answer("t", entry())
    desk.answer("t", entry(payload="yes"))
    assert await task == "yes"


async def test_a_turn_that_is_being_stopped_takes_no_answer():
    desk = Desk()
    task = await waiting(desk)
    task.cancel()
    with pytest.raises(NotAsked):
        desk.answer("t", entry())
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(NotAsked):
        desk.answer("t", entry())
