"""The task board as an MCP server. Which thread's board a call means is said in its ``_meta``."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Annotated, Final

import sqlalchemy as sa
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, JsonValue

from chat_app.agent.task_board.tasks import LONGEST_TITLE, Board, BoardError, Task

THREAD_KEY: Final = "parley/thread"
STATE_KEY: Final = "parley/state"
GUIDE_URI: Final = "board://guide"
IMPORT_PAUSE: Final = 0.5
MOST_IMPORTED: Final = 50
GUIDE: Final = f"""# The task board

Each conversation has a board of its own. Tasks are numbered from one and keep their number; a number that was
deleted last may be given again. A title has at most {LONGEST_TITLE} characters. An import takes up to
{MOST_IMPORTED} titles and about half a second for each. Deleting cannot be undone, so a person confirms it.
"""

Number = Annotated[int, Field(ge=1, description="The task's number on the board.")]
Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE, description="What is to be done.")]
Titles = Annotated[
    list[Title], Field(min_length=1, max_length=MOST_IMPORTED, description="One title for each task.")
]


class BoardTools:
    """The tools of the board.

    Args:
        engine: Reaches the store.
        pause: Seconds an import takes for each task.
    """

    def __init__(self, engine: sa.Engine, *, pause: float) -> None:
        self._engine = engine
        self._pause = pause

    async def list_tasks(self, ctx: Context) -> CallToolResult:
        """List the tasks on this conversation's board."""
        return await self._answer(ctx, lambda _board: "The board:")

    async def add_task(self, title: Title, ctx: Context) -> CallToolResult:
        """Add one task to the board."""
        return await self._answer(ctx, lambda board: f"Added task {board.add(title).number}.")

    async def complete_task(self, number: Number, ctx: Context) -> CallToolResult:
        """Mark a task as done."""
        return await self._answer(ctx, lambda board: f"Task {board.complete(number).number} is done.")

    async def delete_task(self, number: Number, ctx: Context) -> CallToolResult:
        """Delete a task for good. A person confirms it first."""
        return await self._answer(ctx, lambda board: f"Deleted task {number}: {board.delete(number).title}.")

    async def import_tasks(self, titles: Titles, ctx: Context) -> CallToolResult:
        """Add many tasks, one after the other. This takes a while and says how far it is."""
        board = self._board(ctx)
        for done, title in enumerate(titles, start=1):
            await asyncio.sleep(self._pause)
            await asyncio.to_thread(board.add, title)
            await ctx.report_progress(done, len(titles), title)
        return await self._answer(ctx, lambda _board: f"Imported {len(titles)} tasks.")

    def _board(self, ctx: Context) -> Board:
        meta = ctx.request_context.meta or {}
        return Board(self._engine, str(meta.get(THREAD_KEY, "")))

    async def _answer(self, ctx: Context, work: Callable[[Board], str]) -> CallToolResult:
        """Do it, and answer with the whole board, so that neither model nor page has to ask again."""
        board = self._board(ctx)
        try:
            said = await asyncio.to_thread(work, board)
        except BoardError as error:
            return _result(str(error), is_error=True)
        tasks = await asyncio.to_thread(board.tasks)
        return _result(f"{said}\n\n{_markdown(tasks)}", state=[asdict(task) for task in tasks])


def build_server(engine: sa.Engine, *, pause: float = IMPORT_PAUSE) -> MCPServer:
    """Build the server on an opened store."""
    tools = BoardTools(engine, pause=pause)
    server = MCPServer("task board", instructions="A board of tasks for the conversation.")
    asks = ToolAnnotations(destructive_hint=True)
    reads = ToolAnnotations(read_only_hint=True)
    safe = ToolAnnotations(destructive_hint=False)
    for work, hints in (
        (tools.list_tasks, reads),
        (tools.add_task, safe),
        (tools.complete_task, safe),
        (tools.delete_task, asks),
        (tools.import_tasks, safe),
    ):
        server.add_tool(work, annotations=hints)
    server.resource(GUIDE_URI, title="How the task board works", mime_type="text/markdown")(guide)
    return server


def guide() -> str:
    """Give the rules of the board."""
    return GUIDE


def _result(text: str, *, is_error: bool = False, state: JsonValue = None) -> CallToolResult:
    meta = None if state is None else {STATE_KEY: state}
    return CallToolResult(content=[TextContent(text=text)], is_error=is_error, _meta=meta)


def _markdown(tasks: Sequence[Task]) -> str:
    lines = [f"{task.number}. [{'x' if task.done else ' '}] {task.title}" for task in tasks]
    return "\n".join(lines) or "The board is empty."
