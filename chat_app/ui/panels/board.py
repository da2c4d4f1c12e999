"""The task board: what is to do, being done and done, as the agent and the person left it."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

import reflex as rx
from pydantic import BaseModel, BeforeValidator, Field

from chat_app.state.shared import Shared
from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.panels.base import Panel
from chat_app.ui.parts.base import icon
from chat_app.ui.words import match, t

Status = Literal["todo", "doing", "done"]

SHARED: Any = Shared  # Reflex turns its handlers into events
POINTER: Final = "/app"
STATUSES: Final = ("todo", "doing", "done")
SAID: Final = {
    **dict.fromkeys(("todo", "to_do", "open", "pending", "not_started", "backlog"), "todo"),
    **dict.fromkeys(("doing", "in_progress", "running", "active", "started"), "doing"),
    **dict.fromkeys(("done", "completed", "complete", "finished", "closed"), "done"),
}
"""How agents call the three, once in small letters with underscores."""

# status → class of the item, icon
LOOKS: Final = {"todo": ("", "circle-dashed"), "doing": ("now", "circle-dot"), "done": ("ok", "circle-check")}


def _status(said: object) -> object:
    return (
        SAID.get(said.strip().lower().replace(" ", "_").replace("-", "_")) if isinstance(said, str) else said
    )


class Task(BaseModel):
    """One task as an agent writes it: with `done`, with a `status`, or with both."""

    id: str | int | None = None
    title: str
    done: bool | None = None
    status: Annotated[Status | None, BeforeValidator(_status)] = None
    detail: str | None = None
    due: str | None = None


class Board(BaseModel):
    """A board in the shared state."""

    title: str = ""
    tasks: list[Task] = Field(max_length=500)


@dataclass(frozen=True, slots=True)
class Card:
    """A task as it is drawn; `edit` is where a click writes `turned` (JSON), if it may."""

    key: str
    title: str
    status: str
    detail: str
    pointer: str
    edit: str
    turned: str


@dataclass(frozen=True, slots=True)
class Lane:
    """The tasks of one status, in the order of the state."""

    status: str
    cards: list[Card] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board by status; statuses without a task are left out. `total` counts all tasks."""

    title: str
    total: int
    lanes: list[Lane] = field(default_factory=list)


def board_view(board: Board) -> BoardView:
    """Return the board as it is drawn."""
    cards = [_card(task, at) for at, task in enumerate(board.tasks)]
    lanes = [Lane(status, [card for card in cards if card.status == status]) for status in STATUSES]
    return BoardView(board.title, len(cards), [lane for lane in lanes if lane.cards])


def _card(task: Task, at: int) -> Card:
    status = task.status or ("done" if task.done else "todo")
    pointer = f"{POINTER}/tasks/{at}"
    over = status == "done"
    by_flag = task.done is not None
    return Card(
        key=f"task-{task.id if task.id is not None else at}",
        title=task.title,
        status=status,
        detail=" · ".join(text for text in (task.detail, task.due) if text),
        pointer=pointer,
        edit=f"{pointer}/done" if by_flag else f"{pointer}/status" if task.status else "",
        turned=("false" if over else "true") if by_flag else ('"todo"' if over else '"done"'),
    )


# ------------------------------------------------------------ drawing


def board(view: rx.Var[BoardView], editable: rx.Var[bool]) -> rx.Component:
    """Draw the board."""
    return rx.fragment(
        rx.cond(view.title != "", rx.el.h2(view.title, class_name="panel-title", dir="auto")),
        rx.cond(view.total == 0, rx.el.p(t("board.empty"), class_name="muted")),
        rx.foreach(view.lanes, lambda lane: _lane(lane, editable)),
    )


def _lane(lane: rx.Var[Lane], editable: rx.Var[bool]) -> rx.Component:
    name = match(lane.status, "task", STATUSES, "task.todo")
    head = rx.el.h3(name, " ", rx.el.span(lane.cards.length(), class_name="count"), class_name="lanehead")
    cards = rx.el.ul(rx.foreach(lane.cards, lambda card: _drawn(card, editable)))
    return rx.fragment(head, cards, key=lane.status)


def _drawn(card: rx.Var[Card], editable: rx.Var[bool]) -> rx.Component:
    symbol = icon(choose(card.status, {code: look[1] for code, look in LOOKS.items()}, "circle-dashed"))
    over = card.status == "done"
    turn = rx.el.button(
        symbol,
        type="button",
        class_name="tick",
        role="checkbox",
        aria_checked=rx.cond(over, "true", "false"),
        aria_label=rx.cond(over, t("task.reopen", title=card.title), t("task.finish", title=card.title)),
        on_click=SHARED.change_state(card.edit, card.turned),
    )
    still = rx.el.span(symbol, rx.el.span(match(card.status, "task", STATUSES, "task.todo"), class_name="sr"))
    return browser.Item.create(
        rx.cond(editable & (card.edit != ""), turn, still),
        rx.el.span(card.title, class_name="ttl", dir="auto"),
        rx.cond(card.detail != "", rx.el.span(card.detail, class_name="sub", dir="auto")),
        panel="board",
        name=card.key,
        pointer=card.pointer,
        class_name="task " + choose(card.status, {code: look[0] for code, look in LOOKS.items()}, ""),
        key=card.key,
    )


PANEL = Panel(
    id="board",
    title=t("panel.board"),
    component=board,
    pointer=POINTER,
    model=Board,
    view=board_view,
    shape=BoardView,
    edits=(f"{POINTER}/tasks/*/done", f"{POINTER}/tasks/*/status"),
)
