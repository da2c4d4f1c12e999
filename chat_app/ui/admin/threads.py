"""The threads of everybody, and the question why one is to be opened."""

from typing import Final

from chat_app.services.oversight import IDLE, Overseen
from chat_app.services.viewing import LASTS, LONGEST_REASON
from chat_app.ui.admin.frame import field, moment, pager, select, table, text, trouble
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import ReasonPage, ThreadsPage

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
        (say("admin.entries"), "num opt"),
        (say("admin.updated"), "num"),
    )
    rows = [_row(one, say, opens=page.opens) for one in page.listed.threads]
    none = Html() if rows else h("p", say("admin.none"), class_="hint admin-body")
    shut = Html() if page.opens else h("p", icon("info"), say("admin.shut"), class_="hint admin-note")
    more = pager("/admin/threads", page.asked, page.listed.after, say)
    return Html(_filters(page, say) + shut + table(say("admin.threads"), heads, rows) + none + more)


def _filters(page: ThreadsPage, say: Say) -> Html:
    asked = page.asked
    any_one = {"": say("admin.any")}
    agents = any_one | {one.id: one.name for one in page.agents}
    states = any_one | {one: say(f"admin.status.{one}") for one in STATES}
    fields = (
        field(say("admin.words"), text("words", asked.words, kind="search")),
        field(say("admin.user"), text("user", asked.user)),
        field(say("admin.agent"), select("agent", agents, asked.agent)),
        field(say("admin.status"), select("status", states, asked.status)),
        field(say("admin.tool"), text("tool", asked.tool)),
        field(say("admin.since"), text("since", asked.since, kind="date")),
        field(say("admin.until"), text("until", asked.until, kind="date")),
    )
    button = h("button", icon("search"), say("admin.find"), type="submit", class_="btn btn-sm")
    return h("form", *fields, button, action="/admin/threads", class_="filters admin-filters", role="search")


def _row(thread: Overseen, say: Say, *, opens: bool) -> Html:
    title = h("bdi", thread.title or say("admin.untitled"))
    named = h("a", title, href=f"/admin/threads/{thread.id}") if opens else title
    look, symbol = LOOKS[thread.mark]
    state = h("span", icon(symbol), say(f"admin.status.{thread.mark or IDLE}"), class_=look)
    return h(
        "tr",
        h("td", named),
        h("td", h("bdi", thread.owner_name)),
        h("td", h("bdi", thread.agent_name), class_="opt"),
        h("td", state),
        h("td", str(thread.entries), class_="num opt"),
        h("td", moment(thread.updated), class_="num"),
    )


def reason(page: ReasonPage, say: Say) -> Html:
    """Ask for a reason, and say before the button who will see it."""
    thread = page.thread
    about = h("p", h("bdi", thread.title), ", ", h("bdi", thread.agent_name), class_="muted")
    head = h("div", h("h2", say("admin.why", name=thread.owner_name), id="why"), about, class_="dialog-h")
    area = h(
        "textarea",
        page.reason,
        name="reason",
        rows="3",
        required=True,
        maxlength=LONGEST_REASON,
        autofocus=True,
        aria_invalid="true" if page.trouble else False,
        class_="input",
    )
    hours = int(LASTS.total_seconds() // 3600)
    told = h(
        "div",
        h("p", say("admin.seen", name=thread.owner_name)),
        h("p", say("admin.kept", hours=hours)),
    )
    seen = h("div", icon("eye"), told, class_="note admin-seen")
    body = h("div", field(say("admin.reason"), area), trouble(page.trouble, say), seen, class_="dialog-b")
    foot = h(
        "div",
        h("a", say("admin.cancel"), href="/admin/threads", class_="btn btn-quiet"),
        h("button", say("admin.open"), type="submit", class_="btn btn-solid"),
        class_="dialog-f",
    )
    form = h("form", body, foot, method="post", action=f"/admin/threads/{thread.id}/open")
    return h("section", head, form, class_="dialog admin-dialog", aria_labelledby="why")
