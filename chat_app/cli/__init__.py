"""The commands of Parley: `parley run`, `doctor`, `db`, `config`.

They read the settings, check what can go wrong before anything starts, and end every trouble in one sentence;
what a developer needs beyond it is in a log file. Reflex is never imported here: it is started.
"""

from collections.abc import Sequence

from chat_app.cli.commands import app
from chat_app.cli.endings import guarded

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command with these arguments, or the process's own, and return its exit code."""
    return guarded(lambda: app(args=arguments, prog_name="parley"))
