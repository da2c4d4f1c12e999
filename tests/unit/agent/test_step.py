import pytest

from chat_app.agent.models.interface import CallPiece, ModelFault, ModelRequest, StepDone, TextPiece
from chat_app.agent.models.scripted import Reply
from chat_app.agent.step import STREAM_CUT, Step
from chat_app.agent.transcript import AssistantEntry, ToolCall
from chat_app.agent.turn_events import (
    MessageCompleted,
    TextDelta,
    ThinkingDelta,
    ToolcallDelta,
    Usage,
    UsageUpdated,
)
from tests.support.agent_parts import Reports, script

REQUEST = ModelRequest(model="m", entries=(), tools=())


class Pieces:
    """A client that streams given pieces."""

    def __init__(self, *pieces):
        self._pieces = pieces
        self.request = None

    async def step(self, request):
        self.request = request
        for piece in self._pieces:
            yield piece


async def run(client, *, taken=()):
    reports = Reports()
    step = Step(reports, taken=taken, new_id=lambda: "fresh")
    await step.run(client, REQUEST)
    return step, reports


async def test_everything_is_reported_as_it_comes_and_put_together_in_the_end():
    call = ToolCall("c1", "x", '{"a": 1}')
    reply = Reply(thinking="hm", text="Hi\nthere", calls=(call,), input_tokens=3, output_tokens=4)
    step, reports = await run(script(reply))

    assert step.entry() == AssistantEntry("Hi\nthere", "hm", (call,))
    assert reports == [
        ThinkingDelta("hm"),
        TextDelta("Hi\n"),
        TextDelta("there"),
        ToolcallDelta("c1", '{"a": 1}', "x"),
        MessageCompleted(),
        UsageUpdated(Usage("scripted", "m", 3, 4)),
    ]


async def test_pieces_of_calls_may_alternate_and_an_id_that_is_taken_is_replaced():
    done = StepDone(usage=Usage("p", "m"))
    pieces = (CallPiece("a", "{", "x"), CallPiece("b", "{}", "y"), CallPiece("a", "}"), done)
    step, reports = await run(Pieces(*pieces), taken={"a"})

    assert step.entry().calls == (ToolCall("fresh", "x", "{}"), ToolCall("b", "y", "{}"))
    assert [report.call_id for report in reports.of(ToolcallDelta)] == ["fresh", "b", "fresh"]


async def test_a_stream_that_just_ends_is_a_fault_and_only_what_was_said_counts():
    step = Step(Reports(), taken=(), new_id=lambda: "fresh")
    with pytest.raises(ModelFault) as caught:
        await step.run(Pieces(TextPiece("Half"), CallPiece("a", "{", "x")), REQUEST)

    assert caught.value.code == STREAM_CUT
    assert step.entry() == AssistantEntry("Half")
