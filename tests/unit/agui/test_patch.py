import copy
import functools
from typing import Any

import pytest

from chat_app.agui.errors import PatchFailed
from chat_app.agui.patch import apply_patch, patch_object
from tests.support.wire import ev


def ops(*raw: dict[str, Any]) -> Any:
    return ev("STATE_DELTA", delta=list(raw)).delta


@pytest.mark.parametrize(
    ("document", "raw", "patched"),
    [
        ({"a": 1}, [{"op": "replace", "path": "/a", "value": 2}], {"a": 2}),
        ({"a": [1]}, [{"op": "add", "path": "/a/-", "value": 2}], {"a": [1, 2]}),
        ({"a": [1, 2]}, [{"op": "remove", "path": "/a/0"}], {"a": [2]}),
        ({"a": {"x": 1}}, [{"op": "move", "from": "/a/x", "path": "/y"}], {"a": {}, "y": 1}),
        ({"l": [1, 2]}, [{"op": "copy", "from": "/l/0", "path": "/l/-"}], {"l": [1, 2, 1]}),
        ({"a": 1}, [{"op": "replace", "path": "", "value": [1]}], [1]),
        ({"a~b/c": 1}, [{"op": "replace", "path": "/a~0b~1c", "value": 2}], {"a~b/c": 2}),
        ({"": {"": 1}}, [{"op": "replace", "path": "//", "value": 2}], {"": {"": 2}}),
        ([[0], 1], [{"op": "add", "path": "/0/1", "value": {"n": None}}], [[0, {"n": None}], 1]),
        ({"a": 1}, [], {"a": 1}),
        ({"a": True}, [{"op": "test", "path": "/a", "value": True}], {"a": True}),
    ],
)
def test_a_patch_gives_the_new_document_and_leaves_the_old_one(document: Any, raw: Any, patched: Any) -> None:
    before = copy.deepcopy(document)
    assert apply_patch(document, ops(*raw)) == patched
    assert document == before


@pytest.mark.parametrize(
    "raw",
    [
        {"op": "remove", "path": "/missing/deeply"},
        {"op": "replace", "path": "/list/01", "value": 1},
        {"op": "add", "path": "/list/9", "value": 1},
        {"op": "add", "path": "/list/99999999999999999999999/x", "value": 1},
        {"op": "add", "path": "/list/²/x", "value": 1},
        {"op": "add", "path": "/scalar/x/y", "value": 1},
        {"op": "test", "path": "/scalar", "value": True},
        {"op": "move", "from": "/obj", "path": "/obj/inside"},
        {"op": "remove", "path": ""},
    ],
)
def test_a_patch_that_fails_changes_nothing(raw: dict[str, Any]) -> None:
    document: Any = {"list": [1], "scalar": 1, "obj": {}}
    before = copy.deepcopy(document)
    with pytest.raises(PatchFailed) as caught:
        apply_patch(document, ops({"op": "add", "path": "/first", "value": 1}, raw))
    assert document == before
    assert (caught.value.index, caught.value.op) == (1, raw["op"])


def test_what_a_patch_does_not_touch_is_shared() -> None:
    document: Any = {"a": {"b": [1]}, "c": {"d": [2]}}
    patched: Any = apply_patch(document, ops({"op": "add", "path": "/a/b/-", "value": 3}))
    assert patched["c"] is document["c"]
    assert document["a"]["b"] == [1]


def test_a_value_moved_and_then_edited_leaves_the_old_document_alone() -> None:
    document: Any = {"a": {"deep": [1]}}
    moved = {"op": "move", "from": "/a", "path": "/b"}
    assert apply_patch(document, ops(moved, {"op": "add", "path": "/b/deep/-", "value": 2})) == {
        "b": {"deep": [1, 2]}
    }
    assert document == {"a": {"deep": [1]}}


def test_a_value_inserted_and_then_edited_leaves_the_event_alone() -> None:
    added = ops({"op": "add", "path": "/a", "value": []}, {"op": "add", "path": "/a/-", "value": 1})
    assert apply_patch({}, added) == {"a": [1]}
    assert added[0].value == []


def test_an_object_must_stay_an_object() -> None:
    assert patch_object({"n": 0}, ops({"op": "replace", "path": "/n", "value": 1})) == {"n": 1}
    with pytest.raises(PatchFailed, match="no object"):
        patch_object({}, ops({"op": "replace", "path": "", "value": 5}))


def test_copies_of_copies_are_bounded_in_size() -> None:
    document: Any = {"a": "x" * 1_000}
    doubling = [{"op": "copy", "from": "", "path": f"/k{number}"} for number in range(40)]
    with pytest.raises(PatchFailed, match="larger than"):
        apply_patch(document, ops(*doubling))


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "copy", "from": "", "path": "/b"},
        {"op": "move", "from": "/a", "path": "/b/c"},
        {"op": "add", "path": "/b/c", "value": functools.reduce(lambda inner, _: [inner], range(199), 0)},
    ],
)
def test_a_document_does_not_nest_ever_deeper(operation: dict[str, Any]) -> None:
    deep = functools.reduce(lambda inner, _: {"x": inner}, range(199), 0)
    with pytest.raises(PatchFailed, match="deeper than"):
        apply_patch({"a": deep, "b": {}}, ops(operation))
