"""How long chats are kept: what holds and where it is set, what is over now, and the button that erases it."""

from chat_app.services.keeping import MOST_DAYS, Kept, Outlook
from chat_app.ui.admin.frame import act, done, facts, moment, table, text, whole
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import RetentionPage


def retention(page: RetentionPage, say: Say) -> Html:
    """Draw what is kept how long, agent by agent, and what would be erased now."""
    outlook = page.outlook
    said = done(say(f"admin.retention.done.{page.done}")) if page.done in ("kept", "erased") else Html()
    head = h(
        "div", said, _trouble(page.trouble, say), _terms(outlook, say), class_="admin-body stack admin-wide"
    )
    return Html(head + _agents(outlook, say) + _now(outlook, say))


def _trouble(name: str, say: Say) -> Html:
    if not name:
        return Html()
    return h("p", icon("circle-alert"), say(f"admin.retention.trouble.{name}"), class_="err", role="alert")


def _terms(outlook: Outlook, say: Say) -> Html:
    last = outlook.last
    erased = say("admin.retention.erased", count=whole(last.erased)) if last is not None else ""
    looked = h("span", moment(last.at), ", ", erased) if last is not None else say("admin.retention.never")
    return facts(
        (
            say("admin.retention.unused"),
            h("span", _days(outlook.days, say), " ", _where("PARLEY_RETENTION_DAYS")),
        ),
        (say("admin.retention.undo"), h("span", _days(outlook.undo, say), " ", _where("PARLEY_UNDO_DAYS"))),
        (say("admin.retention.deleted"), whole(outlook.deleted)),
        (say("admin.retention.due_deleted"), whole(outlook.due_deleted)),
        (say("admin.retention.last"), looked),
        (say("admin.retention.next"), moment(outlook.next)),
    )


def _where(setting: str) -> Html:
    """Lead to the settings, where this is set and to be changed."""
    return h("a", h("bdi", setting), href="/admin/settings", class_="mono")


def _days(days: int | None, say: Say) -> str:
    if days is None:
        return say("admin.retention.for_ever")
    return say("admin.retention.day") if days == 1 else say("admin.retention.days", count=whole(days))


def _agents(outlook: Outlook, say: Say) -> Html:
    heads = (
        (say("admin.agent"), ""),
        (say("admin.retention.holds"), ""),
        (say("admin.retention.due"), "num"),
        (say("admin.retention.change"), ""),
    )
    heading = h("h2", say("admin.retention.agents"), class_="admin-note")
    pinned = h("p", say("admin.retention.pinned"), class_="hint admin-note")
    return Html(
        heading
        + table(say("admin.retention.agents"), heads, (_row(one, say) for one in outlook.kept))
        + pinned
    )


def _row(one: Kept, say: Say) -> Html:
    box = text(
        "days",
        "" if one.own is None else str(one.own),
        kind="number",
        min=1,
        max=MOST_DAYS,
        placeholder=say("admin.retention.as_all"),
        aria_label=say("admin.retention.days_of", agent=one.agent.name),
    )
    change = act(f"/admin/retention/{one.agent.id}", say("admin.save"), box)
    return h(
        "tr",
        h("td", h("bdi", one.agent.name)),
        h("td", _days(one.days, say)),
        h("td", whole(one.due), class_="num"),
        h("td", change, class_="admin-days"),
    )


def _now(outlook: Outlook, say: Say) -> Html:
    """Draw the button; the number that is agreed to goes with it, so that nothing else is erased."""
    heading = h("h2", say("admin.retention.now"), id="now")
    if not outlook.due:
        nothing = h("p", say("admin.retention.nothing"), class_="hint")
        return h("section", heading, nothing, class_="admin-body stack", aria_labelledby="now")
    agreed = h(
        "label",
        h("input", type="checkbox", name="agreed", value=outlook.due, required=True),
        say("admin.retention.agree", count=whole(outlook.due)),
        class_="row",
    )
    button = act("/admin/retention/run", say("admin.retention.erase"), agreed, look="btn btn-sm btn-danger")
    return h("section", heading, button, class_="admin-body stack", aria_labelledby="now")
