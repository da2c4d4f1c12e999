"""What the pages for admins show, as plain records; `ui/admin` draws them."""

from collections.abc import Callable
from dataclasses import dataclass

from chat_app.services.agent_book import AgentRecord, Known, Written
from chat_app.services.auditing import Asked as AuditAsked
from chat_app.services.auditing import Listed as Audited
from chat_app.services.auditing import Story
from chat_app.services.keeping import Outlook
from chat_app.services.notices import Overview, WrittenHook
from chat_app.services.oversight import About, Asked, Listed
from chat_app.services.people import AuthSessionRecord, UserRecord
from chat_app.services.timelines import Timeline
from chat_app.services.usage import Report
from chat_app.settings import Line


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks at a page: their name, and the places they may go."""

    name: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadsPage:
    """The threads of everybody that were asked for."""

    asked: Asked
    listed: Listed
    agents: tuple[AgentRecord, ...]
    opens: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPage:
    """What is known of a thread, and the question why it is to be opened; `trouble` is the name of an error.

    `run` is where to go once it is opened; empty: to the thread.
    """

    about: About
    opens: bool
    run: str = ""
    reason: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run with a page of its events."""

    timeline: Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """The entries of the audit that were asked for, and how whole it is."""

    asked: AuditAsked
    listed: Audited
    agents: tuple[AgentRecord, ...]


@dataclass(frozen=True, slots=True)
class EntryPage:
    """One entry of the audit with what belongs to it."""

    story: Story


@dataclass(frozen=True, slots=True)
class UsagePage:
    """What was used."""

    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage:
    """Everybody; `link` is an invitation that was just made, shown once."""

    people: tuple[UserRecord, ...]
    link: str = ""
    trouble: str = ""
    name: str = ""
    roles: tuple[str, ...] = ("user",)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonPage:
    """One person and their sign-ins; `link` resets their password, shown once; `done` is what was just done."""

    person: UserRecord
    sign_ins: tuple[AuthSessionRecord, ...]
    mail: str = ""
    sends_mail: bool = False
    link: str = ""
    done: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsPage:
    """All agents, and the form that adds one; `wrong` names the field that cannot be used."""

    agents: tuple[AgentRecord, ...]
    written: Written
    wrong: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPage:
    """One agent with its last test; `written` is what was typed when that cannot be used."""

    known: Known
    written: Written | None = None
    wrong: str = ""
    done: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPage:
    """How long chats are kept and what is over; `done` is what was just done, `trouble` the name of an error."""

    outlook: Outlook
    done: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticesPage:
    """Where notices go and what was sent, in one `state` where that is given.

    `secret` was just made and is shown once; `outcome` is how a test went; `wrong` names what cannot be used.
    """

    seen: Overview
    written: WrittenHook
    state: str = ""
    wrong: str = ""
    secret: str = ""
    outcome: str = ""
    done: str = ""


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The settings in force, what is secret masked."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class NowherePage:
    """What is not there, or not for this person."""


AdminPage = (
    ThreadsPage
    | ThreadPage
    | RunPage
    | AuditPage
    | EntryPage
    | UsagePage
    | PeoplePage
    | PersonPage
    | AgentsPage
    | AgentPage
    | RetentionPage
    | NoticesPage
    | SettingsPage
    | NowherePage
)
DrawAdmin = Callable[[AdminPage, Visit, str], str]
"""Draws a page for a visit in a language, as a whole HTML document."""
