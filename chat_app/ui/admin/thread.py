"""One thread of somebody: what is known without reading it, its runs, and the question why it is to be opened."""

from datetime import datetime

from chat_app.services.oversight import About, Overseen
from chat_app.services.run_details import Details
from chat_app.services.viewing import LASTS, LONGEST_REASON
from chat_app.ui.admin.frame import facts, field, lasting, moment, table, trouble, whole
from chat_app.ui.admin.runs import ended
from chat_app.ui.admin.threads import standing
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import ThreadPage


def thread(page: ThreadPage, say: Say) -> Html:
    """Draw what is known of a thread, the way in, and its runs."""
    about = page.about
    back = h("p", h("a", icon("chevron-left"), say("admin.threads"), href="/admin/threads"))
    title = h("h2", h("bdi", about.thread.title or say("admin.untitled")))
    head = h("div", back, title, _known(about, say), class_="admin-body stack admin-wide")
    return Html(head + _way_in(page, say) + _runs(about, say))


def _known(about: About, say: Say) -> Html:
    one = about.thread
    seen = (
        h("p", h("bdi", each.by), ", ", moment(datetime.fromisoformat(each.at)), ": ", h("bdi", each.reason))
        for each in about.viewed
    )
    return facts(
        (say("admin.owner"), h("bdi", one.owner_name)),
        (say("admin.agent"), h("bdi", one.agent_name)),
        (say("admin.status"), standing(one, say)),
        (say("admin.entries"), whole(one.entries)),
        (say("admin.updated"), moment(one.updated)),
        (say("admin.thread.viewed"), h("div", *seen) if about.viewed else ""),
    )


def _way_in(page: ThreadPage, say: Say) -> Html:
    one = page.about.thread
    history = h("a", say("admin.thread.audit"), href=f"/admin/audit?thread={one.id}", class_="btn btn-sm")
    if not page.opens:
        shut = h("p", icon("info"), say("admin.shut"), class_="hint")
        return h("div", shut, h("p", history), class_="admin-body stack")
    if page.about.opened and not page.trouble:
        read = h("a", say("admin.thread.read"), href=f"/t/{one.id}", class_="btn btn-sm btn-solid")
        opened = h("p", icon("eye"), say("admin.thread.opened"), class_="hint")
        return h("div", opened, h("div", read, history, class_="row"), class_="admin-body stack")
    return _reason(page, one, say)


def _reason(page: ThreadPage, one: Overseen, say: Say) -> Html:
    """Ask for a reason, and say before the button who will see it."""
    head = h("div", h("h3", say("admin.why", name=one.owner_name), id="why"), class_="dialog-h")
    area = h(
        "textarea",
        page.reason,
        name="reason",
        rows="3",
        required=True,
        maxlength=LONGEST_REASON,
        aria_invalid="true" if page.trouble else False,
        class_="input",
    )
    hours = int(LASTS.total_seconds() // 3600)
    told = h(
        "div",
        h("p", say("admin.seen", name=one.owner_name)),
        h("p", say("admin.kept", hours=hours)),
    )
    seen = h("div", icon("eye"), told, class_="note admin-seen")
    run = h("input", type="hidden", name="run", value=page.run) if page.run else Html()
    body = h(
        "div", run, field(say("admin.reason"), area), trouble(page.trouble, say), seen, class_="dialog-b"
    )
    foot = h(
        "div",
        h("a", say("admin.cancel"), href="/admin/threads", class_="btn btn-quiet"),
        h("button", say("admin.open"), type="submit", class_="btn btn-solid"),
        class_="dialog-f",
    )
    form = h("form", body, foot, method="post", action=f"/admin/threads/{one.id}/open")
    return h("section", head, form, class_="dialog admin-dialog", aria_labelledby="why")


def _runs(about: About, say: Say) -> Html:
    heads = (
        (say("admin.run.started"), ""),
        (say("admin.run.ended"), ""),
        (say("admin.run.duration"), "num opt"),
        (say("admin.run.tokens"), "num opt"),
        (say("admin.run.findings"), "num opt"),
    )
    heading = h("h3", say("admin.runs"), class_="admin-note")
    return Html(heading + table(say("admin.runs"), heads, (_run(one, say) for one in about.runs)))


def _run(one: Details, say: Say) -> Html:
    began = datetime.fromisoformat(one.started)
    took = (datetime.fromisoformat(one.ended) - began).total_seconds() if one.ended else None
    return h(
        "tr",
        h("td", h("a", moment(began), href=f"/admin/runs/{one.run}")),
        h("td", ended(one.status, say)),
        h("td", lasting(took) if took is not None else "", class_="num opt"),
        h("td", tokens(one), class_="num opt"),
        h("td", whole(sum(each.count for each in one.oddities)), class_="num opt"),
    )


def tokens(one: Details) -> str:
    """Write the tokens that went in and came out, as far as the agent told."""
    given = [whole(count) if count >= 0 else "?" for count in (one.tokens_in, one.tokens_out)]
    return "" if given == ["?", "?"] else " / ".join(given)
