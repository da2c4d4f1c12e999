from typing import Any

import pytest

from chat_app.agui.history import Applier
from chat_app.agui.updates import (
    MessageEnded,
    MessageStarted,
    ReasoningAdded,
    ReasoningEnded,
    ReasoningStarted,
    TextAdded,
)
from tests.support.wire import Reports, activity, ev, finished, snapshot, started, text, thought


def folded(*events: Any) -> tuple[Applier, list[Any], Reports]:
    reports = Reports()
    applier = Applier(report=reports)
    updates = [update for event in (started(), *events) for update in applier.apply(event)]
    return applier, updates, reports


def contents(applier: Applier) -> list[tuple[str, str, Any]]:
    return [(message.role, message.id, message.content) for message in applier.messages]


def test_fragments_are_joined_in_order() -> None:
    applier, updates, _ = folded(*text("m", "Hel", "", "lo"))
    assert contents(applier) == [("assistant", "m", "Hello")]
    assert updates == [
        MessageStarted("m", "assistant"),
        TextAdded("m", "Hel"),
        TextAdded("m", ""),
        TextAdded("m", "lo"),
        MessageEnded("m"),
    ]


def test_messages_are_assembled_by_id() -> None:
    a, b = text("a", "A1", "A2"), text("b", "B1", role="user")
    applier, _, _ = folded(a[0], b[0], a[1], b[1], a[2], b[2], a[3])
    assert contents(applier) == [("assistant", "a", "A1A2"), ("user", "b", "B1")]


def test_an_id_that_starts_again_goes_on_even_in_another_run() -> None:
    applier, _, _ = folded(*text("m", "a"), finished(), started("r2"), *text("m", "b", role="user"))
    assert contents(applier) == [("assistant", "m", "ab")]


def test_an_absent_role_is_the_assistants() -> None:
    applier, _, _ = folded(ev("TEXT_MESSAGE_START", messageId="m", name="Ann", subagentRunId="s"))
    message = applier.messages[0].model_dump(by_alias=True)
    assert message == {"id": "m", "role": "assistant", "name": "Ann", "subagentRunId": "s", "content": ""}


def test_metadata_of_every_event_lands_on_the_message() -> None:
    start, content, end = text("m", "x")
    applier, _, _ = folded(
        start.model_copy(update={"metadata": {"a": 1}}),
        content.model_copy(update={"metadata": {"b": 2}}),
        end.model_copy(update={"metadata": {"a": 3}}),
    )
    assert applier.messages[0].metadata == {"a": 3, "b": 2}


def test_text_nobody_opened_opens_a_message() -> None:
    applier, updates, _ = folded(text("ghost", "boo")[1])
    assert contents(applier) == [("assistant", "ghost", "boo")]
    assert updates == [MessageStarted("ghost", "assistant"), TextAdded("ghost", "boo")]


def test_text_for_a_message_a_snapshot_took_is_ignored_until_it_starts_again() -> None:
    start, content, end = text("m", "x")
    applier, _, reports = folded(start, snapshot(), content, end)
    assert contents(applier) == []
    assert reports.codes == ["no-target", "no-target"]
    applier.apply(start)
    applier.apply(content)
    assert contents(applier) == [("assistant", "m", "x")]


@pytest.mark.parametrize("events", [text("a", "x"), thought("a", "x")])
def test_an_activitys_id_is_not_for_text(events: list[Any]) -> None:
    applier, updates, reports = folded(activity("a", {"n": 1}), *events)
    assert contents(applier) == [("activity", "a", {"n": 1})]
    assert len(updates) == 1
    assert reports.codes == ["no-target"] * 3


def test_thoughts_are_messages_of_their_own_role() -> None:
    applier, updates, _ = folded(*thought("q", "hm"))
    assert contents(applier) == [("reasoning", "q", "hm")]
    assert updates == [ReasoningStarted("q"), ReasoningAdded("q", "hm"), ReasoningEnded("q")]
    assert [message.content for message in applier.reasoning] == ["hm"]


def test_a_thought_nobody_opened_is_ignored() -> None:
    applier, updates, reports = folded(*thought("q", "hm")[1:])
    assert contents(applier) == []
    assert updates == []
    assert reports.codes == ["no-target"] * 2
