"""Live values: vars over the browser store that change with the frames of `/api/live` and never pass `rx.State`."""

import json
import re
from typing import Final, TypeVar

import reflex as rx
from reflex.utils.imports import ImportVar
from reflex.vars import VarData

from chat_app.services.inbox import Query
from chat_app.services.panels import Shared
from chat_app.services.rows import Row, Run, Thread
from chat_app.ui.browser.shapes import (
    Attached,
    Connection,
    Entry,
    Inbox,
    Picked,
    Standing,
    ThreadGroup,
    TurnEnd,
    Version,
)
from chat_app.ui.js import LIBRARY

T = TypeVar("T")


def _value(name: str, kind: type[T], hook: str, file: str = "live") -> rx.Var[T]:
    call = f"const live_{name} = {hook}"
    tag = hook.partition("(")[0]
    data = VarData(imports={LIBRARY[file]: [ImportVar(tag=tag)]}, hooks={call: None})
    # `to` gives the var its typed attributes; without it they fail when the page is built
    return rx.Var(_js_expr=f"live_{name}", _var_type=kind, _var_data=data).to(kind)


def _held(name: str, kind: type[T]) -> rx.Var[T]:
    return _value(name, kind, f'useLive("{name}")')


connection: Final = _held("conn", Connection)
thread: Final = _held("thread", str)
threads: Final = _held("threads", list[Thread])
groups: Final = _value("groups", list[ThreadGroup], "useGroups()", "time")
current: Final = _value("current", Thread, "useCurrent()", "time")
chosen: Final = _value("chosen", Thread, "useChosen()", "threads")  # the thread whose menu is open
renaming: Final = _held("renaming", str)
deleting: Final = _value(
    "deleting", Thread, "useDeleting()", "threads"
)  # the thread that is about to be deleted
archive: Final = _held("archive", bool)  # the list shows the archive
rows: Final = _value("rows", list[Row], "useRows()")
turn_ends: Final = _value("turn_ends", dict[str, TurnEnd], "useTurnEnds()", "turns")
entries: Final = _value("entries", list[Entry], "useEntries()", "order")
order: Final = _value("order", str, "useOrder()", "order")  # "" for grouped rows, arrival for the log
run: Final = _held("run", Run)
older: Final = _held("older", bool)
ready: Final = _held("ready", bool)  # the thread's rows are here; an empty list then means an empty thread
gone: Final = _held("gone", bool)
reading: Final = _held("reading", bool)  # the thread is somebody else's: nothing in it can be done
away: Final = _held("away", str)  # "", or away / new: the reader is not at the end, and text has come since
draft: Final = _held("draft", str)  # empty, ready or sending
files: Final = _held("files", list[Attached])
unsent: Final = _held("unsent", bool)
steps: Final = _held(
    "steps", str
)  # compact or full: how finished steps are shown, until the person opens one
side: Final = _held("side", str)  # "", open (drawer) or hidden
shared: Final = _held("shared", Shared)
panel_open: Final = _held("panel", str)  # "" or open
panel_ids: Final = _value("panel_ids", list[str], "usePanelIds()", "panels")
version: Final = _value("version", Version, "useVersion()", "panels")


def lane_rows(lane: rx.Var[str], depth: int, kind: type[T]) -> rx.Var[list[T]]:
    """Return the rows that stand in the lane of a subagent which is `depth` lanes deep; used in a memo only."""
    return _value("lane_rows", list[kind], f"useLane({lane!s}, {depth})", "lanes")


def json_of(row: rx.Var[str], part: rx.Var[str], kind: type[T]) -> rx.Var[T]:
    """Return the text of a part, which is JSON, as what it means; used in a memo only."""
    return _value("part_json", kind, f"useJson({row!s}, {part!s})", "lanes")


waiting: Final = _held("waiting", int)  # questions the person may decide; -1 for who decides nothing
inbox: Final = _value("inbox", Inbox, "useInbox()", "inbox")
wanted: Final = _value("wanted", Query, "useWanted()", "inbox")
picked: Final = _value("picked", Picked, "usePicked()", "inbox")


def panel_tab(order: tuple[str, ...]) -> rx.Var[str]:
    """Return which panel is open: as the person chose, else the first of `order` that can show the state."""
    return _value("panel_tab", str, f"usePanelTab({json.dumps(order)})", "panels")


def view(panel: str, kind: type[T]) -> rx.Var[T]:
    """Return what a panel shows, of the version that is shown."""
    return _value(f"view_{_name(panel)}", kind, f"useView({json.dumps(panel)})", "panels")


def standing(panel: str) -> rx.Var[Standing]:
    """Return how a panel stands."""
    return _value(f"standing_{_name(panel)}", Standing, f"useStanding({json.dumps(panel)})", "panels")


def _name(panel: str) -> str:
    return re.sub(r"\W", "_", panel)


def turn_end(row: rx.Var[str]) -> rx.Var[TurnEnd]:
    """Return what is known at the row that ends a turn; nothing (falsy) for any other row."""
    return turn_ends.to(dict[str, TurnEnd])[row].to(TurnEnd)


contrast: Final = _value(
    "contrast", str, 'usePref("contrast")', "prefs"
)  # "" (of the system), more or normal
density: Final = _value("density", str, 'usePref("density")', "prefs")  # "" or compact
notify: Final = _value("notify", str, "useNotify()", "notify")  # off, on, denied or unknown
keys: Final = _value("keys", str, 'usePref("keys")', "prefs")  # "" or off
