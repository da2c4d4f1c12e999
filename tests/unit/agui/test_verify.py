from typing import Any

import pytest

from chat_app.agui.errors import OutOfOrder
from chat_app.agui.order import AFTER_THE_END, Mode
from chat_app.agui.verify import Verifier
from tests.support.wire import Reports, call, ev, failed, finished, started, text, thought

SUB = ev("SUBAGENT_STARTED", subagentRunId="s", name="n")
SUB_END = ev("SUBAGENT_FINISHED", subagentRunId="s")
STEP = ev("STEP_STARTED", stepName="plan")
STEP_END = ev("STEP_FINISHED", stepName="plan")
SPAN = ev("REASONING_START", messageId="q")
SPAN_END = ev("REASONING_END", messageId="q")
CUSTOM = ev("CUSTOM", name="x", value=1)


def admitted(*events: Any, mode: Mode = Mode.STRICT) -> tuple[list[Any], Reports]:
    reports = Reports()
    verifier = Verifier(mode, reports)
    return [out for event in events for out in verifier.admit(event)], reports


def kinds(events: list[Any]) -> list[str]:
    return [event.type.value for event in events]


def asked(*ids: str) -> Any:
    return finished(
        outcome={"type": "interrupt", "interrupts": [{"id": name, "reason": "x"} for name in ids]}
    )


@pytest.mark.parametrize(
    "events",
    [
        [failed()],
        [started(), finished(), failed()],
        [started(), failed(), started("r2"), finished("r2")],
        [started(), finished(), started("r2"), finished("r2")],
        [started(), *text("m", "a"), *text("m", "b"), *call("c"), *call("c"), finished()],
        [started(), SPAN, *thought("q", "x"), SPAN_END, finished()],
        [started(), STEP, ev("STEP_STARTED", stepName="plan", subagentRunId="s"), STEP_END,
         ev("STEP_FINISHED", stepName="plan", subagentRunId="s"), finished()],
        [started(), text("m")[0], STEP, SUB, SPAN, failed()],
        [started(), text("m")[0], failed(), started("r2"), *text("m"), finished("r2")],
        [started(), SUB, SUB_END, finished(), started("r2"), SUB, SUB_END, finished("r2")],
        [started(), SUB, SUB_END, ev("SUBAGENT_STARTED", subagentRunId="t", name="n", parentSubagentRunId="s"),
         ev("SUBAGENT_ERROR", subagentRunId="t", message="x"), finished()],
        [started(), *text("m", "x", subagentRunId="ghost"), CUSTOM, asked("i1", "i2")],
    ],
)  # fmt: skip
def test_a_stream_in_order_passes_whole_and_in_silence(events: list[Any]) -> None:
    assert admitted(*events) == (events, [])


BROKEN = [
    ("PV1", [CUSTOM], "RUN_STARTED"),
    ("PV2", [started(), started("r2")], "still active"),
    ("PV3", [started(), finished(), text("m")[0]], "already finished"),
    ("PV3", [started(), finished(), finished()], "already finished"),
    ("PV4", [started(), failed(), failed()], "already failed"),
    ("PV5", [started(), text("m", "x")[1]], "no text message 'm' is open"),
    ("PV5", [started(), text("m")[0], text("m")[0]], "'m' is open already"),
    ("PV5", [started(), *text("m"), text("m")[-1]], "no text message 'm'"),
    ("PV6", [started(), call("c", "x", "{")[1]], "no tool call 'c'"),
    ("PV6", [started(), call("c")[0], call("c")[0]], "tool call 'c'"),
    ("PV7", [started(), thought("q", "x")[1]], "no reasoning message 'q'"),
    ("PV7", [started(), SPAN, SPAN], "reasoning span 'q'"),
    ("PV7", [started(), SPAN, thought("q")[-1]], "no reasoning message 'q'"),
    ("PV7", [started(), SPAN_END], "no reasoning span 'q'"),
    ("PV8", [started(), STEP, STEP], "step 'plan'"),
    ("PV8", [started(), STEP_END], "no step 'plan' is open"),
    ("PV8", [started(), STEP, ev("STEP_FINISHED", stepName="plan", subagentRunId="s")], "only under the parent agent"),
    ("PV9", [started(), text("m")[0], call("c")[0], SPAN, STEP, SUB, finished()], "subagent 's'"),
    ("PV10", [started(), SUB, SUB], "active already"),
    ("PV10", [started(), SUB, SUB_END, SUB], "names one invocation"),
    ("PV10", [started(), SUB_END], "no subagent 's' is active"),
    ("PV10", [started(), SUB.model_copy(update={"parent_subagent_run_id": "ghost"})], "'ghost' was never started"),
    ("PV11", [started(), text("m")[0], ev("TEXT_MESSAGE_END", messageId="m", subagentRunId="s")], "does not match"),
    ("PV11", [started(), *text("m"), ev("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="m",
              encryptedValue="v", subagentRunId="s")], "does not match"),
    ("PV13", [started(), asked("i", "j", "i")], "i"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "events", "words"), BROKEN)
def test_a_broken_rule_is_named(rule: str, events: list[Any], words: str) -> None:
    *fine, broken = events
    reports = Reports()
    verifier = Verifier(Mode.STRICT, reports)
    for event in fine:
        verifier.admit(event)
    with pytest.raises(OutOfOrder, match=words) as caught:
        verifier.admit(broken)
    assert caught.value.rule == rule
    assert caught.value.event_type == broken.type.value


@pytest.mark.parametrize(("rule", "events", "words"), BROKEN)
def test_reporting_leaves_the_event_out_but_lets_a_run_end(rule: str, events: list[Any], words: str) -> None:
    out, reports = admitted(*events, mode=Mode.REPORT)
    late = rule in AFTER_THE_END
    errors = [report.error.rule for report in reports if isinstance(report.error, OutOfOrder)]
    assert errors == ([] if late else [rule])
    assert words in reports[0].message
    ends = not late and events[-1].type.value in {"RUN_FINISHED", "RUN_ERROR"}
    assert out == (events if ends else events[:-1])


@pytest.mark.parametrize("events", [events for _, events, _ in BROKEN])
def test_looking_away_lets_everything_through(events: list[Any]) -> None:
    assert admitted(*events, mode=Mode.OFF) == (events, [])


@pytest.mark.parametrize(
    ("rule", "events"),
    [(rule, events) for rule, events, _ in BROKEN if rule in {"PV1", "PV2", "PV10", "PV11", "PV13"}],
)
def test_tolerance_ends_where_the_meaning_of_a_run_begins(rule: str, events: list[Any]) -> None:
    with pytest.raises(OutOfOrder) as caught:
        admitted(*events, mode=Mode.TOLERANT)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("events", "kept"),
    [
        ([text("m")[0], text("m")[0], text("m", "x")[1]], [0, 2]),
        ([*text("m", "x"), text("m", "y")[1]], [0, 1, 2, 3]),
        ([text("ghost", "x")[1]], [0]),
        ([thought("ghost", "x")[1]], [0]),
        ([text("ghost")[-1]], []),
        ([*call("c", "x", "{}"), call("c", "x", "{}")[1], call("c")[-1]], [0, 1, 2]),
        ([STEP, STEP, STEP_END, STEP_END], [0, 2]),
        ([SPAN_END], []),
    ],
)
def test_tolerance_mends_the_order_inside_a_run(events: list[Any], kept: list[int]) -> None:
    out, reports = admitted(started(), *events, mode=Mode.TOLERANT)
    assert out[1:] == [events[index] for index in kept]
    assert set(reports.codes) == {"out-of-order"}
    assert all(report.error is None for report in reports)


def test_tolerance_closes_what_a_finish_leaves_open() -> None:
    tagged = ev("STEP_STARTED", stepName="plan", subagentRunId="s")
    events = [started(), text("m")[0], call("c")[0], thought("q")[0], SPAN, STEP, tagged, SUB, finished()]
    out, reports = admitted(*events, mode=Mode.TOLERANT)
    assert kinds(out[8:]) == [
        "TEXT_MESSAGE_END",
        "TOOL_CALL_END",
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "STEP_FINISHED",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]
    assert [event.subagent_run_id for event in out[12:14]] == [None, "s"]
    assert len(reports) == 7


def test_ids_that_disagree_are_noted_and_accepted() -> None:
    _, reports = admitted(started(), finished("other"))
    assert [report.path for report in reports] == ["/runId"]
    elsewhere = started("r2").model_copy(update={"thread_id": "t2"})
    ended = finished("r2").model_copy(update={"thread_id": "t2"})
    _, reports = admitted(started(), finished(), elsewhere, ended)
    assert [report.path for report in reports] == ["/threadId"]


def test_a_violation_leaves_no_trace() -> None:
    verifier = Verifier(Mode.STRICT, Reports())
    verifier.admit(started())
    with pytest.raises(OutOfOrder):
        verifier.admit(text("m")[-1])
    assert verifier.admit(finished()) == (finished(),)
