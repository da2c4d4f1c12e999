from typing import Any

import pytest

from chat_app.agui.nesting import DEPTH_CAP, depth_of, to_text, too_deep


def nested(depth: int) -> Any:
    value: Any = 0
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize("depth", [0, 1, 2, 50])
def test_depth_counts_arrays_and_objects(depth: int) -> None:
    assert depth_of(nested(depth)) == depth


def test_a_value_may_be_as_wide_as_it_likes() -> None:
    wide: Any = [[] for _ in range(DEPTH_CAP * 2)]
    assert not too_deep(wide, to_text(wide))


def test_what_stands_above_a_value_counts() -> None:
    value = nested(DEPTH_CAP)
    assert not too_deep(value, to_text(value))
    assert too_deep(value, to_text(value), above=1)


def test_brackets_inside_text_are_no_depth() -> None:
    value = "[" * (DEPTH_CAP + 1)
    assert not too_deep(value, to_text(value))
