"""Components of browser files in the conversation and the inbox: rows, parts, cards, the message box."""

from typing import Any

import reflex as rx
from pydantic import JsonValue

from chat_app.services.rows import File
from chat_app.ui.js import LIBRARY


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
