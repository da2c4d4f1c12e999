"""The only door to JavaScript: live values, components and functions of the browser files, typed for Python.

`rows`, `run`, `threads` … are vars over the browser store: they change with the frames of `/api/live` and
never pass through `rx.State`. What a component of a browser file may be given is declared here.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import reflex as rx
from pydantic import JsonValue
from reflex.event import EventChain
from reflex.utils.imports import ImportVar
from reflex.vars import VarData
from reflex.vars.function import ArgsFunctionOperation, FunctionStringVar

from chat_app.services.inbox import Page, Query
from chat_app.services.panels import Shared
from chat_app.services.rows import File, Row, Run, Thread
from chat_app.ui.js import LIBRARY

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Connection:
    """How the live socket stands: connecting, live or offline `since`; `again` is the next try (ISO)."""

    status: str = "connecting"
    since: str = ""
    again: str = ""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file of the line that is being written: coming (`done` percent), ready, or bad for a `reason`."""

    key: str
    name: str = ""
    size: int = 0
    state: str = ""
    reason: str = ""
    done: int = 0
    kind: str = ""
    pasted: bool = False


@dataclass(frozen=True, slots=True)
class ThreadGroup:
    """The threads of one stretch of the person's days: today, yesterday, week or older."""

    code: str
    threads: list[Thread] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a panel stands: fresh, or stale since `at` because `where` in the state does not fit it; empty: no view."""

    status: str = ""
    at: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """The version of the state that is shown: `number` of `count`, when and by whom; `live` is what holds now.

    `mine` are the numbers of those people made.
    """

    number: int = 0
    count: int = 0
    at: str = ""
    by: str = ""
    mine: list[int] = field(default_factory=list)
    live: bool = True


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """What is known of a turn at the row that ends it: nobody has spoken since, and how many calls it made."""

    last: bool = False
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log in arrival order.

    `kind` is said, text, reasoning, activity, file, call, result, asked, decided or ended; a call and its result
    carry the same number `call`.
    """

    key: str
    kind: str
    at: str = ""
    row: str = ""
    part: str = ""
    name: str = ""
    status: str = ""
    result: str = ""
    call: int = 0


@dataclass(frozen=True, slots=True)
class Inbox(Page):
    """What the inbox shows: `ready` when it is here, `gone` for who has none."""

    ready: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Picked:
    """The questions picked in the list, and whether they ask for the same and can be approved together."""

    ids: list[str] = field(default_factory=list)
    count: int = 0
    same: bool = False


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


# ------------------------------------------------------------ functions


def _call(file: str, name: str, *arguments: object) -> rx.Var[str]:
    function: FunctionStringVar = FunctionStringVar.create(
        name, _var_data=VarData(imports={LIBRARY[file]: [ImportVar(tag=name)]})
    )
    return function.call(*arguments).to(str)


def say(name: str, words: str | dict[str, str], values: dict[str, rx.Var | str]) -> rx.Var[str]:
    """Return `words`, or what a catalog has under `name`, with `values` in their gaps."""
    return _call("words", "say", name, words, *([values] if values else []))


def said(text: rx.Var[str], values: rx.Var[dict[str, JsonValue]] | None) -> rx.Var[str]:
    """Return what a catalog has for a sentence of the server, or the sentence, with `values` in its gaps."""
    return _call("words", "said", text, *([] if values is None else [values]))


language: Final = _call("words", "chosen")  # the code of the language chosen here, or empty: the browser's


def clock(iso: rx.Var[str]) -> rx.Var[str]:
    """Return the time of day of an ISO time: 14:04."""
    return _call("time", "clock", iso)


def clock_seconds(iso: rx.Var[str]) -> rx.Var[str]:
    """Return the time of day with seconds: 14:04:09."""
    return _call("time", "clockSeconds", iso)


def exact(iso: rx.Var[str]) -> rx.Var[str]:
    """Return date and time in full, for a tooltip."""
    return _call("time", "exact", iso)


def day(iso: rx.Var[str]) -> rx.Var[str]:
    """Return the day an ISO time falls on: Today, 30 November."""
    return _call("time", "day", iso)


def day_break(all_rows: rx.Var[list[Row]], index: rx.Var[int]) -> rx.Var[str]:
    """Return the time of the row at `index` when it begins a new day of the person, else an empty string."""
    return _call("time", "dayBreak", all_rows, index)


def ago(iso: rx.Var[str]) -> rx.Var[str]:
    """Return how long ago, as short as the thread list needs it: 1 h, 14:20, Thu, 9 Nov."""
    return _call("time", "ago", iso)


def lasted(start: rx.Var[str], end: rx.Var[str]) -> rx.Var[str]:
    """Return the time between two ISO times: 0.8 s, 12 s, 1:54; empty when one is missing."""
    return _call("time", "lasted", start, end)


def whole_seconds(start: rx.Var[str], end: rx.Var[str]) -> rx.Var[str]:
    """Return the time between two ISO times, never less than 1 s."""
    return _call("time", "whole", start, end)


def title(name: rx.Var[str]) -> rx.Var[str]:
    """Return the raw name of a tool or field as people read it: issue_refund becomes Issue refund."""
    return _call("values", "title", name)


def verb(question: rx.Var[str], tool: rx.Var[str]) -> rx.Var[str]:
    """Return the verb a question begins with if its tool has it in its name, as issue_refund has refund."""
    return _call("values", "verb", question, tool)


def member(text: rx.Var[str], name: str) -> rx.Var[str]:
    """Return a member of the JSON object in `text` as people read it; empty where there is none."""
    return _call("json", "member", text, name)


def fingerprint(digest: rx.Var[str]) -> rx.Var[str]:
    """Return the first twelve digits of a digest in groups of four."""
    return _call("values", "fingerprint", digest)


def number(count: rx.Var[int]) -> rx.Var[str]:
    """Return a count with the digits of the person's language in groups."""
    return _call("words", "number", count)


def size(bytes_: rx.Var[int]) -> rx.Var[str]:
    """Return a number of bytes as people read it: 312 B, 1.4 MB."""
    return _call("values", "bytes", bytes_)


def initials(name: rx.Var[str] | str) -> rx.Var[str]:
    """Return one or two initials of a name."""
    return _call("values", "initials", name)


# ------------------------------------------------------------ acts that stay in the browser


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


# ------------------------------------------------------------ components


class Speaking(rx.Component):
    """Draws its one child again when the language turns out to be another one than the page was built in."""

    library = LIBRARY["words"]
    tag = "Speaking"


class Live(rx.Component):
    """The live connection of the tab, to the thread its address names. Draws nothing."""

    library = LIBRARY["live"]
    tag = "Live"
    lib_dependencies: list[str] = [  # noqa: RUF012 (a Reflex field)
        "react-markdown@10.1.0",
        "remark-gfm@4.0.1",
        # loaded by the browser when they are first needed
        "lowlight@3.3.0",
        "highlight.js@11.11.1",
        "remark-math@6.0.0",
        "rehype-katex@7.0.1",
        "katex@0.16.22",
        "mermaid@12.3.0",
    ]

    title: rx.Var[str]
    catalog: rx.Var[dict[str, str]]
    on_run_end: rx.EventHandler[rx.event.passthrough_event_spec(str)]
    on_interrupt: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class More(rx.Component):
    """Stands at the end of the thread list while there is more, and fetches it when it comes near."""

    library = LIBRARY["threads"]
    tag = "More"


class Menu(rx.Component):
    """The menu of the thread that is `chosen`, beside its button; what is in it is drawn while it is open."""

    library = LIBRARY["threads"]
    tag = "Menu"

    label: rx.Var[str]


class Drop(rx.Component):
    """Takes in files of these `kinds`, dropped or pasted, up to `most` bytes each.

    `chosen` is the agent that a new chat will be with.
    """

    library = LIBRARY["files"]
    tag = "Drop"

    kinds: rx.Var[list[str]]
    most: rx.Var[int]
    chosen: rx.Var[str]


class Rename(rx.Component):
    """A title as a field."""

    library = LIBRARY["threads"]
    tag = "Rename"

    thread: rx.Var[str]
    title: rx.Var[str]
    label: rx.Var[str]
    on_rename: rx.EventHandler[rx.event.passthrough_event_spec(str, str)]


class Toast(rx.Component):
    """Says what was done to `about` and can be taken back, for some `seconds`."""

    library = LIBRARY["threads"]
    tag = "Toast"

    about: rx.Var[str]
    seconds: rx.Var[int]
    on_gone: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class Finder(rx.Component):
    """The search dialog around the hits that were `found`; Ctrl or Cmd with K opens it."""

    library = LIBRARY["finder"]
    tag = "Finder"

    label: rx.Var[str]
    placeholder: rx.Var[str]
    found: rx.Var[str]
    on_find: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class GoTo(rx.Component):
    """Brings the row that the address names by `?at=` into view."""

    library = LIBRARY["finder"]
    tag = "GoTo"


class Link(rx.Component):
    """A link within the page: no new document is loaded."""

    library = "react-router"
    tag = "Link"

    to: rx.Var[str]
    title: rx.Var[str]


class Dialog(rx.Component):
    """A modal dialog that is open while the page shows the one called `name`."""

    library = LIBRARY["dialog"]
    tag = "Dialog"

    name: rx.Var[str]
    label: rx.Var[str]


class Following(rx.Component):
    """Draws nothing; tells, while it is drawn, that the run of the thread has come to another state."""

    library = LIBRARY["dialog"]
    tag = "Following"

    on_turn: rx.EventHandler[rx.event.no_args_event_spec]


class Keys(rx.Component):
    """Listens for the keys of the page: `letters` says what each does."""

    library = LIBRARY["keys"]
    tag = "Keys"

    letters: rx.Var[dict[str, str]]


class SkipLink(rx.Component):
    """A link to a place on this page; takes the keyboard there, which a link of the router does not."""

    library = LIBRARY["shell"]
    tag = "SkipLink"

    href: rx.Var[str]


class Frame(rx.Component):
    """The grid of sidebar and main; turns the sidebar into a drawer on a phone."""

    library = LIBRARY["shell"]
    tag = "Frame"


class Announcer(rx.Component):
    """Reads an answer out when it is complete."""

    library = LIBRARY["shell"]
    tag = "Announcer"


class Notify(rx.Component):
    """Tells by the browser, where the person wants that, of questions that wait while the tab is hidden."""

    library = LIBRARY["notify"]
    tag = "Notify"


class PanelFrame(rx.Component):
    """The state panel while it is open: a column beside the conversation, a sheet over it where there is no room."""

    library = LIBRARY["panels"]
    tag = "PanelFrame"

    label: rx.Var[str]


class Versions(rx.Component):
    """The slider over the versions of the state."""

    library = LIBRARY["panels"]
    tag = "Versions"

    label: rx.Var[str]


class Item(rx.Component):
    """An item of a panel's list, marked when it changed and while it is the person's."""

    library = LIBRARY["panels"]
    tag = "Item"

    panel: rx.Var[str]
    name: rx.Var[str]
    pointer: rx.Var[str]


class Tree(rx.Component):
    """Any JSON as a tree; gives the pointer and the new value (JSON) of what a person changed."""

    library = LIBRARY["tree"]
    tag = "Tree"

    value: rx.Var[Any]
    panel: rx.Var[str]
    editable: rx.Var[bool]
    on_edit: rx.EventHandler[rx.event.passthrough_event_spec(str, str)]


class Scroller(rx.Component):
    """The scrolling region of the transcript; follows its end while the reader is there."""

    library = LIBRARY["scroll"]
    tag = "Scroller"

    label: rx.Var[str]


class Commands(rx.Component):
    """The options above the message box that fit the slash and the name that are being typed."""

    library = LIBRARY["commands"]
    tag = "Commands"

    label: rx.Var[str]


class Composer(rx.Component):
    """The form around the message box; sends `{text, thread, abandon, queue}`. What is `returned` is put into it.

    What is written between the first line of a new chat and the thread it `made` goes along into that thread.
    """

    library = LIBRARY["composer"]
    tag = "Composer"

    shut: rx.Var[bool]
    stoppable: rx.Var[bool]
    problem: rx.Var[str]
    accepted: rx.Var[int]
    made: rx.Var[str]
    returned: rx.Var[str]
    on_send: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, JsonValue])]
    on_stop: rx.EventHandler[rx.event.no_args_event_spec]


class _OfPart(rx.Component):
    """A component that reads the text of one part by itself: growing text draws nothing else again."""

    row: rx.Var[str]
    part: rx.Var[str]


class Prose(_OfPart):
    """Markdown, block by block; nothing in it becomes markup."""

    library = LIBRARY["markdown"]
    tag = "Prose"


class Plain(_OfPart):
    """Text as it was written; a long one is cut until asked for."""

    library = LIBRARY["values"]
    tag = "Plain"


class Arguments(_OfPart):
    """The arguments of a call as a list that fills while they arrive (`live`)."""

    library = LIBRARY["tool"]
    tag = "Arguments"

    live: rx.Var[bool]


class Summary(_OfPart):
    """The first few values of a call in one line."""

    library = LIBRARY["tool"]
    tag = "Summary"


class Surface(_OfPart):
    """A surface that an agent described."""

    library = LIBRARY["surface"]
    tag = "Surface"


class Pretty(_OfPart):
    """JSON with its members in lines."""

    library = LIBRARY["surface"]
    tag = "Pretty"


class Result(rx.Component):
    """What a call returned: a list, a table, JSON, text or pictures, by content."""

    library = LIBRARY["tool"]
    tag = "Result"

    text: rx.Var[str]
    files: rx.Var[list[File]]


class Visible(rx.Component):
    """Text with invisible and direction-changing characters shown as tags."""

    library = LIBRARY["values"]
    tag = "Visible"

    text: rx.Var[str]


class Step(rx.Component):
    """A line (the first child) that folds open, by itself while `live` or when `failed`."""

    library = LIBRARY["tool"]
    tag = "Step"

    name: rx.Var[str]
    live: rx.Var[bool]
    failed: rx.Var[bool]


class Rendering(rx.Component):
    """What answers may show: images of some hosts, formulas, diagrams. Draws nothing."""

    library = LIBRARY["markdown"]
    tag = "Rendering"

    hosts: rx.Var[list[str]]
    formulas: rx.Var[bool]
    diagrams: rx.Var[bool]


class CopyTurn(rx.Component):
    """Copies the Markdown of the turn that ends with this row."""

    library = LIBRARY["copy"]
    tag = "CopyTurn"

    row: rx.Var[str]
    label: rx.Var[str]


class CopyLine(CopyTurn):
    """Copies a person's line."""

    tag = "CopyLine"


class Panes(rx.Component):
    """The article of a row; under it at most one pane is open, which Escape closes."""

    library = LIBRARY["turns"]
    tag = "Panes"


class Opener(rx.Component):
    """A button that opens and closes the pane called `name`."""

    library = LIBRARY["turns"]
    tag = "Opener"

    name: rx.Var[str]
    label: rx.Var[str]
    on_open: rx.EventHandler[rx.event.no_args_event_spec]


class Pane(rx.Component):
    """What is drawn while it is open."""

    library = LIBRARY["turns"]
    tag = "Pane"

    name: rx.Var[str]


class Closer(rx.Component):
    """A button in a pane that closes it, and may do more."""

    library = LIBRARY["turns"]
    tag = "Closer"


class Writing(rx.Component):
    """A text written anew in a pane: the line of `row`, or what was said before (`initial`).

    One that is `kept` goes to the message box when its pane goes away with it.
    """

    library = LIBRARY["turns"]
    tag = "Writing"

    row: rx.Var[str]
    label: rx.Var[str]
    initial: rx.Var[str]
    send: rx.Var[str]
    cancel: rx.Var[str]
    optional: rx.Var[bool]
    kept: rx.Var[bool]
    on_send: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class Desk(rx.Component):
    """The inbox: follows its list while it is shown, and listens for its keys."""

    library = LIBRARY["inbox"]
    tag = "Desk"


class OpenItem(rx.Component):
    """A link that opens a question beside the list."""

    library = LIBRARY["inbox"]
    tag = "OpenItem"

    item: rx.Var[str]


class Pick(rx.Component):
    """The box that picks a question of the list."""

    library = LIBRARY["inbox"]
    tag = "Pick"

    item: rx.Var[str]
    label: rx.Var[str]


class Narrow(rx.Component):
    """A choice by which the list is narrowed, or without `any` ordered."""

    library = LIBRARY["inbox"]
    tag = "Narrow"

    field: rx.Var[str]
    label: rx.Var[str]
    any: rx.Var[str]
    choices: rx.Var[Any]


class Elapsed(rx.Component):
    """The time since `since`, counting."""

    library = LIBRARY["time"]
    tag = "Elapsed"

    since: rx.Var[str]


class Countdown(rx.Component):
    """The time left until `until`, with a fuse that began at `since`."""

    library = LIBRARY["time"]
    tag = "Countdown"

    until: rx.Var[str]
    since: rx.Var[str]


class Retrying(rx.Component):
    """When the next connection is tried."""

    library = LIBRARY["time"]
    tag = "Retrying"

    again: rx.Var[str]


class Ask(rx.Component):
    """The card around one open question: arming, locking, keys and panes. Buttons in it carry `data-act`.

    `starts` is the pane that is open from the start. `held` keeps the next answer until all are sent, `kept`
    says that this one is kept, and `answered` becomes another text when somebody answered or agreed, which unlocks it.
    """

    library = LIBRARY["ask"]
    tag = "Ask"

    interrupt: rx.Var[str]
    expires: rx.Var[str]
    problem: rx.Var[str]
    label: rx.Var[str]
    starts: rx.Var[str]
    held: rx.Var[bool]
    kept: rx.Var[bool]
    answered: rx.Var[str]
    on_decide: rx.EventHandler[rx.event.passthrough_event_spec(str, str, str, object, bool)]
    on_fill: rx.EventHandler[rx.event.passthrough_event_spec(str, str, object, str, str)]
    on_send: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class AskActs(rx.Component):
    """A part of the card that is disabled while it is not armed or is locked; `form` says that it holds inputs."""

    library = LIBRARY["ask"]
    tag = "AskActs"

    pane: rx.Var[str]
    form: rx.Var[bool]


class Steer(rx.Component):
    """The dialog that opens when a line is sent while a decision is open; its buttons carry `data-steer`."""

    library = LIBRARY["steer"]
    tag = "Steer"

    labelledby: rx.Var[str]
    describedby: rx.Var[str]
