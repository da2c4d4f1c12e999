from typing import Any

import pytest
from ag_ui._generated import models

from chat_app.agui.errors import BadEvent
from chat_app.agui.shapes import DROPPED, Choice, Items, Path, Tagged, Walk, Whole, shape_of


def walk(*, drop_nulls: bool = False) -> tuple[Walk, list[tuple[str, Path]]]:
    removed: list[tuple[str, Path]] = []
    return Walk("X", lambda reason, path: removed.append((reason, path)), drop_nulls), removed


def clean(model: Any, value: Any, *, drop_nulls: bool = False) -> tuple[Any, list[Path]]:
    passing, removed = walk(drop_nulls=drop_nulls)
    return shape_of(model).clean(value, (), passing), [path for _, path in removed]


def test_undescribed_members_are_removed_and_named() -> None:
    cleaned, removed = clean(models.Context, {"description": "d", "value": "v", "a/b": 1})
    assert cleaned == {"description": "d", "value": "v"}
    assert removed == [("a/b",)]


def test_a_fixed_value_is_required_although_the_model_has_a_default() -> None:
    with pytest.raises(BadEvent, match="/type: it is required"):
        clean(models.ToolCall, {"id": "c", "function": {"name": "n", "arguments": ""}})


def test_the_python_name_of_a_field_is_no_name_for_it() -> None:
    with pytest.raises(BadEvent, match="/from: it is required"):
        clean(models.MoveOperation, {"op": "move", "path": "/a", "from_": "/b"})


def test_null_is_refused_where_the_protocol_has_none() -> None:
    with pytest.raises(BadEvent, match="/metadata: it must not be null"):
        clean(models.Tool, {"name": "n", "description": "d", "metadata": None})


def test_null_is_absent_in_a_lenient_pass_but_not_for_what_is_needed() -> None:
    lenient = {"name": "n", "description": "d", "parameters": None}
    assert clean(models.Tool, lenient, drop_nulls=True) == (
        {"name": "n", "description": "d"},
        [("parameters",)],
    )
    with pytest.raises(BadEvent, match="/name"):
        clean(models.Tool, {"name": None, "description": "d"}, drop_nulls=True)


def test_null_is_data_where_any_json_may_stand() -> None:
    event = {"type": "STATE_SNAPSHOT", "snapshot": None}
    assert clean(models.StateSnapshotEvent, event) == (event, [])
    request = {"threadId": "t", "runId": "r", "messages": [], "state": None}
    assert clean(models.RunAgentInput, request) == (request, [])


def test_operations_keep_what_they_do_not_define() -> None:
    operation = {"op": "remove", "path": "/a", "value": 1, "note": "x"}
    assert clean(models.RemoveOperation, operation) == (operation, [])


def test_an_unknown_member_of_a_union_takes_what_needs_it_along() -> None:
    image = {"type": "image", "source": {"type": "ipfs", "value": "Qm"}}
    message = {"id": "u", "role": "user", "content": [image, {"type": "text", "text": "x"}]}
    cleaned, removed = clean(models.UserMessage, message)
    assert cleaned["content"] == [{"type": "text", "text": "x"}]
    assert removed == [("content", 0, "source")]


def test_an_unknown_optional_member_only_goes_itself() -> None:
    event = {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "narrator"}
    assert clean(models.TextMessageStartEvent, event) == (
        {"type": "TEXT_MESSAGE_START", "messageId": "m"},
        [("role",)],
    )


def test_an_unknown_required_word_takes_the_whole_value() -> None:
    event = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "new", "entityId": "m", "encryptedValue": "v"}
    assert clean(models.ReasoningEncryptedValueEvent, event)[0] is DROPPED


def test_values_of_another_shape_are_left_for_the_type_check() -> None:
    passing, removed = walk()
    words = Choice(frozenset({"a"}))
    assert words.clean(5, (), passing) == 5
    assert words.clean("a", (), passing) == "a"
    assert Items(words).clean("no list", (), passing) == "no list"
    assert Tagged("type", {}).clean({"type": 5}, (), passing) == {"type": 5}
    assert Tagged("type", {}).clean("text", (), passing) == "text"
    assert shape_of(models.Context).clean([], (), passing) == []
    assert not removed


@pytest.mark.parametrize(("given", "read"), [(5.0, 5), (5, 5), (1.5, 1.5), ("5", "5"), (True, True)])
def test_an_integer_may_be_spelt_with_a_fraction_of_zero(given: Any, read: Any) -> None:
    passing, _ = walk()
    cleaned = Whole().clean(given, (), passing)
    assert (cleaned, type(cleaned)) == (read, type(read))
