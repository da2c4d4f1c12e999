"""Components of browser files around the conversation: the frame, the list of threads, dialogs, panels."""

from typing import Any

import reflex as rx

from chat_app.ui.js import LIBRARY


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
