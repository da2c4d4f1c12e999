from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import IntegrityError

from chat_app.agent.task_board import tasks as module
from chat_app.agent.task_board.tasks import LONGEST_TITLE, Board, BoardError, Task, open_store


@pytest.fixture
def engine(tmp_path):
    engine = open_store(f"sqlite:///{tmp_path / 'tasks.db'}")
    yield engine
    engine.dispose()


@pytest.fixture
def board(engine):
    return Board(engine, "t1")


def test_tasks_are_numbered_completed_and_deleted(board):
    assert board.add("  Buy \n milk\x00 ") == Task(1, "Buy milk", done=False)
    board.add("Bread")
    assert board.complete(1).done
    assert board.complete(1).done
    assert board.delete(1) == Task(1, "Buy milk", done=True)
    assert board.tasks() == [Task(2, "Bread", done=False)]


def test_boards_of_threads_are_kept_apart(engine, board):
    board.add("Mine")
    assert Board(engine, "t2").tasks() == []
    assert Board(engine, "t2").add("Yours").number == 1


def test_a_store_is_opened_again_with_what_is_in_it(engine, board):
    board.add("Mine")
    again = open_store(str(engine.url))
    assert Board(again, "t1").tasks() == board.tasks()
    again.dispose()


@pytest.mark.parametrize("title", ["", " \n", "x" * (LONGEST_TITLE + 1)])
def test_a_title_nobody_can_read_is_refused(board, title):
    with pytest.raises(BoardError, match="1 to 200"):
        board.add(title)


@pytest.mark.parametrize("work", [Board.complete, Board.delete])
def test_a_task_that_is_not_there_is_named(board, work):
    with pytest.raises(BoardError, match="no task 7"):
        work(board, 7)


def test_tasks_added_at_once_get_numbers_of_their_own(board):
    with ThreadPoolExecutor(3) as pool:
        numbers = list(pool.map(lambda n: board.add(str(n)).number, range(4)))
    assert sorted(numbers) == [1, 2, 3, 4]


class Taken(Board):
    """Finds every number just taken."""

    class _Engine:
        def begin(self):
            raise IntegrityError("", {}, Exception())

    def __init__(self):
        super().__init__(self._Engine(), "t")


def test_a_board_that_stays_too_busy_says_so():
    with pytest.raises(module.BoardError, match="too busy"):
        Taken().add("x")
