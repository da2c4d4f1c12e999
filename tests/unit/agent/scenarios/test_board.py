import pytest

from chat_app.agent.scenarios.board import SCENARIO, Board, read_board
from tests.support.agent_harness import play, state_of, text_of

TICKED = {"title": "Ours", "tasks": [{"id": "task-1", "title": "oil the chain", "done": True}]}


async def test_a_task_joins_what_the_person_left_by_a_delta_that_names_only_it():
    events = await play(SCENARIO.phrase, state={"app": TICKED})
    added = {"id": "task-2", "title": "true the front wheel", "done": False}
    assert state_of(events)["app"] == {"title": "Ours", "tasks": [*TICKED["tasks"], added]}
    delta = next(event for event in events if event["type"] == "STATE_DELTA")["delta"]
    assert delta == [{"op": "add", "path": "/app/tasks/1", "value": added}]
    assert "(1 to do):\n\n- [x] oil the chain\n- [ ] true the front wheel" in text_of(events)


async def test_everything_can_be_ticked_off():
    state = state_of(await play(SCENARIO.phrase))
    events = await play("Tick everything on the board", state=state)
    assert state_of(events)["app"]["tasks"][0]["done"] is True
    assert text_of(events) == "All 1 tasks are ticked off."


async def test_the_board_can_just_be_read():
    assert "oil the chain" in text_of(await play("What is on the board?", state={"app": TICKED}))
    assert "The board is empty" in text_of(await play("What is on the board?"))


@pytest.mark.parametrize(
    ("line", "title"),
    [("Add oil the chain to the board", "oil the chain"), ("On the board: add brakes.", "brakes")],
)
async def test_the_wish_is_found_in_the_line(line, title):
    assert state_of(await play(line))["app"]["tasks"][0]["title"] == title


@pytest.mark.parametrize("app", [None, [], "x", {"tasks": 1}, {"tasks": [{}]}])
def test_what_is_no_board_is_an_empty_one(app):
    assert read_board(app) == Board()
