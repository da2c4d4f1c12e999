import pytest
from pydantic import ValidationError

from chat_app.ui.panels.board import PANEL, Board, BoardView, Card, board_view


def drawn(*tasks: dict) -> BoardView:
    return board_view(Board.model_validate({"title": "Workshop", "tasks": list(tasks)}))


def test_tasks_stand_in_lanes_by_status_and_an_empty_lane_is_left_out():
    view = drawn(
        {"id": 1, "title": "a", "done": True},
        {"id": 2, "title": "b", "done": False},
        {"id": 3, "title": "c", "done": True},
    )
    assert [(lane.status, [card.title for card in lane.cards]) for lane in view.lanes] == [
        ("todo", ["b"]),
        ("done", ["a", "c"]),
    ]
    assert (view.title, view.total) == ("Workshop", 3)


@pytest.mark.parametrize(
    ("said", "status"),
    [("In progress", "doing"), ("in-progress", "doing"), ("PENDING", "todo"), ("completed", "done")],
)
def test_a_status_is_read_however_the_agent_spells_it(said, status):
    assert drawn({"title": "a", "status": said}).lanes[0].status == status


def test_a_click_turns_what_the_agent_uses_and_nothing_where_it_uses_neither():
    [flagged, bare] = drawn({"id": "x", "title": "a", "done": False}, {"title": "c"}).lanes[0].cards
    [named] = drawn({"title": "b", "status": "doing", "detail": "again", "due": "Friday"}).lanes[0].cards
    assert (flagged.key, flagged.edit, flagged.turned) == ("task-x", "/app/tasks/0/done", "true")
    assert (bare.key, bare.edit) == ("task-1", "")
    assert (named.edit, named.turned, named.detail) == ("/app/tasks/0/status", '"done"', "again · Friday")


def test_what_is_done_is_turned_back():
    [done] = drawn({"title": "a", "done": True}).lanes[0].cards
    assert done.turned == "false"
    [closed] = drawn({"title": "a", "status": "done"}).lanes[0].cards
    assert closed == Card("task-0", "a", "done", "", "/app/tasks/0", "/app/tasks/0/status", '"todo"')


@pytest.mark.parametrize(
    "state", [{}, {"tasks": [{"id": 1}]}, {"tasks": [{"title": "a", "done": "perhaps"}]}]
)
def test_what_is_no_board_is_refused(state):
    with pytest.raises(ValidationError):
        Board.model_validate(state)


def test_a_status_nobody_knows_counts_by_the_flag():
    assert drawn({"title": "a", "status": "parked", "done": True}).lanes[0].status == "done"


@pytest.mark.parametrize("pointer", ["/app/tasks/0/done", "/app/tasks/12/status"])
def test_only_what_a_click_turns_may_be_changed_here(pointer):
    assert PANEL.spec().allows(pointer)
    assert not PANEL.spec().allows("/app/tasks/0/title")
