"""The records of a form: what is drawn, and what a person filled in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import JsonValue

from chat_app.services.rows import Change

FieldKind: TypeAlias = Literal[
    "text", "long", "number", "boolean", "maybe", "choice", "date", "list", "group", "variants", "json"
]


@dataclass(frozen=True, slots=True)
class Choice:
    """One value to choose: as the input carries it, and as people read it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """One input, or the heading of those that follow it with a greater `depth`.

    `text` is what the input holds: as typed, JSON for a choice, a count for a list, the place of the alternative
    chosen, or whether an optional group is `1` there. `code` names what is wrong with it, `limit` the figure the
    message is about. `name` is as the agent calls it; an item of a list has its number.
    """

    key: str
    kind: FieldKind
    name: str = ""
    title: str = ""
    hint: str = ""
    text: str = ""
    depth: int = 0
    required: bool = False
    choices: list[Choice] = field(default_factory=list)
    item: bool = False
    code: str = ""
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A form as it stands: its inputs, what it would change, and whether it can be sent.

    `revision` grows when inputs come or go. With `raw` the person writes `json` instead; `only_json` says that there
    are no inputs for this value. `before` and `after` are fingerprints of the proposal and of what would be sent.
    """

    kind: str
    revision: int = 0
    fields: list[Field] = field(default_factory=list)
    raw: bool = False
    only_json: bool = False
    json: str = ""
    problems: int = 0
    code: str = ""
    limit: str = ""
    complaint: str = ""
    count: int = 0
    needed: int = 0
    changes: list[Change] = field(default_factory=list)
    before: str = ""
    after: str = ""
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """What a person filled in: the text of every input by its key, or the JSON they wrote (`raw`)."""

    raw: bool = False
    json: str = ""
    entries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with one input: a code, and the figure its message is about."""

    code: str
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Absent:
    """There is no value: an optional one that was left out."""


ABSENT = Absent()
Value: TypeAlias = JsonValue | Absent
