from datetime import timedelta

import pytest
from ag_ui.core import ResumeEntry

from chat_app.agent.loop import UNFINISHED, Around
from chat_app.agent.resumption import IN_PROGRESS, PATIENCE, UNKNOWN, Past, Resumption, restored
from chat_app.agent.servers import Observation
from chat_app.agent.store import Asked, SuspendedTurn
from chat_app.agent.transcript import AssistantEntry, ToolEntry, UserEntry
from chat_app.agent.turn import TurnFailed
from chat_app.agent.turn_events import ToolBlocked, ToolCompleted
from chat_app.agent.verdicts import question_id
from tests.fakes import NOON, FakeClock
from tests.support.agent_parts import FakeServer, Reports, call, loop_of, specs

DROP = call("c1", "drop", '{"n": 1}')
OTHER = call("c2", "drop")
LINE = UserEntry("Do it")


def step(*calls, **fields):
    return AssistantEntry("", calls=calls or (DROP,), **fields)


def turn(*asked, entries=None):
    return SuspendedTurn(
        id="t",
        thread="th",
        model="m",
        entries=entries or (step(),),
        questions=asked or (Asked(question_id(DROP), DROP),),
    )


class Store:
    """One turn in memory, with the promises of the real one."""

    def __init__(self, kept, *, begun=None, result=None):
        self.kept, self.begun, self.result = kept, begun, result
        self.concluded = []

    async def begin(self, _thread, _interrupt):
        first, self.begun = self.begun is None, self.begun or NOON
        return first

    async def find(self, _thread, _interrupts):
        return turn(Asked(question_id(DROP), DROP, self.begun, self.result))

    async def conclude(self, thread, interrupt, result):
        self.concluded.append((thread, interrupt, result))


class World:
    async def start(self, *history, store=None, kept=None):
        self.reports, self.clock = Reports(), FakeClock()
        self.server = FakeServer(tools=specs("drop", "x", asks=["drop"]))
        self.loop = await loop_of(
            self.server,
            instruction=None,
            history=tuple(history),
            around=Around(report=self.reports),
        )
        self.resumption = Resumption(
            loop=self.loop, report=self.reports, thread_id="th", now=self.clock, store=store, kept=kept
        )
        return self

    async def settle(self, *answers):
        return await self.resumption.settle(answers)


def answer(made=DROP, **payload):
    return ResumeEntry(
        interrupt_id=question_id(made), status="resolved", payload=payload or {"approved": True}
    )


# ---------------------------------------------------------------- where it belongs


def test_a_kept_turn_takes_the_place_of_what_the_wire_has():
    kept = turn(entries=(step(replay={"signed": True}), ToolEntry("c0", "x", "ours")))
    history = [
        LINE,
        step(),
        ToolEntry("c0", "x", "theirs"),
        ToolEntry("c9", "clock", "noon"),
        UserEntry("New"),
    ]
    assert restored(history, kept) == Past(
        (LINE, *kept.entries, ToolEntry("c9", "clock", "noon")), (UserEntry("New"),)
    )


def test_a_history_without_the_turns_calls_was_edited_and_stands():
    history = [LINE, step(call("other", "x"))]
    assert restored(history, turn()) == Past(tuple(history), ())
    assert restored([LINE], turn()) == Past((), (LINE,))


# ---------------------------------------------------------------- what becomes of it


async def test_a_yes_runs_the_call_once_and_keeps_what_it_gave():
    store = Store(turn())
    world = await World().start(LINE, step(), store=store, kept=turn())
    assert await world.settle(answer()) == []
    assert world.server.served == [("drop", {"n": 1}, "")]
    assert world.reports == [ToolCompleted("c1", "ok")]
    assert store.concluded == [("th", question_id(DROP), Observation("ok"))]
    assert world.loop.transcript[-1] == ToolEntry("c1", "drop", "ok")


async def test_a_no_runs_nothing_and_is_kept_too():
    store = Store(turn())
    world = await World().start(LINE, step(), store=store, kept=turn())
    await world.settle(answer(approved=False))
    assert world.server.served == []
    assert len(world.reports.of(ToolBlocked)) == 1
    assert store.concluded[0][2].is_error


async def test_a_result_that_is_known_is_given_again_even_without_an_answer():
    known = turn(Asked(question_id(DROP), DROP, NOON, Observation("first")))
    store = Store(known, begun=NOON, result=Observation("first"))
    world = await World().start(LINE, step(), store=store, kept=known)
    assert await world.settle() == []
    assert world.server.served == []
    assert world.reports == [ToolCompleted("c1", "first")]


async def test_who_comes_second_gets_the_first_result():
    store = Store(turn(), begun=NOON, result=Observation("first"))
    world = await World().start(LINE, step(), store=store, kept=turn())
    await world.settle(answer())
    assert world.loop.transcript[-1].text == "first"


async def test_who_comes_while_the_first_is_at_work_is_told_to_wait():
    world = await World().start(LINE, step(), store=Store(turn(), begun=NOON), kept=turn())
    with pytest.raises(TurnFailed) as caught:
        await world.settle(answer())
    assert caught.value.code == IN_PROGRESS


async def test_what_was_begun_and_never_concluded_is_not_done_again():
    world = await World().start(LINE, step(), store=Store(turn(), begun=NOON), kept=turn())
    world.clock.now += PATIENCE + timedelta(seconds=1)
    await world.settle(answer())
    assert world.server.served == []
    assert world.loop.transcript[-1].text == UNKNOWN.text


async def test_without_a_memory_the_history_is_enough():
    world = await World().start(LINE, step())
    assert await world.settle(answer(approved=True, editedArgs={"n": 2})) == []
    assert world.server.served == [("drop", {"n": 2}, "")]


async def test_what_nobody_decided_still_waits_and_what_nobody_waits_for_is_answered():
    world = await World().start(LINE, step(DROP, OTHER, call("c3", "x")))
    assert await world.settle(answer()) == [OTHER]
    assert world.loop.transcript[-1] == ToolEntry("c3", "x", UNFINISHED, is_error=True)


async def test_an_answer_to_nothing_is_left_out_with_a_warning(caplog):
    world = await World().start(LINE)
    assert await world.settle(answer()) == []
    assert "no open question" in caplog.text


async def test_two_answers_to_one_question_change_nothing():
    world = await World().start(LINE, step())
    with pytest.raises(TurnFailed, match="answered twice"):
        await world.settle(answer(), answer(approved=False))
    assert world.server.served == []


async def test_a_bad_answer_among_good_ones_changes_nothing():
    world = await World().start(LINE, step(DROP, OTHER))
    with pytest.raises(TurnFailed):
        await world.settle(answer(), answer(OTHER, approved="yes"))
    assert world.server.served == []


async def test_a_kept_call_whose_tool_is_gone_can_still_be_decided():
    gone = call("c1", "gone")
    kept = turn(Asked(question_id(gone), gone), entries=(step(gone),))
    world = await World().start(LINE, step(gone), kept=kept)
    assert await world.settle() == [gone]
    await world.settle(answer(gone))
    assert world.loop.transcript[-1].text == "There is no tool gone."
