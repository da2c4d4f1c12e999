"""The pages for admins and auditors, as HTML that needs no script; every text and attribute is escaped."""

from typing import assert_never

from chat_app.ui.admin.agents import agent, agents
from chat_app.ui.admin.audit import audit
from chat_app.ui.admin.audit_entry import entry
from chat_app.ui.admin.frame import framed, nowhere
from chat_app.ui.admin.notifications import notifications
from chat_app.ui.admin.people import people, person
from chat_app.ui.admin.retention import retention
from chat_app.ui.admin.runs import run
from chat_app.ui.admin.settings import settings
from chat_app.ui.admin.thread import thread
from chat_app.ui.admin.threads import threads
from chat_app.ui.admin.usage import usage
from chat_app.ui.gate import Html, Say
from chat_app.web.admin_doors import (
    AdminPage,
    AgentPage,
    AgentsPage,
    AuditPage,
    EntryPage,
    NoticesPage,
    NowherePage,
    PeoplePage,
    PersonPage,
    RetentionPage,
    RunPage,
    SettingsPage,
    ThreadPage,
    ThreadsPage,
    UsagePage,
    Visit,
)

__all__ = ["draw"]


def draw(page: AdminPage, visit: Visit, language: str) -> str:
    """Return a whole document that shows `page` in the language of that code."""
    say = Say(language)
    place, body = _drawn(page, say)
    return f"<!doctype html>{framed(place, body, visit, say)}"


def _drawn(page: AdminPage, say: Say) -> tuple[str, Html]:  # noqa: C901, PLR0911, PLR0912 - one for each page
    match page:
        case ThreadsPage():
            return "threads", threads(page, say)
        case ThreadPage():
            return "threads", thread(page, say)
        case RunPage():
            return "threads", run(page, say)
        case AuditPage():
            return "audit", audit(page, say)
        case EntryPage():
            return "audit", entry(page, say)
        case UsagePage():
            return "usage", usage(page, say)
        case PeoplePage():
            return "people", people(page, say)
        case PersonPage():
            return "people", person(page, say)
        case AgentsPage():
            return "agents", agents(page, say)
        case AgentPage():
            return "agents", agent(page, say)
        case RetentionPage():
            return "retention", retention(page, say)
        case NoticesPage():
            return "notifications", notifications(page, say)
        case SettingsPage():
            return "settings", settings(page, say)
        case NowherePage():
            return "", nowhere(say)
        case _:
            assert_never(page)
