"""Starts the task board over stdio: ``python -m chat_app.agent.task_board sqlite:///board.db``."""

import argparse
from collections.abc import Sequence

from chat_app.agent.task_board.server import IMPORT_PAUSE, build_server
from chat_app.agent.task_board.tasks import open_store


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until the standard input ends."""
    parser = argparse.ArgumentParser(prog="task_board", description="A board of tasks, over MCP.")
    parser.add_argument("store", help="SQLAlchemy URL of the database that keeps the boards")
    parser.add_argument(
        "--pause", type=float, default=IMPORT_PAUSE, help="seconds an import takes for each task"
    )
    given = parser.parse_args(arguments)
    build_server(open_store(given.store), pause=given.pause).run("stdio")


if __name__ == "__main__":
    main()
