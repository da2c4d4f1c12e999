"""The seeds' cases for the update stream, through a whole session."""

from typing import Any, assert_never

import pytest

from chat_app.agui import ReplayTransport, Session
from chat_app.agui.errors import StreamCut
from chat_app.agui.pipeline import Mode, Reading
from chat_app.agui.profiles import Profile
from chat_app.agui.updates import (
    ActivityChanged,
    ArgumentsAdded,
    CallEnded,
    CallStarted,
    Cancelled,
    Done,
    EncryptedValueStored,
    Failed,
    Interrupted,
    InterruptRaised,
    MessageEnded,
    MessagesReplaced,
    MessageStarted,
    ReasoningAdded,
    ReasoningEnded,
    ReasoningStarted,
    ResultArrived,
    RunEnd,
    RunEnded,
    StateChanged,
    SubagentChanged,
    Success,
    TextAdded,
    Trouble,
    Update,
)
from tests.conformance.overrides import adjusted
from tests.support.shared import seed_cases
from tests.support.wire import Reports

MODES = {"off": Mode.OFF, "report": Mode.REPORT}


@pytest.mark.parametrize("case", seed_cases("updates"))
async def test_what_changed_is_told_in_order(case: dict[str, Any]) -> None:
    case = adjusted("updates", case)
    script = [StreamCut(event["$raise"]) if "$raise" in event else event for event in case["events"]]
    reading = Reading(MODES[case.get("verify", "report")])
    session: Session[Any] = Session(
        ReplayTransport(script),
        "t",
        profile=Profile(name="case", reading=reading),
        on_diagnostic=Reports().append,
    )
    async with session.run() as updates:
        told = [update async for update in updates]
    # The cases know one end per exchange, so the ends of its runs are left out (fixtures table).
    assert_told([listed(update) for update in told if not isinstance(update, RunEnded)], case["updates"])


def assert_told(told: list[list[Any]], expected: list[list[Any]]) -> None:
    assert len(told) == len(expected), told
    for one, wanted in zip(told, expected, strict=True):
        if wanted[:2] == ["done", "failed"] and wanted[2] is None:
            assert [*one[:2], *one[3:]] == [*wanted[:2], *wanted[3:]]
        else:
            assert one == wanted


def listed(update: Update) -> list[Any]:  # noqa: C901, PLR0911, PLR0912 - one line per update
    match update:
        case MessageStarted():
            return ["message", update.message_id, "started"]
        case TextAdded():
            return ["message", update.message_id, "content", update.delta]
        case MessageEnded():
            return ["message", update.message_id, "ended"]
        case CallStarted():
            return ["message", update.message_id, "tool_call_started", update.call_id, update.name]
        case ArgumentsAdded():
            return ["message", update.message_id, "tool_call_args", update.call_id, update.delta]
        case CallEnded():
            return ["message", update.message_id, "tool_call_ended", update.call_id]
        case ResultArrived():
            return ["message", update.message_id, "tool_result", update.call_id]
        case ActivityChanged():
            return ["message", update.message_id, "activity"]
        case EncryptedValueStored():
            return ["message", update.message_id, "encrypted_value"]
        case MessagesReplaced():
            return ["messages", list(update.message_ids)]
        case StateChanged():
            return ["state", update.value]
        case ReasoningStarted():
            return ["reasoning", update.message_id, "started"]
        case ReasoningAdded():
            return ["reasoning", update.message_id, "content", update.delta]
        case ReasoningEnded():
            return ["reasoning", update.message_id, "ended"]
        case InterruptRaised():
            return ["interrupt", update.interrupt.id]
        case SubagentChanged():
            status = update.status.value
            return ["subagent", update.subagent_run_id, "started" if status == "running" else status]
        case Trouble():
            return ["error", update.error.kind]
        case RunEnded() | Done():
            return ["done", *ending(update.end)]
        case _:
            assert_never(update)


def ending(end: RunEnd) -> list[Any]:
    match end:
        case Success():
            return ["success", end.result]
        case Interrupted():
            return ["interrupted", [interrupt.id for interrupt in end.interrupts]]
        case Cancelled():
            return ["cancelled"]
        case Failed():
            return ["failed", end.message, end.code]
        case _:
            assert_never(end)
