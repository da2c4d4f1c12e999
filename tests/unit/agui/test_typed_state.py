from pydantic import BaseModel

from chat_app.agui.typed_state import TypedState
from chat_app.agui.updates import Done, StateChanged, Success, Trouble


class Board(BaseModel):
    count: int


def test_without_a_type_the_state_is_json():
    state: TypedState[object] = TypedState()
    update = StateChanged({"any": 1})
    assert state.heed(update) is update
    assert state.value == {"any": 1}


def test_a_state_that_does_not_fit_leaves_the_last_good_one_and_says_where():
    state = TypedState(Board)
    state.heed(StateChanged({"count": 1}))
    trouble = state.heed(StateChanged({"count": "many"}))
    assert isinstance(trouble, Trouble)
    assert trouble.error.kind == "state"
    assert "count" in trouble.error.message
    assert (state.value, state.stale) == (Board(count=1), True)
    state.heed(StateChanged({"count": 2}))
    assert (state.value, state.stale) == (Board(count=2), False)


def test_a_state_that_is_no_object_is_named_as_the_document():
    trouble = TypedState(Board).heed(StateChanged(7))
    assert isinstance(trouble, Trouble)
    assert "document" in trouble.error.message


def test_other_updates_pass():
    done = Done(Success("r"))
    assert TypedState(Board).heed(done) is done
