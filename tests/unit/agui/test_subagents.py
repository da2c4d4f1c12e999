from typing import Any

from chat_app.agui.subagents import SubagentRegistry
from chat_app.agui.updates import SubagentChanged, SubagentStatus
from tests.support.wire import ev, failed, finished, started


def folded(*entries: Any) -> SubagentRegistry:
    registry = SubagentRegistry()
    for entry in entries:
        registry.apply(entry)
    return registry


def announced(run_id: str = "s", **fields: Any) -> Any:
    return ev("SUBAGENT_STARTED", subagentRunId=run_id, name="researcher", **fields)


def ended(run_id: str = "s", **fields: Any) -> Any:
    return ev("SUBAGENT_FINISHED", subagentRunId=run_id, **fields)


def test_an_invocation_carries_what_was_announced() -> None:
    registry = folded(
        started(), announced(description="finds", parentToolCallId="c", parentSubagentRunId="p")
    )
    row = registry.get("s")
    assert row is not None
    assert (row.name, row.description, row.parent_call_id, row.parent_id) == ("researcher", "finds", "c", "p")
    assert row.status is SubagentStatus.RUNNING


def test_a_finish_nobody_announced_makes_a_row() -> None:
    assert [(row.name, row.status.value) for row in folded(ended(result=3))] == [("s", "finished")]


def test_a_failure_keeps_its_words() -> None:
    row = folded(announced(), ev("SUBAGENT_ERROR", subagentRunId="s", message="boom", code="500")).get("s")
    assert row is not None
    assert (row.status, row.message, row.code) == (SubagentStatus.FAILED, "boom", "500")


def test_a_suspended_invocation_goes_on_as_the_same_row() -> None:
    registry = folded(announced(), ended(outcome={"type": "suspended", "interruptIds": ["i"]}), finished())
    suspended = registry.get("s")
    assert suspended is not None
    assert (suspended.status, suspended.interrupt_ids) == (SubagentStatus.SUSPENDED, ("i",))
    assert registry.apply(announced()) == (SubagentChanged("s", SubagentStatus.RUNNING, resumed=True),)
    assert len(list(registry)) == 1


def test_suspension_without_ids_and_plain_success_are_told_apart() -> None:
    registry = folded(ended("a", outcome={"type": "suspended"}), ended("b", outcome={"type": "success"}))
    assert [row.status.value for row in registry] == ["suspended", "finished"]


def test_the_end_of_a_run_aborts_what_still_runs_and_nothing_else() -> None:
    registry = folded(announced("done"), ended("done"), announced("open"))
    assert registry.apply(failed()) == (SubagentChanged("open", SubagentStatus.ABORTED),)
    assert registry.apply(finished()) == ()
    assert registry.apply(started()) == ()
    assert registry.get("ghost") is None
