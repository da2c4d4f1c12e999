from typing import Any

from chat_app.agui.history import Applier
from chat_app.agui.updates import ActivityChanged
from tests.support.wire import Reports, activity, call, ev, started, text


def folded(*events: Any) -> tuple[Applier, list[Any], Reports]:
    reports = Reports()
    applier = Applier(report=reports)
    updates = [update for event in (started(), *events) for update in applier.apply(event)]
    return applier, updates, reports


def delta(*patch: dict[str, Any], kind: str = "web", **fields: Any) -> Any:
    return ev("ACTIVITY_DELTA", messageId="a", activityType=kind, patch=list(patch), **fields)


def only(applier: Applier) -> dict[str, Any]:
    (message,) = applier.messages
    return message.model_dump(mode="json", by_alias=True)


def test_an_activity_appears_where_it_arrived_and_is_patched_there() -> None:
    applier, updates, _ = folded(
        activity("a", {"n": 0}), delta({"op": "replace", "path": "/n", "value": 3}, kind="done")
    )
    assert only(applier) == {"id": "a", "role": "activity", "activityType": "done", "content": {"n": 3}}
    assert updates == [ActivityChanged("a")] * 2


def test_replacing_keeps_metadata_and_takes_the_new_owner() -> None:
    first = activity("a", {"n": 1}, metadata={"a": 1}, subagentRunId="s")
    applier, _, _ = folded(first, activity("a", {"n": 2}, activityType="k", metadata={"b": 1}))
    assert only(applier) == {
        "id": "a",
        "role": "activity",
        "activityType": "k",
        "content": {"n": 2},
        "metadata": {"a": 1, "b": 1},
    }


def test_an_activity_that_may_not_be_replaced_only_gains_metadata() -> None:
    applier, updates, _ = folded(
        activity("a", {"n": 1}), activity("a", {"n": 2}, replace=False, metadata={"k": 1})
    )
    assert only(applier)["content"] == {"n": 1}
    assert only(applier)["metadata"] == {"k": 1}
    assert len(updates) == 1


def test_an_activity_takes_the_place_of_another_message_unless_told_to_leave_it() -> None:
    words = [*text("a", "x"), *call("c", parentMessageId="a")]
    left, _, _ = folded(*words, activity("a", {"n": 1}, replace=False))
    assert left.messages[0].role == "assistant"
    taken, _, _ = folded(*words, activity("a", {"n": 1}))
    assert only(taken) == {"id": "a", "role": "activity", "activityType": "web", "content": {"n": 1}}
    assert taken.call("c") is None


def test_a_patch_that_fails_keeps_content_and_type_and_still_merges_metadata() -> None:
    bad = delta({"op": "remove", "path": "/nope"}, kind="k3", metadata={"b": 2})
    applier, updates, reports = folded(activity("a", {"n": 1}, metadata={"a": 1}), bad)
    assert only(applier) == {
        "id": "a",
        "role": "activity",
        "activityType": "web",
        "content": {"n": 1},
        "metadata": {"a": 1, "b": 2},
    }
    assert reports.codes == ["patch-failed"]
    assert len(updates) == 1


def test_a_patch_for_no_activity_is_ignored() -> None:
    applier, updates, reports = folded(delta())
    assert applier.messages == ()
    assert updates == []
    assert reports.codes == ["no-target"]
    applier, _, reports = folded(*text("a", "x"), delta())
    assert applier.messages[0].content == "x"
    assert reports.codes == ["no-target"]
