"""Where packages outside this repository add to Parley, in one place and by name.

`PARLEY_EXTENSIONS=my_package.parley` imports that module once, before the page is built, and the module calls
the functions here:

    from chat_app.extend import Command, add_command, add_notifier, add_panel, add_row, add_tool, add_tool_view

    add_row("invoice", invoice)   # (row, person, agent) -> component, as in chat_app/ui/rows
    add_tool_view("issue_invoice", issued)   # (row, part) -> component, as in chat_app/ui/tools
    add_command(Command("refund", "Refund an order", text="Refund order "))   # offered for /refund
    add_tool("stock", stock)   # clock -> RunTool or AskTool, as in chat_app/tools; admins say which agent gets it
    add_panel(Panel(id="fleet", title="Fleet", pointer="/fleet", …))   # as in chat_app/ui/panels
    add_notifier("pager", Pager())   # has `async def send(self, notice)`, as in chat_app/services/notices

What was added joins the tables of this repository; nothing that is there already can be replaced. A changed
extension is a changed page: the next start builds it again.
"""

from collections.abc import Iterable
from importlib import import_module

from chat_app import tools as offers
from chat_app.services import notices
from chat_app.services.notices import Notice, Notifier, NotSent
from chat_app.settings import SettingsError
from chat_app.tools import MakeTool
from chat_app.ui import commands, panels, rows, tools
from chat_app.ui.commands import Command
from chat_app.ui.panels.base import Panel
from chat_app.ui.rows import RowView
from chat_app.ui.tools import ToolView

__all__ = [
    "Command",
    "NotSent",
    "Notice",
    "Notifier",
    "Panel",
    "RowView",
    "ToolView",
    "add_command",
    "add_notifier",
    "add_panel",
    "add_row",
    "add_tool_view",
    "load",
]


def add_row(kind: str, view: RowView) -> None:
    """Draw rows of this kind with this view.

    Raises:
        SettingsError: when the kind has a view already.
    """
    try:
        rows.add(kind, view)
    except ValueError as error:
        raise SettingsError(f"An extension adds a view, but {error}.") from error


def add_panel(panel: Panel) -> None:
    """Show the agent's state in this panel too.

    Raises:
        SettingsError: when there is a panel of its id already.
    """
    try:
        panels.add(panel)
    except ValueError as error:
        raise SettingsError(f"An extension adds a panel, but {error}.") from error


def add_tool_view(name: str, view: ToolView) -> None:
    """Draw calls of this tool with this view too.

    Raises:
        SettingsError: when the tool has a view already.
    """
    try:
        tools.add(name, view)
    except ValueError as error:
        raise SettingsError(f"An extension adds a view, but {error}.") from error


def add_tool(name: str, make: MakeTool) -> None:
    """Let admins offer this tool to agents.

    Raises:
        SettingsError: when there is a tool of its name already.
    """
    try:
        offers.add(name, make)
    except ValueError as error:
        raise SettingsError(f"An extension adds a tool, but {error}.") from error


def add_command(command: Command) -> None:
    """Offer this command in the message box too.

    Raises:
        SettingsError: when its name is taken or is none, or it is not clear what it does.
    """
    try:
        commands.add(command)
    except ValueError as error:
        raise SettingsError(f"An extension adds a command, but {error}.") from error


def add_notifier(name: str, notifier: Notifier) -> None:
    """Tell people of questions by this notifier too; admins see what became of each notice under its name.

    Raises:
        SettingsError: when there is a notifier of its name already.
    """
    try:
        notices.add(name, notifier)
    except ValueError as error:
        raise SettingsError(f"An extension adds a notifier, but {error}.") from error


def load(names: Iterable[str]) -> None:
    """Import the extension modules, in order; what they add is there afterwards.

    Raises:
        SettingsError: when one cannot be imported, naming it.
    """
    for name in names:
        try:
            import_module(name)
        except ImportError as error:
            raise SettingsError(f"The extension {name} cannot be loaded: {error}.") from error
