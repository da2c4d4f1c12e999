"""What the inbox shows, as flat frozen records: codes, ids, ISO times and facts, never words.

A frame of the inbox goes to one tab only, so unlike a row it may say what its reader may do.
"""

from dataclasses import dataclass, field

from chat_app.services.rows import Row

AGES = ("", "hour", "day", "soon")
"""How long a question waits: any time, for over an hour, for over a day; `soon`: it expires within half an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a tab asks for: a list, narrowed and ordered, of at most so many questions, and the one that is open.

    `after` is what `Page.after` said of the stretch of the list before.
    """

    tab: str = "all"
    agent: str = ""
    tool: str = ""
    owner: str = ""
    age: str = ""
    sort: str = "oldest"
    limit: int = 50
    after: str = ""
    open: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One question in the list.

    `same` is equal for questions that ask for the same call of the same tool, and empty where that is not known.
    `takes` says whether the reader may approve it; `holder` is who has it in hand, and `held` that it is the reader.
    """

    id: str
    question: str
    tool: str = ""
    agent: str = ""
    person: str = ""
    risk: str = ""
    at: str = ""
    expires_at: str = ""
    status: str = ""
    decision: str = ""
    decided_by: str = ""
    decided_at: str = ""
    holder: str = ""
    held: bool = False
    same: str = ""
    takes: bool = False
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the list can be narrowed to: its id, its name, and how many wait there."""

    id: str
    name: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """A line of the thread just before the question: `role` is user or agent."""

    key: str
    role: str
    name: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Opened:
    """The question that is open: its card, what was said before it, and who decides it.

    `thread` is set for who may open it. `by` is requester, role, other, two or nobody, of these `roles`; `endorsed`
    are those who said yes where two have to. `people` are those it can be given to.
    """

    id: str = ""
    thread: str = ""
    agent: str = ""
    person: str = ""
    row: Row = field(default_factory=lambda: Row("", "approval", 0))
    said: list[Said] = field(default_factory=list)
    by: str = ""
    roles: list[str] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    may: bool = False
    holder: str = ""
    held: bool = False
    held_at: str = ""
    endorsed: list[str] = field(default_factory=list)
    people: list[Choice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Page:
    """What a tab shows: the questions, whether there are more, how many wait in each tab, and the one that is open.

    `after` is set when the stretch is as long as one can be: the next one begins there.
    """

    questions: list[Item] = field(default_factory=list)
    more: bool = False
    after: str = ""
    mine: int = 0
    assigned: int = 0
    all: int = 0
    agents: list[Choice] = field(default_factory=list)
    tools: list[Choice] = field(default_factory=list)
    people: list[Choice] = field(default_factory=list)
    opened: Opened = field(default_factory=Opened)
