"""The threads of everybody."""

from typing import Final

from chat_app.services.oversight import Contents, Overseen
from chat_app.services.thread_filters import IDLE
from chat_app.ui.admin.frame import field, moment, pager, select, table, text, whole
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import ThreadsPage

LOOKS: Final = {
    "": ("st", "check"),
    "running": ("st st-live", "loader-circle"),
    "waiting": ("st st-wait", "hand"),
    "failed": ("st st-danger", "circle-alert"),
}
STATES: Final = (IDLE, "running", "waiting", "failed")


def threads(page: ThreadsPage, say: Say) -> Html:
    """Draw the filters, a page of threads, and the way to the next."""
    heads = (
        (say("admin.thread"), ""),
        (say("admin.owner"), ""),
        (say("admin.agent"), "opt"),
        (say("admin.status"), ""),
        (say("admin.called"), "tools opt"),
        (say("admin.messages"), "num opt"),
        (say("admin.tokens"), "num opt"),
        (say("admin.updated"), "num"),
    )
    rows = [_row(one, page.listed.contents.get(one.id, Contents()), say) for one in page.listed.threads]
    none = Html() if rows else h("p", say("admin.none"), class_="hint admin-body")
    shut = Html() if page.opens else h("p", icon("info"), say("admin.shut"), class_="hint admin-note")
    more = pager("/admin/threads", page.asked, page.listed.after, say)
    return Html(_filters(page, say) + shut + table(say("admin.threads"), heads, rows) + none + more)


def _filters(page: ThreadsPage, say: Say) -> Html:
    asked = page.asked
    any_one = {"": say("admin.any")}
    agents = any_one | {one.id: one.name for one in page.agents}
    states = any_one | {one: say(f"admin.status.{one}") for one in STATES}
    names = ("words", "text") if page.opens else ()
    words = [field(say(f"admin.{one}"), text(one, getattr(asked, one), kind="search")) for one in names]
    hint = h("p", say("admin.text.about"), class_="hint admin-whole") if names else Html()
    fields = (
        *words,
        field(say("admin.user"), text("user", asked.user)),
        field(say("admin.agent"), select("agent", agents, asked.agent)),
        field(say("admin.status"), select("status", states, asked.status)),
        field(say("admin.tool"), text("tool", asked.tool)),
        field(say("admin.since"), text("since", asked.since, kind="date")),
        field(say("admin.until"), text("until", asked.until, kind="date")),
    )
    button = h("button", icon("search"), say("admin.find"), type="submit", class_="btn btn-sm")
    return h(
        "form", *fields, button, hint, action="/admin/threads", class_="filters admin-filters", role="search"
    )


def standing(thread: Overseen, say: Say) -> Html:
    """Say how a thread stands."""
    look, symbol = LOOKS[thread.mark]
    return h("span", icon(symbol), say(f"admin.status.{thread.mark or IDLE}"), class_=look)


def _row(thread: Overseen, held: Contents, say: Say) -> Html:
    named = h("a", h("bdi", thread.title or say("admin.untitled")), href=f"/admin/threads/{thread.id}")
    return h(
        "tr",
        h("td", named),
        h("td", h("bdi", thread.owner_name)),
        h("td", h("bdi", thread.agent_name), class_="opt"),
        h("td", standing(thread, say)),
        h("td", h("bdi", ", ".join(held.tools)), class_="faint mono tools opt"),
        h("td", whole(held.messages), class_="num opt"),
        h("td", whole(held.tokens) if held.tokens else "", class_="num opt"),
        h("td", moment(thread.updated), class_="num"),
    )
