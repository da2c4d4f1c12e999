import pytest

from chat_app.agui.adapters import FINDERS, SHAPES, shape_of
from chat_app.agui.events import Interrupt

ANY = (
    Interrupt(id="i", reason="tool_call"),
    Interrupt(id="i", reason="anything at all"),
    Interrupt(id="i", reason="x", response_schema={"type": "boolean"}),
    Interrupt(id="i", reason="x", response_schema={"type": "object", "properties": {"approved": {}}}),
)


@pytest.mark.parametrize("asked", ANY, ids=repr)
def test_every_question_has_the_first_shape_that_fits(asked: Interrupt):
    fitting = [shape for shape in SHAPES if shape.fits(asked)]
    assert shape_of(asked) is fitting[0]


def test_the_last_shape_fits_whatever_nobody_else_knows():
    assert all(SHAPES[-1].fits(asked) for asked in ANY)


def test_no_finder_and_no_shape_is_listed_twice():
    assert len({id(find) for find in FINDERS}) == len(FINDERS)
    assert len({id(shape) for shape in SHAPES}) == len(SHAPES)
