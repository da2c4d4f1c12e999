from typing import Any

import pytest

from chat_app.agui.keeping import CLIENT_KEY, OWNED_ACTIVITIES, Keeper
from tests.support.wire import snapshot

THOUGHT = {"id": "q", "role": "reasoning", "content": "x"}
ACTIVITY = {"id": "a", "role": "activity", "activityType": "web", "content": {}}


def test_a_snapshot_without_their_kind_says_nothing_about_activities_and_thoughts() -> None:
    keeper = Keeper(snapshot({"id": "m", "role": "assistant", "content": "x"}))
    assert keeper.keeps("activity", "web")
    assert keeper.keeps("reasoning", "")
    assert not keeper.keeps("assistant", "")


def test_a_snapshot_with_one_of_a_kind_owns_the_kind() -> None:
    keeper = Keeper(snapshot(THOUGHT, ACTIVITY))
    assert not keeper.keeps("activity", "web")
    assert not keeper.keeps("reasoning", "")


@pytest.mark.parametrize(
    ("owned", "web", "other"),
    [(None, False, False), ([], True, True), (["web"], False, True), ("web", True, True)],
)
def test_a_snapshot_may_name_the_activity_types_it_owns(owned: Any, web: bool, other: bool) -> None:
    keeper = Keeper(snapshot(metadata={CLIENT_KEY: {OWNED_ACTIVITIES: owned}}))
    assert keeper.keeps("activity", "web") is web
    assert keeper.keeps("activity", "other") is other


@pytest.mark.parametrize("metadata", [{}, {CLIENT_KEY: "no object"}, {CLIENT_KEY: {}}])
def test_other_metadata_says_nothing_about_activities(metadata: dict[str, Any]) -> None:
    assert Keeper(snapshot(metadata=metadata)).keeps("activity", "web")
