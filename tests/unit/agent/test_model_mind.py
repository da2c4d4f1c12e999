"""The mind by itself; whole conversations are in tests/integration/test_model_chat.py."""

import asyncio

import pytest
from ag_ui.core import ResumeEntry

from chat_app.agent.budget import Budget
from chat_app.agent.desk import Desk
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.model_mind import CUTS, ModelMind, _Job
from chat_app.agent.models.interface import ModelFault
from chat_app.agent.models.scripted import Reply, ScriptedModel
from chat_app.agent.outcome import Outcome, Status
from chat_app.agent.replies import mark
from chat_app.agent.runner import SwapPolicy
from chat_app.agent.servers import Observation, ServerFault
from chat_app.agent.store import Asked, SuspendedTurn
from chat_app.agent.store import Reply as Said
from chat_app.agent.switchboard import Switchboard
from chat_app.agent.transcript import AssistantEntry, ToolEntry, UserEntry
from chat_app.agent.turn import Means, Pace, Turn, TurnFailed
from chat_app.agent.turn_events import (
    AppStateChanged,
    PermissionRequest,
    StateChanged,
    StreamReset,
    TextDelta,
    ToolCompleted,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnPaused,
)
from tests.fakes import within
from tests.support.agent_harness import Clock, conversation, counting_ids, person
from tests.support.agent_parts import FakeServer, call, script, specs


class Sink:
    def __init__(self):
        self.reports = []
        self.asked = asyncio.Event()

    def report(self, event):
        self.reports.append(event)
        if isinstance(event, PermissionRequest):
            self.asked.set()

    async def room(self):
        """Never wait."""


class Played:
    """One request, answered."""

    def __init__(self, model, *servers, messages="Hi", fields=None, desk=None, **mind):
        self.sink = Sink()
        self.mind = ModelMind(client=model, model="m", servers=servers, **mind)
        means = Means(pace=Pace(0), new_id=counting_ids(), now=Clock(), memory=ProcessMemory(), desk=desk)
        asked = conversation(messages, **(fields or {}))
        self.turn = Turn(asked, self.sink, means=means)

    async def end(self):
        return await self.mind(self.turn.conversation).play(self.turn)

    def of(self, kind):
        return [event for event in self.sink.reports if isinstance(event, kind)]


def wanting(model):
    return {"forwardedProps": {"model": model}}


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


# ---------------------------------------------------------------- the model


@pytest.mark.parametrize(
    ("wanted", "model", "stays"),
    [(None, "m", ("m", "big")), ("m", "m", ()), ("big", "big", ()), ("huge", "m", ("m", "big"))],
)
def test_a_plan_is_for_the_wanted_model_or_leaves_the_thread_its_own(wanted, model, stays):
    mind = ModelMind(client=script(), model="m", switchboard=Switchboard(["m", "big"]))
    work = mind(conversation("Hi", **wanting(wanted)))
    assert (work.model, work.stays) == (model, stays)


async def test_a_model_that_is_not_on_offer_fails_the_turn():
    played = Played(script(), fields=wanting("huge"), switchboard=Switchboard(["m", "big"]))
    with pytest.raises(TurnFailed, match="on offer is m, big") as caught:
        await played.end()
    assert caught.value.code == "MODEL_UNKNOWN"


@pytest.mark.parametrize(
    ("policy", "models", "resets"),
    [(SwapPolicy.FINISH_ON_OLD, ["m"], 0), (SwapPolicy.RESTART_TURN, ["m", "big"], 1)],
)
async def test_another_model_asked_for_meanwhile_is_told(policy, models, resets):
    board = Switchboard(["m", "big"])

    class Swapping(ScriptedModel):
        async def step(self, request):
            if not self.requests:
                board.swap("thread-1", "big", policy=policy)
            async for piece in super().step(request):
                yield piece

    model = Swapping([Reply(text="old"), Reply(text="new")])
    played = Played(model, switchboard=board)
    assert await played.end() == TurnCompleted()
    assert [request.model for request in model.requests] == models
    assert len(played.of(StreamReset)) == resets
    assert played.of(StateChanged)[-1] == StateChanged(model="big")


# ---------------------------------------------------------------- turns that wait


class KeepingStore:
    """Keeps waiting turns and what was said to them, in memory."""

    def __init__(self):
        self.turns, self.done, self.said, self.released = [], {}, None, []

    async def suspend(self, turn):
        self.turns.append(turn)

    async def find(self, _thread, interrupts):
        asked = [turn for turn in self.turns if {one.interrupt for one in turn.questions} & set(interrupts)]
        return asked[-1] if asked else None

    async def begin(self, _thread, _interrupt):
        return True

    async def conclude(self, _thread, interrupt, result):
        self.done[interrupt] = result

    async def claim(self, _turn, *, patience):
        assert patience
        return self.said

    async def keep_reply(self, _turn, reply):
        self.said = reply

    async def release(self, turn):
        self.released.append(turn)


def asked_once(*later):
    function = {"name": "drop", "arguments": "{}"}
    calls = [{"id": "c1", "type": "function", "function": function}]
    return [person("Hi"), {"id": "a", "role": "assistant", "toolCalls": calls}, *later]


def waiting_turn():
    entries = (AssistantEntry("", calls=(call("c1", "drop"),)),)
    return SuspendedTurn(
        id="t",
        thread="thread-1",
        model="m",
        entries=entries,
        questions=(Asked("call:c1", call("c1", "drop")),),
    )


def asking():
    return FakeServer(tools=specs("drop", asks=["drop"]))


def resumed(store, model, server=None):
    store.turns = [waiting_turn()]
    yes = {"interruptId": "call:c1", "status": "resolved", "payload": {"approved": True}}
    return Played(model, server or asking(), messages=asked_once(), fields={"resume": [yes]}, store=store)


async def test_a_question_is_kept_with_what_was_done_since_the_line():
    store = KeepingStore()
    end = await Played(script(drop()), asking(), store=store).end()
    assert isinstance(end, TurnPaused)
    (kept,) = store.turns
    assert (kept.thread, kept.model, kept.entries) == ("thread-1", "m", waiting_turn().entries)
    assert [asked.interrupt for asked in kept.questions] == ["call:c1"]


async def test_a_question_without_an_answer_is_asked_again_and_no_model_is_called():
    played = Played(script(), asking(), messages=asked_once())
    end = await played.end()
    assert [question.call_id for question in end.questions] == ["c1"]
    assert played.mind.client.requests == []


async def test_an_answer_is_acted_on_and_what_is_said_to_it_is_kept():
    store, server = KeepingStore(), asking()
    assert await resumed(store, script("Done."), server).end() == TurnCompleted()
    assert [name for name, *_ in server.served] == ["drop"]
    assert store.done["call:c1"].text == "ok"
    assert store.said == Said(after=mark(()), entries=(AssistantEntry("Done."),))


async def test_a_reply_that_failed_is_given_back():
    store = KeepingStore()
    with pytest.raises(TurnFailed, match="No"):
        await resumed(store, script(Reply(fault=ModelFault("No.", code="X")))).end()
    assert (store.said, store.released) == (None, ["t"])


async def test_the_same_answers_are_given_the_same_reply():
    store = KeepingStore()
    store.said = Said(after=mark(()), entries=(AssistantEntry("Done."),))
    played = resumed(store, script())
    assert await played.end() == TurnCompleted()
    assert TextDelta("Done.") in played.of(TextDelta)
    assert played.mind.client.requests == []


async def test_a_reply_that_ended_with_a_question_asks_it_again():
    store = KeepingStore()
    entries = (
        AssistantEntry("", calls=(call("c2", "look"), call("c3", "drop"))),
        ToolEntry("c2", "look", "seen"),
    )
    store.said = Said(after=mark(()), entries=entries, asked=("c3",))
    played = resumed(store, script())
    end = await played.end()
    assert [question.call_id for question in end.questions] == ["c3"]
    assert ToolCompleted("c2", "seen") in played.of(ToolCompleted)


async def test_another_line_after_the_same_answers_is_answered_anew():
    store = KeepingStore()
    store.said = Said(after=mark([UserEntry("Other")]), entries=(AssistantEntry("Done."),))
    played = resumed(store, script("Anew."))
    assert await played.end() == TurnCompleted()
    assert len(played.mind.client.requests) == 1


# ---------------------------------------------------------------- decided while it goes on


async def decided(played, desk, *, approved=True):
    entry = ResumeEntry(interrupt_id="call:c1", status="resolved", payload={"approved": approved})
    running = asyncio.ensure_future(played.end())
    await within(played.sink.asked.wait())
    desk.answer("thread-1", entry)
    return await within(running)


@pytest.mark.parametrize(("approved", "served"), [(True, ["drop"]), (False, [])])
@pytest.mark.parametrize("store", [None, KeepingStore])
async def test_a_live_decision_is_acted_on_and_the_turn_goes_on(store, approved, served):
    desk, server = Desk(), asking()
    kept = store() if store else None
    played = Played(script(drop(), "fin"), server, desk=desk, store=kept)
    assert await decided(played, desk, approved=approved) == TurnCompleted()
    assert [name for name, *_ in server.served] == served
    assert kept is None or list(kept.done) == ["call:c1"]


async def test_a_question_left_from_before_is_decided_live_before_the_model_goes_on():
    desk, server = Desk(), asking()
    played = Played(script("fin"), server, messages=asked_once(), desk=desk)
    assert await decided(played, desk) == TurnCompleted()
    assert [name for name, *_ in server.served] == ["drop"]


async def test_after_a_live_decision_the_page_still_runs_its_own_calls():
    desk = Desk()
    both = Reply(calls=(call("c1", "drop"), call("c2", "paint")))
    tools = {"tools": [{"name": "paint", "description": "Paints."}]}
    played = Played(script(both), asking(), fields=tools, desk=desk)
    assert await decided(played, desk) == TurnCompleted()
    assert len(played.mind.client.requests) == 1
