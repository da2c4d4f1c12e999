"""Every case of ``fixtures/seeds/agent_loop.json``, against the loop with servers and a model in memory."""

import json
from typing import Any

import pytest

from chat_app.agent.budget import Budget
from chat_app.agent.control import Control
from chat_app.agent.grants import Grant, permitted
from chat_app.agent.loop import AgentLoop
from chat_app.agent.models.scripted import Reply, ScriptedModel
from chat_app.agent.opening import LoopInput, seeds
from chat_app.agent.runner import AgentRunner, Swap, SwapPolicy
from chat_app.agent.servers import ResourceSpec, ServerFault
from chat_app.agent.transcript import ToolEntry, UserEntry
from chat_app.agent.usage import Account, UsageLedger
from tests.support.agent_parts import FakeServer, OwnTools, call, specs
from tests.support.shared import seed_cases

PLENTY = {"max_steps": 100, "max_tokens": 10**9}


class Played:
    """A case, prepared and played; what it expects is looked up by name in the checks below."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.expect = case["expect"]
        self.servers = [server(one) for one in case.get("servers", [])]
        self.model = ScriptedModel([reply(one) for one in case.get("model", [])])
        self.control = Control()
        self.results: list[Any] = []
        self.lengths: list[int] = []

    async def prepare(self) -> None:
        given = LoopInput(
            instruction=self.case.get("instruction", "go"),
            seeds=seeds([tuple(pair) for pair in self.case.get("seed", [])]),
            grants=tuple(Grant.read(grant) for grant in self.case.get("grants", [])),
            model="m",
        )
        own = OwnTools(*self.case.get("self_tools", []))
        self.loop = await AgentLoop.prepare(self.servers, given, own)

    async def play(self) -> None:
        if self.case.get("cancel_before"):
            self.control.cancel()
        for turn in range(self.case.get("turns", 0)):
            if turn:
                self.loop.deliver(self.case["deliver"][turn - 1])
            self.results.append(await self.loop.run_turn(self.model, self.budget(), self.control))
            self.set_model(turn)

    def budget(self) -> Budget:
        bounds = PLENTY | self.case.get("budget", {})
        return Budget(
            max_steps=bounds["max_steps"], max_tokens=bounds["max_tokens"], seconds=bounds.get("deadline_in")
        )

    def set_model(self, turn: int) -> None:
        for name, after in self.case.get("set_model_after_turn", []):
            if after == turn:
                self.lengths.append(self.loop.transcript_len)
                self.loop.set_model(name)
                self.lengths.append(self.loop.transcript_len)

    @property
    def outcome(self) -> Any:
        return self.results[-1].outcome

    def observations(self) -> list[list[str]]:
        return [
            [entry.call_id, "error" if entry.is_error else "ok"]
            for entry in self.loop.transcript
            if isinstance(entry, ToolEntry)
        ]


def server(one: dict[str, Any]) -> FakeServer:
    errors = {name: ServerFault(text) for name, text in one.get("errors", {}).items()}
    return FakeServer(
        one["name"],
        specs(*one["tools"]),
        {**one.get("results", {}), **errors},
        [ResourceSpec(uri=found["uri"], name=found["name"]) for found in one.get("resources", [])],
        {found["uri"]: "BODY" for found in one.get("resources", [])},
    )


def reply(one: dict[str, Any]) -> Reply:
    calls = tuple(
        call(key, name, json.dumps(arguments)) for key, name, arguments in one.get("tool_calls", [])
    )
    return Reply(text=one.get("text", ""), calls=calls, **one.get("usage", {}))


def usage(result: Any) -> dict[str, int]:
    return {"input_tokens": result.usage.input_tokens, "output_tokens": result.usage.output_tokens}


def note(played: Played) -> str:
    return played.loop.transcript[1].text


CHECKS = {
    "tools": lambda p: [tool.name for tool in p.loop.tools],
    "owner": lambda p: {name: p.loop.owner(name).name for name in p.expect["owner"]},
    "classes": lambda p: {name: p.loop.tool_class(name).value for name in p.expect["classes"]},
    "roles": lambda p: [entry.role for entry in p.loop.transcript],
    "permitted": lambda p: {name: p.loop.tool_permitted(name) for name in p.expect["permitted"]},
    "observations": Played.observations,
    "served": lambda p: [name for server in p.servers for name, *_ in server.served],
    "status": lambda p: p.outcome.status.value,
    "result": lambda p: p.outcome.result,
    "partial": lambda p: p.outcome.partial,
    "usage": lambda p: usage(p.results[-1]),
    "usages": lambda p: [usage(result) for result in p.results],
    "model_calls": lambda p: len(p.model.requests),
    "models": lambda p: [request.model for request in p.model.requests],
    "request_lengths": lambda p: [len(request.entries) for request in p.model.requests],
    "lengths_around_set_model": lambda p: p.lengths,
    "note_contains": lambda p: p.expect["note_contains"] if p.expect["note_contains"] in note(p) else note(p),
    "note_not_contains": lambda p: (
        note(p)
        if any(p.expect["note_not_contains"] in entry.text for entry in p.loop.transcript)
        else p.expect["note_not_contains"]
    ),
}


async def played_as_turns(case: dict[str, Any]) -> None:
    played = Played(case)
    await played.prepare()
    await played.play()
    found = {key: CHECKS[key](played) for key in played.expect}

    assert found == played.expect


def grant_cases(case: dict[str, Any]) -> None:
    found = [
        [grants, name, permitted([Grant.read(grant) for grant in grants], name)]
        for grants, name, _ in case["grant_cases"]
    ]
    assert found == case["grant_cases"]


async def truncate_cases(case: dict[str, Any]) -> None:
    for length, marker, left in case["truncate_cases"]:
        history = tuple(UserEntry(str(n)) for n in range(length - 1))
        loop = await AgentLoop.prepare((), LoopInput(history=history))
        loop.truncate_transcript(marker)
        assert loop.transcript_len == left


class SwapsMeanwhile(ScriptedModel):
    """Has its own runner swap the model while it answers for the first time."""

    runner: AgentRunner
    swap: Swap

    async def step(self, request):
        if not self.requests:
            self.runner.swap(self.swap)
        async for piece in super().step(request):
            yield piece


async def restarted(case: dict[str, Any]) -> None:
    played = Played(case)
    await played.prepare()
    ledger = UsageLedger()
    model = SwapsMeanwhile([reply(one) for one in case["model"]])
    model.runner = AgentRunner(played.loop, model, budget=played.budget, account=Account(ledger))
    model.swap = Swap(model=case["restart"]["new_model"], policy=SwapPolicy.RESTART_TURN)
    await model.runner.work()

    assert [entry.role for entry in played.loop.transcript] == case["expect"]["final_roles"]
    assert played.loop.transcript[-1].text == case["expect"]["final_text"]
    assert [request.model for request in model.requests] == case["expect"]["models"]
    assert [spent.discarded for spent in ledger.entries] == [True, False]


async def refreshed(case: dict[str, Any]) -> None:
    expect, found = case["expect"], {}
    for key, grants in (("after", case["grants"]), ("after_without_grant", [])):
        played = Played({**case, "grants": grants})
        await played.prepare()
        found["before" if key == "after" else "ungranted"] = [tool.name for tool in played.loop.tools]
        transcript = played.loop.transcript
        played.servers[0].tools = specs(*case["refreshed"][0]["tools"])
        played.servers[0].revision += 1
        assert await played.loop.refresh_if_changed()
        assert (played.loop.transcript == transcript) is expect["transcript_same"]
        found[key] = [tool.name for tool in played.loop.tools]
        assert played.loop.tools_len == len(found[key])

    assert {key: found[key] for key in ("before", "after", "after_without_grant")} == {
        key: expect[key] for key in ("before", "after", "after_without_grant")
    }


HOW = {
    "grant_cases": grant_cases,
    "truncate_cases": truncate_cases,
    "restart": restarted,
    "refreshed": refreshed,
}


@pytest.mark.parametrize("case", seed_cases("agent_loop"))
async def test_the_loop_does_what_the_case_says(case):
    played = next((how for key, how in HOW.items() if key in case), played_as_turns)
    waiting = played(case)
    if waiting is not None:
        await waiting
