from typing import Any

import pytest

from chat_app.agui.owners import Owners, owner_name
from tests.support.wire import activity, call, ev, result, snapshot, started, text, thought


def recorded(*events: Any) -> Owners:
    owners = Owners()
    for event in events:
        owners.record(event)
    return owners


def content(message_id: str, tag: str | None) -> Any:
    fields = {} if tag is None else {"subagentRunId": tag}
    return ev("TEXT_MESSAGE_CONTENT", messageId=message_id, delta="", **fields)


def args(call_id: str, tag: str) -> Any:
    return ev("TOOL_CALL_ARGS", toolCallId=call_id, delta="", subagentRunId=tag)


def sealed(subtype: str, entity: str, tag: str) -> Any:
    return ev(
        "REASONING_ENCRYPTED_VALUE", subtype=subtype, entityId=entity, encryptedValue="v", subagentRunId=tag
    )


def test_the_first_opener_owns_a_message() -> None:
    owners = recorded(*text("m", subagentRunId="s1"), *text("m", subagentRunId="s2"))
    assert owners.conflict(content("m", "s1")) is None
    assert owners.conflict(content("m", None)) is None
    assert "opened by subagent 's1'" in str(owners.conflict(content("m", "s2")))


def test_the_parent_agent_is_an_owner_too() -> None:
    assert "the parent agent" in str(recorded(*text("m")).conflict(content("m", "s")))
    assert owner_name(None) == "the parent agent"


def test_what_nobody_opened_belongs_to_nobody() -> None:
    assert recorded().conflict(content("m", "s")) is None


def test_a_call_inherits_its_parents_owner() -> None:
    owners = recorded(*text("m", subagentRunId="s"), *call("c", parentMessageId="m"))
    assert owners.conflict(args("c", "s")) is None
    assert "tool call 'c'" in str(owners.conflict(args("c", "other")))


def test_a_call_tagged_otherwise_than_its_parent_is_a_conflict() -> None:
    owners = recorded(*text("m", subagentRunId="s"))
    start = call("c", parentMessageId="m", subagentRunId="other")[0]
    assert "parent message 'm'" in str(owners.conflict(start))
    assert owners.conflict(call("c", parentMessageId="m", subagentRunId="s")[0]) is None


def test_a_call_opened_again_by_another_is_a_conflict() -> None:
    owners = recorded(*call("c", subagentRunId="s"))
    assert "tool call 'c'" in str(owners.conflict(call("c", subagentRunId="other")[0]))
    assert "message 'c'" in str(owners.conflict(content("c", "other")))


def test_a_result_belongs_to_whoever_ran_the_tool() -> None:
    answered = result("c").model_copy(update={"subagent_run_id": "runner"})
    owners = recorded(*call("c", subagentRunId="caller"), answered)
    assert owners.conflict(sealed("message", "c-result", "runner")) is None


def test_an_encrypted_value_is_judged_by_its_target() -> None:
    owners = recorded(*thought("q"), *call("c", subagentRunId="s"))
    assert owners.conflict(sealed("message", "q", "s")) is not None
    assert owners.conflict(sealed("tool-call", "c", "s")) is None


def test_an_activity_changes_hands_when_it_is_replaced() -> None:
    owners = recorded(activity("a", subagentRunId="s1"), activity("a", subagentRunId="s2", replace=False))
    delta = ev("ACTIVITY_DELTA", messageId="a", activityType="w", patch=[], subagentRunId="s2")
    assert owners.conflict(delta) is not None
    owners.record(activity("a", subagentRunId="s2"))
    assert owners.conflict(delta) is None


def test_a_snapshot_declares_the_owners_anew() -> None:
    listed = {
        "id": "m",
        "role": "assistant",
        "subagentRunId": "s2",
        "toolCalls": [{"id": "c", "type": "function", "function": {"name": "n", "arguments": ""}}],
    }
    owners = recorded(*text("m", subagentRunId="s1"), *text("gone", subagentRunId="s1"), snapshot(listed))
    assert owners.conflict(content("m", "s2")) is None
    assert owners.conflict(args("c", "s1")) is not None
    assert owners.conflict(content("gone", "s9")) is None


def test_an_echoed_input_tells_only_what_is_not_known() -> None:
    told = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "x"}]}
    owners = recorded(started(input=told))
    assert owners.conflict(content("m", "s")) is not None
    assert recorded(started()).conflict(content("m", "s")) is None


@pytest.mark.parametrize(
    "event",
    [
        ev("CUSTOM", name="x", value=1, subagentRunId="s"),
        ev("STEP_STARTED", stepName="x", subagentRunId="s"),
        ev("STATE_SNAPSHOT", snapshot={}, subagentRunId="s"),
    ],
)
def test_a_tag_on_anything_else_is_provenance_only(event: Any) -> None:
    owners = recorded(*text("x"), event)
    assert owners.conflict(event) is None
