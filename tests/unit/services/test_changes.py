import pytest

from chat_app.services.changes import changes
from chat_app.services.rows import Change


def test_the_same_values_in_another_order_are_no_change():
    assert changes({"a": 1, "b": [1, {"c": None}]}, {"b": [1, {"c": None}], "a": 1}) == []


def test_a_changed_leaf_is_named_by_its_path():
    before, after = {"lines": [{"sku": "A", "n": 1}]}, {"lines": [{"sku": "A", "n": 2}]}
    assert changes(before, after) == [Change("lines/0/n", "1", "2", was=True, now=True)]


def test_what_came_and_what_went_have_one_side_only():
    assert changes({"a": "x"}, {"b": ["y"]}) == [
        Change("a", before="x", was=True),
        Change("b", after='["y"]', now=True),
    ]


@pytest.mark.parametrize(("before", "after"), [("5", 5), ("true", True), ("null", None)])
def test_a_changed_type_can_be_seen(before, after):
    line = changes({"a": before}, {"a": after})[0]
    assert line.before != line.after
    assert line.before == f'"{before}"'


@pytest.mark.parametrize(("before", "after"), [(1, 1.0), (1, True), (0, False), (2**53, 2**53 + 1)])
def test_numbers_that_python_calls_equal_or_javascript_would_are_told_apart(before, after):
    assert len(changes([before], [after])) == 1


def test_a_list_that_becomes_an_object_is_one_change():
    assert changes({"a": [1]}, {"a": {"0": 1}}) == [Change("a", "[1]", '{"0": 1}', was=True, now=True)]


def test_half_characters_can_be_sent():
    assert changes("", "\ud800")[0].after == "\\ud800"
