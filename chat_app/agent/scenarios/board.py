"""A board both sides write on: what the person changed on the page is what the agent goes on from."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

_ADD: Final = re.compile(r"\badd\b(?:.*?:)?\s*(?P<what>.*)", re.IGNORECASE | re.DOTALL)
_TICK: Final = re.compile(r"\btick\b|\bdone\b|\bfinish", re.IGNORECASE)
_TO_THE_BOARD: Final = re.compile(r"\s*\b(to|on) the board\b[.!]?\s*", re.IGNORECASE)


class Task(BaseModel):
    """One line of the board."""

    model_config = ConfigDict(frozen=True)

    id: str
    title: str
    done: bool = False


class Board(BaseModel):
    """The board, as it stands in the shared state."""

    model_config = ConfigDict(frozen=True)

    title: str = "Workshop board"
    tasks: tuple[Task, ...] = ()


Tasks: TypeAlias = Sequence[Task]


async def play(turn: Turn) -> None:
    """Read the board as the person left it, change it as they ask, and say how it stands."""
    line = turn.conversation.last_line
    board = read_board(turn.conversation.app)
    if _TICK.search(line):
        await show(turn, board.model_copy(update={"tasks": tuple(_ticked(board.tasks))}))
        await turn.say(f"All {len(board.tasks)} tasks are ticked off.")
        return
    if wish := _wish(line):
        task = Task(id=f"task-{len(board.tasks) + 1}", title=wish)
        board = board.model_copy(update={"tasks": (*board.tasks, task)})
        await show(turn, board)
    await turn.say(_summary(board.tasks))


async def show(turn: Turn, board: Board) -> None:
    """Put the board into the shared state."""
    await turn.set_app_state(board.model_dump(mode="json"))


def read_board(app: JsonValue) -> Board:
    """Read the board from a client's state; a new one when it holds none, or something else."""
    if not isinstance(app, Mapping):
        return Board()
    try:
        return Board.model_validate(app)
    except ValidationError:
        return Board()


def _ticked(tasks: Tasks) -> list[Task]:
    return [task.model_copy(update={"done": True}) for task in tasks]


def _wish(line: str) -> str:
    match = _ADD.search(line)
    return _TO_THE_BOARD.sub(" ", match["what"]).strip(" .:") if match is not None else ""


def _summary(tasks: Tasks) -> str:
    if not tasks:
        return "The board is empty. Ask me to *add* something to it."
    lines = "\n".join(f"- [{'x' if task.done else ' '}] {task.title}" for task in tasks)
    left = sum(not task.done for task in tasks)
    return f"The board, as you and I left it ({left} to do):\n\n{lines}"


SCENARIO = Scenario(
    id="board",
    title="A board we both write on",
    phrase="Add to the board: true the front wheel",
    cue=cue(r"\bboard\b"),
    play=play,
    shows="State read from the request, changed, and sent back as a minimal delta",
    dojo="shared state",
)
