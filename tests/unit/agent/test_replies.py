import pytest

from chat_app.agent.replies import Replies, mark, say_again
from chat_app.agent.store import Asked, Reply, StillAnswering, SuspendedTurn
from chat_app.agent.transcript import AssistantEntry, ToolCall, ToolEntry, UserEntry
from chat_app.agent.turn import TurnFailed
from chat_app.agent.turn_events import (
    MessageCompleted,
    Question,
    TextDelta,
    ThinkingDelta,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnPaused,
)

CALL = ToolCall("c1", "drop", '{"n": 1}')
TURN = SuspendedTurn(id="t1", thread="th", model="m", entries=(), questions=(Asked("call:c0", CALL),))
SAID = (AssistantEntry("Done.", "Hm", (CALL,)), ToolEntry("c1", "drop", "ok"))


class Store:
    def __init__(self, reply=None, busy=False):
        self.reply, self.busy, self.released = reply, busy, []

    async def claim(self, _turn, *, patience):
        assert patience
        if self.busy:
            raise StillAnswering
        return self.reply

    async def keep_reply(self, _turn, reply):
        self.reply = reply

    async def release(self, turn):
        self.released.append(turn)


def replies(store, *after):
    return Replies(store=store, turn=TURN, after=after)


async def test_the_first_to_ask_is_to_say_it_and_the_second_is_given_it():
    store = Store()
    assert await replies(store).first() is None
    await replies(store).conclude(TurnCompleted(), SAID)
    again = await replies(store).first()
    assert again == Reply(after=mark(()), entries=SAID)
    assert replies(store).is_same(again)


async def test_another_line_is_another_request():
    assert not replies(Store(), UserEntry("Never mind")).is_same(Reply(after=mark(()), entries=()))


async def test_the_calls_it_ended_with_are_kept_too():
    store = Store()
    questions = [
        Question(id="call:c1", reason="tool_call", message="?", call_id="c1"),
        Question(id="form", reason="input_required", message="?"),
    ]
    await replies(store).conclude(TurnPaused(tuple(questions)), SAID)
    assert store.reply.asked == ("c1",)


@pytest.mark.parametrize("end", [None, TurnCancelled(), TurnError("No.", "X")])
async def test_what_did_not_end_well_is_asked_for_anew(end):
    store = Store()
    await replies(store).conclude(end, SAID)
    assert (store.reply, store.released) == (None, ["t1"])


async def test_what_is_being_said_at_this_moment_is_not_said_twice():
    with pytest.raises(TurnFailed) as caught:
        await replies(Store(busy=True)).first()
    assert caught.value.code == "ANSWER_IN_PROGRESS"


async def test_it_is_said_as_it_was_and_nothing_is_run():
    reports = []

    async def report(event):
        reports.append(event)

    await say_again([UserEntry("not mine"), *SAID], report)
    assert reports == [
        ThinkingDelta("Hm"),
        TextDelta("Done."),
        ToolcallDelta("c1", name="drop"),
        ToolcallDelta("c1", '{"n": 1}'),
        ToolcallCompleted("c1"),
        MessageCompleted(),
        ToolCompleted("c1", "ok"),
    ]
