"""The audit: its filters, a page of it, how whole it is, and the way out as a file."""

from dataclasses import asdict

from chat_app.services.audit_asked import KINDS, OUTCOMES, Asked
from chat_app.services.auditing import FORMS, Chain, Entry
from chat_app.ui.admin.frame import act, code, field, moment, pager, select, table, text, whole
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import AuditPage

TAIL = 8
"""How many characters of an id or a digest tell it from others on a page; the whole is where it leads."""


def audit(page: AuditPage, say: Say) -> Html:
    """Draw the state of the audit, the filters, a page of entries and the ways on."""
    heads = (
        (say("admin.audit.entry"), "num"),
        (say("admin.audit.at"), "opt"),
        (say("admin.audit.who"), ""),
        (say("admin.audit.what"), ""),
        (say("admin.audit.about"), ""),
        (say("admin.reason"), "opt"),
    )
    rows = [_row(one, say) for one in page.listed.entries]
    none = Html() if rows else h("p", say("admin.none"), class_="hint admin-note")
    more = pager("/admin/audit", page.asked, page.listed.after, say)
    listed = table(say("admin.audit"), heads, rows)
    return Html(
        chain(page.listed.chain, say) + _filters(page, say) + listed + none + more + _files(page.asked, say)
    )


def chain(state: Chain, say: Say) -> Html:
    """Say up to where the audit was found whole, by whom and when, and offer to look now."""
    since = state.last - state.upto
    if state.at is None:
        look, symbol, words = "note", "info", say("admin.audit.unchecked", last=whole(state.last))
    elif state.broken is not None:
        look, symbol = "note note-danger", "circle-x"
        words = say("admin.audit.broken", number=whole(state.broken))
    else:
        look, symbol, words = "note", "circle-check", say("admin.audit.verified", upto=whole(state.upto))
    by = h("p", say("admin.audit.checked", name=state.name), " ", moment(state.at)) if state.at else Html()
    newer = h("p", say("admin.audit.since_then", count=whole(since))) if state.at and since else Html()
    again = act("/admin/audit/check", say("admin.audit.check"))
    return h(
        "div", icon(symbol), h("div", h("p", h("b", words)), by, newer), again, class_=f"{look} admin-chain"
    )


def _filters(page: AuditPage, say: Say) -> Html:
    asked = page.asked
    any_one = {"": say("admin.any")}
    kinds = any_one | {one: say(f"admin.audit.kind.{one}") for one in KINDS}
    outcomes = any_one | {one: say(f"admin.audit.outcome.{one}") for one in OUTCOMES}
    agents = any_one | {one.id: one.name for one in page.agents}
    fields = (
        field(say("admin.user"), text("person", asked.person)),
        field(say("admin.audit.kind"), select("kind", kinds, asked.kind)),
        field(say("admin.audit.outcome"), select("outcome", outcomes, asked.outcome)),
        field(say("admin.agent"), select("agent", agents, asked.agent)),
        field(say("admin.tool"), text("tool", asked.tool)),
        field(say("admin.audit.thread"), text("thread", asked.thread)),
        field(say("admin.since"), text("since", asked.since, kind="date")),
        field(say("admin.until"), text("until", asked.until, kind="date")),
    )
    button = h("button", icon("search"), say("admin.find"), type="submit", class_="btn btn-sm")
    return h("form", *fields, button, action="/admin/audit", class_="filters admin-filters", role="search")


def _files(asked: Asked, say: Say) -> Html:
    """Offer what is asked for as a file; taking it out is written down, so it is a form."""
    given = {name: value for name, value in asdict(asked).items() if value and name != "after"}
    forms = (act("/admin/audit/export", say(f"admin.audit.{form}"), form=form, **given) for form in FORMS)
    about = h("p", say("admin.audit.export"), class_="hint")
    return h("div", h("div", *forms, class_="row"), about, class_="admin-body stack")


def _row(entry: Entry, say: Say) -> Html:
    record = entry.record
    return h(
        "tr",
        h("td", h("a", whole(record.seq), href=f"/admin/audit/{record.seq}"), class_="num"),
        h("td", moment(record.at), class_="opt"),
        h("td", who(entry, say)),
        h("td", code("admin.act", record.action, say)),
        h("td", about(entry, say)),
        h("td", h("bdi", record.reason), class_="opt admin-meaning"),
    )


def who(entry: Entry, say: Say) -> Html:
    """Name who did it."""
    return h("bdi", entry.name) if entry.name else h("span", say("admin.audit.system"), class_="muted")


def about(entry: Entry, say: Say) -> Html:
    """Name what it was done to: the tool of a question, a person or an agent by name, others by their ids."""
    kind, _, row = entry.record.object.partition(":")
    name = entry.about or entry.told("tool")
    known = h("bdi", name) if name else h("bdi", row[-TAIL:], class_="mono", title=row)
    return (
        h("span", code("admin.audit.thing", kind, say), " ", known)
        if row
        else code("admin.audit.thing", kind, say)
    )
