import asyncio

import pytest
from ag_ui.core import ResumeEntry

from chat_app.agent.desk import Desk
from chat_app.agent.live_decision import decided_live
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.servers import Observation
from chat_app.agent.turn import Means, Pace, Turn, TurnFailed
from chat_app.agent.turn_events import PermissionRequest, StateChanged, UiResolved
from chat_app.agent.verdicts import Allowed, Denied
from tests.fakes import within
from tests.support.agent_harness import Clock, conversation, counting_ids
from tests.support.agent_parts import call, specs

CALL = call("c1", "drop", '{"n": 1}')


class Sink:
    def __init__(self):
        self.reports, self.asked = [], asyncio.Event()

    def report(self, event):
        self.reports.append(event)
        if isinstance(event, PermissionRequest):
            self.asked.set()

    async def room(self):
        """Never wait."""


def answer(status="resolved", **payload):
    return ResumeEntry(interrupt_id="call:c1", status=status, payload=payload or None)


@pytest.fixture
async def asking():
    sink, desk = Sink(), Desk()
    means = Means(pace=Pace(0), new_id=counting_ids(), now=Clock(), memory=ProcessMemory())
    turn = Turn(conversation("Hi"), sink, means=means)
    waiting = asyncio.ensure_future(decided_live(turn, desk, CALL, specs("drop")[0]))
    await within(sink.asked.wait())
    yield sink, desk, waiting
    waiting.cancel()
    await asyncio.wait([waiting])


@pytest.mark.parametrize(
    ("entry", "word", "verdict"),
    [
        (answer(approved=True), "allow", Allowed()),
        (answer(approved=True, editedArgs={"n": 2}), "allow", Allowed({"n": 2})),
        (answer(approved=False), "deny", Denied),
        (answer("cancelled"), "cancel", Denied),
    ],
)
async def test_the_run_waits_and_goes_on_with_what_was_decided(asking, entry, word, verdict):
    sink, desk, waiting = asking
    desk.answer("thread-1", entry)
    found = await within(waiting)
    assert found == verdict if isinstance(verdict, Allowed) else isinstance(found.observation, Observation)
    waits, asked, resolved, runs = sink.reports
    assert (waits, resolved, runs) == (
        StateChanged(status="waiting"),
        UiResolved("call:c1", word),
        StateChanged(status="running"),
    )
    assert (asked.id, asked.tool, asked.detail["arguments"]) == ("call:c1", "drop", '{"n": 1}')


async def test_an_answer_that_cannot_be_used_leaves_the_question_open(asking):
    _sink, desk, waiting = asking
    with pytest.raises(TurnFailed):
        desk.answer("thread-1", answer(approved="yes"))
    desk.answer("thread-1", answer(approved=True))
    assert await within(waiting) == Allowed()
