"""The shapes of what only the browser knows: how the socket stands, which files are coming, what is picked."""

from dataclasses import dataclass, field

from chat_app.services.inbox import Page
from chat_app.services.rows import Thread


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
