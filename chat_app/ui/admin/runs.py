"""One run: how long everybody was at work, what it asked and used, what was odd, and its events a page at a time."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from chat_app.services.run_details import Used
from chat_app.services.timelines import Happened, Lane, Question, Timeline
from chat_app.ui.admin.frame import code, facts, lasting, moment, span, table, whole
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import RunPage

ENDS: Final = {
    "running": ("st st-live", "loader-circle"),
    "success": ("st", "check"),
    "interrupted": ("st st-wait", "hand"),
    "cancelled": ("st", "circle-slash"),
    "failed": ("st st-danger", "circle-x"),
}
BARS: Final = {"agent": "b txt", "tool": "b tool", "failed": "b bad", "wait": "b hum"}
TICKS: Final = 5
SYMBOLS: Final = {"agent": "waypoints", "tool": "wrench", "failed": "wrench", "wait": "hand"}


def run(page: RunPage, say: Say) -> Html:
    """Draw a run."""
    told = page.timeline
    thread = f"/admin/threads/{told.thread.id}"
    back = h(
        "p", h("a", icon("chevron-left"), h("bdi", told.thread.title or say("admin.untitled")), href=thread)
    )
    title = h("h2", say("admin.run"), " ", ended(told.run.status, say))
    shut = Html() if told.reads else h("p", icon("info"), say("admin.run.shut"), class_="hint")
    head = h(
        "div", back, title, shut, _known(told, say), _ways(told, say), class_="admin-body stack admin-wide"
    )
    return Html(
        head
        + _stats(told, say)
        + _lanes(told, say)
        + _asked(told, say)
        + _odd(told, say)
        + _events(told, say)
    )


def ended(status: str, say: Say) -> Html:
    """Say how a run ended, or that it has not."""
    look, symbol = ENDS[status]
    return h("span", icon(symbol), say(f"admin.run.{status}"), class_=look)


def _known(told: Timeline, say: Say) -> Html:
    run = told.run
    error = h("span", h("bdi", run.code, class_="mono"), " ", h("bdi", run.message)) if run.code else ""
    return facts(
        (say("admin.owner"), h("bdi", told.thread.owner_name)),
        (say("admin.agent"), h("bdi", told.thread.agent_name)),
        (say("admin.run.started"), moment(_at(run.started))),
        (
            say("admin.run.cause"),
            h("span", code("admin.run.cause", told.cause, say), ", ", h("bdi", told.by)),
        ),
        (say("admin.run.wire"), h("bdi", run.wire_run, class_="mono admin-id")),
        (say("admin.run.error"), error),
        (say("admin.run.models"), h("div", *(_model(one) for one in run.used)) if run.used else ""),
    )


def _model(one: Used) -> Html:
    """Tell the tokens of one model; with them those it read from its cache and those it thought with."""
    pairs = ((one.tokens_in, one.tokens_out), (one.cached, one.reasoning))
    given = [" / ".join(_count(count) for count in pair) for pair in pairs if max(pair) >= 0]
    name = " ".join(filter(None, (one.provider, one.model)))
    return h("p", h("bdi", name, class_="mono"), " ", ", ".join(given))


def _count(count: int) -> str:
    return whole(count) if count >= 0 else "?"


def _ways(told: Timeline, say: Say) -> Html:
    """Lead to the runs of the same exchange, to the audit and to the log as a file."""
    links = [
        h(
            "a",
            ended(status, say),
            href=f"/admin/runs/{one}",
            class_="btn btn-sm",
            aria_current="page" if one == told.run.run else False,
        )
        for one, status in told.others
        if len(told.others) > 1
    ]
    thread = told.thread.id
    links.append(h("a", say("admin.thread.audit"), href=f"/admin/audit?thread={thread}", class_="btn btn-sm"))
    if told.reads:
        path = f"/api/threads/{thread}/export/events"
        links.append(
            h("a", icon("download"), say("admin.run.export"), href=path, class_="btn btn-sm", download=True)
        )
    return h("div", *links, class_="row admin-ways")


def _stats(told: Timeline, say: Say) -> Html:
    odd = sum(each.count for each in told.run.oddities)
    counted = [_count(told.run.tokens_in), _count(told.run.tokens_out)]
    pairs = (
        (say("admin.run.worked"), lasting(told.seconds)),
        (say("admin.run.waited"), lasting(told.waited)),
        (say("admin.run.tokens"), " / ".join(counted)),
        (say("admin.run.events"), whole(told.total)),
        (say("admin.run.findings"), whole(odd)),
    )
    return h("dl", *(h("div", h("dt", name), h("dd", value)) for name, value in pairs), class_="stats")


def _lanes(told: Timeline, say: Say) -> Html:
    axis = h("span", *(h("span", one) for one in _ticks(told.lanes)), class_="axis")
    blank = h("span")
    rows = [blank, axis, blank, *(piece for lane in told.lanes for piece in _lane(lane, told, say))]
    label = say("admin.run.lanes", worked=span(told.seconds), waited=span(told.waited))
    return h("div", *rows, class_="gantt", role="img", aria_label=label)


def _ticks(lanes: Sequence[Lane]) -> Iterator[Html]:
    """Yield the times at the lines of the drawing, from its beginning to its end."""
    whole_time = max((lane.seconds / lane.length for lane in lanes if lane.length), default=0.0)
    return (lasting(whole_time * part / TICKS) for part in range(TICKS + 1))


def _lane(lane: Lane, told: Timeline, say: Say) -> tuple[Html, Html, Html]:
    name = say("admin.run.wait") if lane.kind == "wait" else lane.name or told.thread.agent_name
    style = f"inset-inline-start:{lane.start:.2%};inline-size:{lane.length:.2%}"
    label = h("span", icon(SYMBOLS[lane.kind]), h("span", name, class_="cut", dir="auto"), class_="lab")
    bar = h("span", h("span", class_=BARS[lane.kind], style=style), class_="trk")
    return label, bar, h("span", lasting(lane.seconds), class_="t")


def _asked(told: Timeline, say: Say) -> Html:
    if not told.questions:
        return Html()
    heads = (
        (say("admin.tool"), ""),
        (say("admin.run.asked"), "opt"),
        (say("admin.status"), ""),
        (say("admin.run.decided"), ""),
        (say("admin.run.wait"), "num"),
        (say("admin.audit.told.digest"), "opt"),
    )
    heading = h("h3", say("admin.run.questions"), class_="admin-note")
    rows = (_question(one, say) for one in told.questions)
    return Html(heading + table(say("admin.run.questions"), heads, rows))


def _question(one: Question, say: Say) -> Html:
    kind = code("admin.act", f"question.{one.kind}", say) if one.kind else Html()
    decided = h("span", kind, *([", ", h("bdi", one.by)] if one.by else []))
    words = [h("p", h("bdi", text), class_="muted") for text in (one.message, one.note) if text]
    return h(
        "tr",
        h("td", h("bdi", one.tool, class_="mono"), *words, class_="admin-meaning"),
        h("td", moment(one.asked), class_="opt"),
        h("td", code("admin.run.question", one.status, say)),
        h("td", decided),
        h("td", lasting(one.wait) if one.wait is not None else "", class_="num"),
        h("td", h("bdi", one.digest[:12], class_="mono", title=one.digest), class_="opt"),
    )


def _odd(told: Timeline, say: Say) -> Html:
    if not told.run.oddities:
        return Html()
    lines = (
        h("li", h("bdi", each.code, class_="mono"), " (", whole(each.count), "): ", _why(each.code, say))
        for each in told.run.oddities
    )
    heading = h("h3", say("admin.run.oddities"), id="odd")
    about = h("p", say("admin.run.oddities.about"), class_="hint")
    return h(
        "section",
        heading,
        about,
        h("ul", *lines),
        class_="admin-body stack admin-wide",
        aria_labelledby="odd",
    )


def _why(name: str, say: Say) -> Html:
    return code("admin.odd", name, say)


def _events(told: Timeline, say: Say) -> Html:
    heads = (
        (say("admin.run.seq"), "num"),
        (say("admin.run.offset"), "num"),
        (say("admin.run.event"), ""),
        (say("admin.run.content"), ""),
    )
    heading = h("h3", say("admin.run.events"), class_="admin-note", id="events")
    rows = [_event(one, say) for one in told.events]
    listed = table(say("admin.run.events"), heads, rows)
    none = Html() if rows else h("p", say("admin.run.none"), class_="hint admin-note")
    return Html(heading + listed + none + _pager(told, say))


def _event(one: Happened, say: Say) -> Html:
    size = say("admin.run.size", count=whole(one.size))
    return h(
        "tr",
        h("td", whole(one.seq), class_="num"),
        h("td", h("bdi", f"{one.after_ms / 1000:+.3f} s", dir="ltr"), class_="num mono"),
        h("td", h("bdi", one.type, class_="mono")),
        h("td", _payload(one, size, say) if one.payload else size, class_="admin-payload"),
    )


def _payload(one: Happened, size: str, say: Say) -> Html:
    cut = h("p", say("admin.run.cut"), class_="hint") if one.cut else Html()
    text = h("pre", one.payload, tabindex="0", dir="ltr")
    return h("details", h("summary", size), text, cut)


def _pager(told: Timeline, say: Say) -> Html:
    path = f"/admin/runs/{told.run.run}"
    links = []
    if not told.first:
        links.append(h("a", say("admin.run.first"), href=f"{path}#events", class_="btn btn-sm"))
    if told.after:
        links.append(
            h("a", say("admin.run.next"), href=f"{path}?after={told.after}#events", class_="btn btn-sm")
        )
    return h("div", h("span", class_="grow"), *links, class_="pager") if links else Html()


def _at(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
