"""What the page draws, as flat frozen records.

Records hold codes, ISO times and facts, never words, local times or rights: the browser words and formats them, and
a frame can be shared by everyone who follows a thread. `projection.py` makes them.
"""

from dataclasses import dataclass, field
from datetime import datetime

from chat_app.services.panels import Held

SPOKEN = frozenset({"user", "turn", "lane"})
"""The kinds of rows in which somebody speaks; the others are cards and notes between them."""


def iso(moment: datetime | None) -> str:
    """Return a time as ISO 8601, or an empty string."""
    return moment.isoformat() if moment else ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One value an approval covers: its name, and the value complete, as text.

    `raw` says that the text is JSON (a number, a list, …), not a plain string.
    """

    name: str
    value: str
    raw: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs between what was proposed and what was approved: `was` there before, is there `now`."""

    name: str
    before: str = ""
    after: str = ""
    was: bool = False
    now: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """What a tool answered besides text: its name or kind, and for a small picture its `source`, a data URL.

    One that lies elsewhere has its address as `link`, which is fetched by a person's click alone.
    """

    name: str
    mime: str = ""
    source: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a row, in arrival order: text, reasoning, a tool call, an activity, a subagent, custom events.

    `text` is the text, the reasoning, or the argument text of a call. `status` is set for calls: preparing, running,
    waiting, done, failed, denied, cancelled, expired; and for a subagent (`key` is its id): running, finished,
    suspended, failed, aborted. Times are ISO 8601 in UTC, or empty.
    """

    key: str
    kind: str
    text: str = ""
    streaming: bool = False
    name: str = ""
    status: str = ""
    result: str = ""
    files: list[File] = field(default_factory=list)
    started: str = ""
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the transcript: a person's line, an agent's turn, an approval, or a note on how a run ended.

    `kind` is user, turn, lane (a subagent), approval or note; `lane` is the subagent whose row it is, if any. Rows are
    ordered by `position`, then `key`. `head` marks the first turn after a person's line. `ways` are the branches that
    hold alternatives to this row, itself included, and `way` is the place of the branch shown among them; without
    alternatives there are none. `verdict` is what the thread's owner thinks of an answer, good, bad or empty, and
    `comment` why. The fields from `interrupt_id` on belong to approvals, the last three to notes.

    Of an approval: `risk` and `risk_reason` are the agent's words, `form` says that the answer has a form. `answer`
    are the values a person gave, `changes` what they edited and `sealed` the fingerprint of that. `batch` questions
    of one run are answered together, `answered` of them so far, and this is the one at `place`. `resumed` and
    `finished` are when the run that carried the decision began and ended. `endorsed_by` are who said yes, the last of
    them at `endorsed_at`, while somebody else has to say the same.
    """

    key: str
    kind: str
    position: int
    at: str = ""
    run: str = ""
    head: bool = False
    lane: str = ""
    parts: list[Part] = field(default_factory=list)
    interrupt_id: str = ""
    reason: str = ""
    message: str = ""
    tool: str = ""
    arguments: list[Fact] = field(default_factory=list)
    digest: str = ""
    expires_at: str = ""
    status: str = ""
    decision: str = ""
    decided_by: str = ""
    decided_at: str = ""
    note: str = ""
    actions: list[str] = field(default_factory=list)
    owed: bool = False
    risk: str = ""
    risk_reason: str = ""
    form: bool = False
    answer: list[Fact] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    sealed: str = ""
    batch: int = 0
    place: int = 0
    answered: int = 0
    endorsed_by: str = ""
    endorsed_at: str = ""
    resumed: str = ""
    finished: str = ""
    ways: list[int] = field(default_factory=list)
    way: int = 0
    verdict: str = ""
    comment: str = ""
    code: str = ""
    detail: str = ""
    retry: bool = False


@dataclass(frozen=True, slots=True)
class Queued:
    """A line that waits to be sent; an `urgent` one goes next, however the answer under way ends.

    One that is `shut` is not sent, because the agent is not open any more to who wrote it.
    """

    id: str
    text: str
    at: str = ""
    urgent: bool = False
    shut: bool = False


@dataclass(frozen=True, slots=True)
class Viewed:
    """That somebody opened the thread of another, when, and the reason they gave."""

    by: str
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Run:
    """How the thread stands: idle, running, stopping, or waiting for a person; the run's id, start, step and tool.

    `queued` are the lines that wait to be sent, the next one first; `viewed` who else looked in, oldest first.
    """

    status: str = "idle"
    id: str = ""
    started: str = ""
    step: str = ""
    tool: str = ""
    queued: list[Queued] = field(default_factory=list)
    viewed: list[Viewed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Thread:
    """One line of the thread list. `mark` is empty, running, waiting or failed; `updated` is ISO 8601 in UTC.

    Pinned ones stand on top; archived ones are in a list of their own.
    """

    id: str
    title: str
    mark: str = ""
    unread: bool = False
    updated: str = ""
    agent: str = ""
    pinned: bool = False
    archived: bool = False
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A line to begin with: what it is about, and what it says."""

    title: str
    line: str


@dataclass(frozen=True, slots=True)
class View:
    """The newest rows of a thread, oldest first, whether older ones exist, how the thread stands, and its state.

    `branch` is the one they are of.
    """

    rows: list[Row] = field(default_factory=list)
    older: bool = False
    run: Run = field(default_factory=Run)
    held: Held = field(default_factory=Held)
    branch: int = 0
