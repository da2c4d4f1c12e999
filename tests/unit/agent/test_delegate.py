import pytest

from chat_app.agent.delegate import delegate
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.turn import Means, Pace, Turn, TurnFailed
from chat_app.agent.turn_events import (
    AppStateChanged,
    MessageCompleted,
    SubagentFailed,
    SubagentFinished,
    SubagentReported,
    SubagentStarted,
    TextDelta,
    Usage,
    UsageUpdated,
)
from tests.support.agent_harness import Clock, conversation, counting_ids


class ListSink:
    def __init__(self):
        self.reports = []

    def report(self, event):
        self.reports.append(event)

    async def room(self):
        pass


@pytest.fixture
def boss():
    means = Means(pace=Pace(0), new_id=counting_ids("sub"), now=Clock(), memory=ProcessMemory())
    return Turn(conversation("two words"), ListSink(), means=means)


async def test_what_a_subagent_says_carries_its_id_and_what_it_changes_is_everybodys(boss):
    async with delegate(boss, "scout", description="looks", call_id="c1") as scout:
        await scout.say("hm")
        await scout.set_app_state([1])
    assert boss.sink.reports == [
        SubagentStarted(id="sub-1", name="scout", description="looks", call_id="c1"),
        SubagentReported("sub-1", TextDelta("hm")),
        SubagentReported("sub-1", MessageCompleted()),
        AppStateChanged([1]),
        SubagentFinished("sub-1"),
    ]


async def test_words_of_a_subagent_count_for_the_whole(boss):
    async with (
        delegate(boss, "scout", description="") as scout,
        delegate(scout, "inner", description="") as inner,
    ):
        await inner.say("three more words")
    boss.report_usage()
    assert boss.sink.reports[-1] == UsageUpdated(Usage("parley", "scripted-1", 2, 3))


async def test_a_subagent_of_a_subagent_names_its_parent(boss):
    async with (
        delegate(boss, "outer", description="", subagent_id="o") as outer,
        delegate(outer, "inner", description="", subagent_id="i") as inner,
    ):
        await inner.say("x")
    assert boss.sink.reports[1] == SubagentStarted(id="i", name="inner", parent_id="o")
    assert boss.sink.reports[2] == SubagentReported("i", TextDelta("x"))


async def test_a_failure_is_the_subagents_alone(boss):
    async with delegate(boss, "scout", description="", subagent_id="s"):
        raise TurnFailed("lost", code="LOST")
    assert boss.sink.reports[-1] == SubagentFailed("s", "lost", "LOST")


async def test_who_waits_for_a_person_is_not_finished(boss):
    async with delegate(boss, "scout", description="", subagent_id="s") as scout:
        scout.waits = True
    assert boss.sink.reports == [SubagentStarted(id="s", name="scout")]


async def test_a_bug_goes_on_to_the_turn(boss):
    with pytest.raises(ZeroDivisionError):
        async with delegate(boss, "scout", description=""):
            raise ZeroDivisionError
    assert not [report for report in boss.sink.reports if isinstance(report, SubagentFinished)]
