"""The mind by itself; whole conversations are in tests/integration/test_model_chat.py."""

import pytest

from chat_app.agent.budget import Budget
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.model_mind import CUTS, ModelMind, _Job
from chat_app.agent.models.interface import ModelFault
from chat_app.agent.models.scripted import Reply
from chat_app.agent.outcome import Outcome, Status
from chat_app.agent.servers import Observation, ServerFault
from chat_app.agent.store import Asked, SuspendedTurn
from chat_app.agent.turn import Means, Pace, Turn, TurnFailed
from chat_app.agent.turn_events import (
    AppStateChanged,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnPaused,
)
from tests.support.agent_harness import Clock, conversation, counting_ids, person
from tests.support.agent_parts import FakeServer, call, script, specs


class Sink:
    def __init__(self):
        self.reports = []

    def report(self, event):
        self.reports.append(event)

    async def room(self):
        """Never wait."""


class Played:
    """One request, answered."""

    def __init__(self, model, *servers, messages="Hi", fields=None, **mind):
        self.sink = Sink()
        self.mind = ModelMind(client=model, model="m", servers=servers, **mind)
        means = Means(pace=Pace(0), new_id=counting_ids(), now=Clock(), memory=ProcessMemory())
        self.turn = Turn(conversation(messages, **(fields or {})), self.sink, means=means)

    async def end(self):
        return await self.mind(self.turn.conversation).play(self.turn)

    def of(self, kind):
        return [event for event in self.sink.reports if isinstance(event, kind)]


def drop(key="c1"):
    return Reply(calls=(call(key, "drop"),))


def test_a_plan_names_the_model_and_counts_no_words():
    work = ModelMind(client=script(), model="m")(conversation("Hi"))
    assert (work.model, work.starts, work.counts_words) == ("m", True, False)


async def test_an_answer_completes_the_turn():
    assert await Played(script("Hello")).end() == TurnCompleted()


@pytest.mark.parametrize("messages", [[], [{"id": "s", "role": "system", "content": "Be."}]])
async def test_a_conversation_without_a_line_has_nothing_to_answer(messages):
    with pytest.raises(TurnFailed) as caught:
        await Played(script(), messages=messages).end()
    assert caught.value.code == "NOTHING_ASKED"


async def test_a_model_that_fails_and_a_server_that_is_down_fail_the_turn():
    with pytest.raises(TurnFailed, match="No"):
        await Played(script(Reply(fault=ModelFault("No.", code="X")))).end()
    with pytest.raises(TurnFailed, match="down"):
        await Played(script(), FakeServer(tools=ServerFault("It is down."))).end()


@pytest.mark.parametrize("name", ["drop", "subagent.spawn"])
async def test_a_tool_of_the_page_with_a_name_that_is_taken_is_refused(name):
    tools = [{"name": name, "description": ""}]
    with pytest.raises(TurnFailed) as caught:
        await Played(script(), FakeServer(tools=specs("drop")), fields={"tools": tools}).end()
    assert caught.value.code == "TOOL_CLASH"


async def test_without_a_store_a_question_is_asked_all_the_same():
    end = await Played(script(drop()), FakeServer(tools=specs("drop", asks=["drop"]))).end()
    assert isinstance(end, TurnPaused)
    assert end.questions[0].call_id == "c1"


async def test_a_call_the_page_runs_completes_the_turn():
    tools = [{"name": "drop", "description": "Drops."}]
    assert await Played(script(drop()), fields={"tools": tools}).end() == TurnCompleted()


@pytest.mark.parametrize("app", [{"mine": 1}, "text", None])
async def test_what_servers_show_stands_under_their_names_beside_the_rest(app):
    server = FakeServer("tasks", specs("drop"), {"drop": Observation("ok", state=[1])})
    played = Played(script(drop(), "fin"), server, fields={"state": {"app": app}})
    await played.end()
    kept = app if isinstance(app, dict) else {}
    assert played.of(AppStateChanged) == [AppStateChanged({**kept, "tasks": [1]})]


async def test_a_turn_that_was_cut_says_why_in_words():
    budget = Budget(max_steps=0, max_tokens=1, seconds=2)
    end = await Played(script(), budget=budget).end()
    assert end == TurnError(
        "The agent stopped after 0 steps, the most one turn may take. What it said so far is kept.",
        "EXHAUSTED_STEPS",
    )


def test_every_end_without_an_answer_has_its_words():
    told = {Status.COMPLETED, Status.CANCELLED, Status.SUSPENDED}
    assert set(CUTS) == set(Status) - told


async def test_a_cancelled_turn_is_told_as_such():
    played = Played(script())
    job = _Job(played.mind, played.turn)
    assert await job._end(None, Outcome(status=Status.CANCELLED)) == TurnCancelled()


@pytest.mark.parametrize("made", [None, {"name": "other"}, {"arguments": '{"n": 2}'}])
async def test_a_question_of_a_branch_that_was_edited_away_is_not_this_one(made):
    class Store:
        async def find(self, _thread, _interrupts):
            kept = call("c1", "drop", "{}") if made else call("gone", "drop")
            question = Asked("call:c1", kept)
            return SuspendedTurn(id="t", thread="th", model="m", entries=(), questions=(question,))

    function = {"name": "drop", "arguments": "{}"} | (made or {})
    messages = [
        person("Hi"),
        {
            "id": "a",
            "role": "assistant",
            "toolCalls": [{"id": "c1", "type": "function", "function": function}],
        },
    ]
    played = Played(script("ok"), messages=messages, store=Store())
    assert await played.end() == TurnCompleted()
    roles = [entry.role for entry in played.mind.client.requests[0].entries]
    assert roles == ["system", "user", "assistant", "tool"]
