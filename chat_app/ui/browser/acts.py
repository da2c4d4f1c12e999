"""What a click does without asking the server."""

import reflex as rx
from reflex.event import EventChain
from reflex.vars.function import ArgsFunctionOperation

from chat_app.ui.browser.functions import _call
from chat_app.ui.browser.shapes import Version


def _act(file: str, name: str, *arguments: object) -> rx.Var[EventChain]:
    return ArgsFunctionOperation.create((), _call(file, name, *arguments)).to(EventChain)


def jump_to_latest() -> rx.Var[EventChain]:
    """Follow the end of the transcript again, and go to the message box."""
    return _act("scroll", "jump")


def show_in_order(name: str) -> rx.Var[EventChain]:
    """Show the transcript grouped (empty) or in arrival order, now and when this browser comes back."""
    return _act("order", "order", name)


def toggle_side() -> rx.Var[EventChain]:
    """Show or hide the sidebar: a drawer on a phone, a column elsewhere."""
    return _act("shell", "toggleSide")


def toggle_panel() -> rx.Var[EventChain]:
    """Open or close the state panel; a wide page remembers it."""
    return _act("panels", "togglePanel")


def show_tab(panel: str) -> rx.Var[EventChain]:
    """Show this panel."""
    return _act("panels", "showTab", panel)


def earlier(shown: rx.Var[Version]) -> rx.Var[EventChain]:
    """Show the version of the state before the one shown."""
    return _act("panels", "earlier", shown)


def later(shown: rx.Var[Version]) -> rx.Var[EventChain]:
    """Show the version of the state after the one shown; after the last one comes what holds now."""
    return _act("panels", "later", shown)


def back_to_live() -> rx.Var[EventChain]:
    """Show the state as it is now."""
    return _act("panels", "backToLive")


def toggle_steps() -> rx.Var[EventChain]:
    """Show finished steps in full, or as lines again; remembered by this browser."""
    return _act("tool", "toggleSteps")


def toggle_archive() -> rx.Var[EventChain]:
    """Show the archive instead of the thread list, or the list again."""
    return _act("threads", "toggleArchive")


def open_menu(thread_id: rx.Var[str]) -> rx.Var[EventChain]:
    """Open the menu of a thread, at the button that carries its id in `data-menu`."""
    return _act("threads", "openMenu", thread_id)


def close_menu() -> rx.Var[EventChain]:
    """Close the menu of a thread."""
    return _act("threads", "closeMenu")


def rename_in_place() -> rx.Var[EventChain]:
    """Make the title of the thread whose menu is open a field."""
    return _act("threads", "rename")


def ask_delete() -> rx.Var[EventChain]:
    """Ask in the dialog `delete` whether to delete the thread whose menu is open."""
    return _act("threads", "askDelete")


def open_finder() -> rx.Var[EventChain]:
    """Open the search."""
    return _act("finder", "openFinder")


def narrow(name: str, value: str) -> rx.Var[EventChain]:
    """Narrow the inbox: show this tab, or this agent, tool, person, age, order."""
    return _act("inbox", "narrow", name, value)


def open_item(item: rx.Var[str] | str) -> rx.Var[EventChain]:
    """Open a question of the inbox; an empty one closes it."""
    return _act("inbox", "openItem", item)


def show_more() -> rx.Var[EventChain]:
    """Show a longer list of the inbox, or its next stretch when this one is as long as one can be."""
    return _act("inbox", "showMore")


def show_first() -> rx.Var[EventChain]:
    """Show the first stretch of the inbox's list again."""
    return _act("inbox", "showFirst")


def clear_picked() -> rx.Var[EventChain]:
    """Pick nothing in the inbox."""
    return _act("inbox", "clearPicked")


def connect_now() -> rx.Var[EventChain]:
    """Try to connect at once instead of waiting for the next try."""
    return _act("live", "connect")


def pick_files() -> rx.Var[EventChain]:
    """Let the person choose files to attach."""
    return _act("files", "pick")


def remove_file(key: rx.Var[str]) -> rx.Var[EventChain]:
    """Take a file off the line that is being written."""
    return _act("files", "remove", key)


def file_as_text(key: rx.Var[str]) -> rx.Var[EventChain]:
    """Put a pasted text that became a file into the message box after all."""
    return _act("files", "asText", key)


def begin_command() -> rx.Var[EventChain]:
    """Put a slash into the message box, which offers the commands."""
    return _act("commands", "beginCommand")


def suggest(text: rx.Var[str] | str) -> rx.Var[EventChain]:
    """Put `text` into the message box and send it."""
    return _act("composer", "suggest", text)


def show_dialog(name: str) -> rx.Var[EventChain]:
    """Open the dialog called `name`, and close any other."""
    return _act("dialog", "show", name)


def hide_dialog() -> rx.Var[EventChain]:
    """Close the dialog that is open."""
    return _act("dialog", "hide")


def prefer(name: str, value: str) -> rx.Var[EventChain]:
    """Set contrast or density for this browser; empty: as the system has it."""
    return _act("prefs", "prefer", name, value)


def toggle_keys() -> rx.Var[EventChain]:
    """Switch the keys of the page off, or on again."""
    return _act("prefs", "toggleKeys")


def toggle_notify() -> rx.Var[EventChain]:
    """Ask the browser to let us notify, or notify no more."""
    return _act("notify", "toggleNotify")


def choose_language(code: str) -> rx.Var[EventChain]:
    """Speak another language from now on; empty: the one of the browser."""
    return _act("words", "choose", code)


def print_thread() -> rx.Var[EventChain]:
    """Fetch every row of the thread and print it."""
    return _act("paper", "printAll")
