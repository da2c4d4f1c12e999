"""Every scenario over HTTP, judged three times: by our own rules, by ag-ui-validate, by our client's pipeline."""

import itertools

import httpx
import pytest
from ag_ui_validate.pytest_plugin import assert_valid_agui
from starlette.applications import Starlette

from chat_app.agent.gateway import AgentOptions, agent_routes, build_agent
from chat_app.agent.scenarios import SCENARIOS, TALK
from chat_app.agui.pipeline import STRICT, Pipeline
from tests.support.agent_harness import (
    TOKEN,
    Clock,
    after,
    check_order,
    counting_ids,
    decode,
    interrupts_of,
    person,
    results_of,
    run_input,
)

# What the validator, made for 0.1, asks and protocol 1.0 does not; each with why. All its other rules hold.
REASONS = {
    "AGUI001": "a stream may consist of RUN_ERROR alone, for a run that failed before it began",
    "AGUI204": "the arguments of a call that was broken off are text, whole JSON or not",
    "AGUI207": "a resumed run answers a call that an earlier run made, without making it again",
}
NOT_OF_1_0 = dict.fromkeys(REASONS, "off")
ENDLESS = {"silent"}
OFFER = [{"name": name, "description": "", "parameters": {}} for name in ("show_card", "local_time")]


class Http:
    def __init__(self, **options):
        self._ids = counting_ids("made")
        self._runs = itertools.count(1)
        agent = build_agent(TOKEN, now=Clock(), new_id=self._ids, options=AgentOptions(pace=0, **options))
        self._transport = httpx.ASGITransport(Starlette(routes=agent_routes("/agent", agent)))

    async def run(self, messages, **fields):
        headers = {"accept": "text/event-stream", "authorization": f"Bearer {TOKEN}"}
        body = run_input(messages, runId=f"run-{next(self._runs)}", **fields)
        async with httpx.AsyncClient(transport=self._transport, base_url="http://agent") as client:
            response = await client.post("/agent", json=body, headers=headers)
        assert response.status_code == 200
        events = decode(response.content)
        judge(events)
        return events


def judge(events):
    check_order(events)
    assert_valid_agui(events, severity_overrides=NOT_OF_1_0, max_warnings=0)
    complaints = []
    pipeline = Pipeline(STRICT, report=complaints.append, new_id=counting_ids())
    admitted = [event for frame in events for event in pipeline.feed(frame)]
    assert len(admitted) == len(events)
    assert not complaints


@pytest.fixture
def http():
    return Http()


@pytest.mark.parametrize(
    "scenario",
    [scenario for scenario in (*SCENARIOS, TALK) if scenario.id not in ENDLESS],
    ids=lambda scenario: scenario.id,
)
@pytest.mark.parametrize("tools", [[], OFFER], ids=["bare", "with tools"])
async def test_every_scenario_is_accepted_without_a_warning(http, scenario, tools):
    assert await http.run(scenario.phrase, tools=tools)


@pytest.mark.parametrize(
    "scenario", [one for one in SCENARIOS if one.id not in ENDLESS], ids=lambda scenario: scenario.id
)
async def test_a_client_without_subagents_is_never_shown_any(scenario):
    for event in await Http(subagents="custom").run(scenario.phrase, tools=OFFER):
        assert not event["type"].startswith("SUBAGENT_")
        assert "subagentRunId" not in event


@pytest.mark.parametrize("rule", REASONS)
async def test_every_rule_that_is_off_would_refuse_a_stream_of_ours(http, rule):
    line = person("Refund order T-1042")
    asked = await http.run([line])
    entry = {"interruptId": interrupts_of(asked)[0]["id"], "status": "cancelled"}
    streams = {
        "AGUI001": await http.run("Fail before you start"),
        "AGUI204": await http.run("Crash"),
        "AGUI207": await http.run(after([line], asked), resume=[entry]),
    }
    others = {one: "off" for one in REASONS if one != rule}
    with pytest.raises(AssertionError, match=rule):
        assert_valid_agui(streams[rule], severity_overrides=others, max_warnings=0)


@pytest.mark.parametrize("phrase", ["Show order T-1042 as a card", "What time is it here?"])
async def test_what_goes_on_after_a_tool_of_the_clients_is_accepted(http, phrase):
    line = person(phrase)
    called = await http.run([line], tools=OFFER)
    (call_id,) = called[-1]["outcome"]["pendingToolCallIds"]
    answer = {"id": "t9", "role": "tool", "toolCallId": call_id, "content": "done"}
    assert await http.run([*after([line], called), answer], tools=OFFER)


@pytest.mark.parametrize(
    ("phrase", "payload"),
    [
        ("Book a repair slot", {"day": "2030-05-02", "work": "Check-up"}),
        ("Plan a trip to the bicycle fair", {"train": "08:40, one change"}),
        ("Book a repair slot", None),
        ("Plan a trip to the bicycle fair", None),
    ],
)
async def test_what_goes_on_after_a_form_is_accepted(http, phrase, payload):
    line = person(phrase)
    (interrupt,) = interrupts_of(await http.run([line]))
    given = {"status": "cancelled"} if payload is None else {"status": "resolved", "payload": payload}
    assert await http.run([line], resume=[{"interruptId": interrupt["id"], **given}])


@pytest.mark.parametrize(
    "answer",
    [
        {"status": "resolved", "payload": {"approved": True}},
        {"status": "resolved", "payload": {"approved": False, "reason": "no"}},
        {"status": "cancelled"},
    ],
    ids=["approved", "rejected", "cancelled"],
)
async def test_every_way_to_answer_a_question_is_accepted_without_a_warning(http, answer):
    line = person("Refund both orders")
    first = await http.run([line])
    entries = [{"interruptId": one["id"], **answer} for one in interrupts_of(first)]
    second = await http.run(after([line], first), resume=entries)
    assert set(results_of(second)) == {one["toolCallId"] for one in interrupts_of(first)}


async def test_a_partial_answer_and_a_bad_one_are_accepted_streams_too(http):
    line = person("Refund both orders")
    first = await http.run([line])
    one, two = interrupts_of(first)
    entry = {"interruptId": one["id"], "status": "cancelled"}
    assert len(interrupts_of(await http.run(after([line], first), resume=[entry]))) == 1
    bad = {"interruptId": two["id"], "status": "resolved", "payload": "?"}
    assert (await http.run(after([line], first), resume=[entry, bad]))[-1]["type"] == "RUN_ERROR"


async def test_a_conversation_goes_on_over_many_runs_with_ids_that_never_repeat(http):
    history, seen = [], []
    for number, phrase in enumerate(
        ("Where is order T-1077?", "Compare both orders", "Plan the workshop day")
    ):
        history.append(person(phrase, key=f"u{number}"))
        events = await http.run(history)
        history = after(history, events)
        seen += [event["toolCallId"] for event in events if event["type"] == "TOOL_CALL_START"]
        seen += [
            event["messageId"]
            for event in events
            if event["type"] in {"TEXT_MESSAGE_START", "TOOL_CALL_RESULT"}
        ]
    assert len(seen) == len(set(seen))
