"""What was used: the days to choose, charts over them, and a table by day, by agent and by person."""

from collections.abc import Sequence
from urllib.parse import urlencode

from chat_app.services.usage import GROUPS, Group, Report, Sums
from chat_app.ui.admin.charts import Series, bars
from chat_app.ui.admin.frame import field, lasting, table, text, whole
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import UsagePage


def usage(page: UsagePage, say: Say) -> Html:
    """Draw what was used."""
    report = page.report
    tables = [_table(group, report, say) for group in GROUPS]
    return Html(_range(report, say) + _total(report.total, say) + _charts(report, say) + "".join(tables))


def _range(report: Report, say: Say) -> Html:
    fields = (
        field(say("admin.since"), text("since", report.since, kind="date")),
        field(say("admin.until"), text("until", report.until, kind="date")),
    )
    button = h("button", icon("search"), say("admin.usage.show"), type="submit", class_="btn btn-sm")
    form = h("form", *fields, button, action="/admin/usage", class_="filters admin-filters")
    wrong = h("p", icon("circle-alert"), say("admin.usage.wrong"), class_="err admin-note", role="alert")
    return Html(form + wrong) if report.wrong else form


def _total(total: Sums, say: Say) -> Html:
    pairs = (
        (say("admin.usage.runs"), whole(total.runs)),
        (say("admin.usage.failed"), whole(total.failed)),
        (say("admin.usage.in"), whole(total.tokens_in)),
        (say("admin.usage.out"), whole(total.tokens_out)),
        (say("admin.usage.asked"), whole(total.asked)),
        (say("admin.usage.median"), _long(total.median, say)),
        (say("admin.usage.p95"), _long(total.p95, say)),
    )
    return h("dl", *(h("div", h("dt", name), h("dd", value)) for name, value in pairs), class_="stats")


def _charts(report: Report, say: Say) -> Html:
    labels = [one.key for one in report.days]
    tokens = (
        Series(say("admin.usage.in"), "chart-one", [one.tokens_in for one in report.days]),
        Series(say("admin.usage.out"), "chart-two", [one.tokens_out for one in report.days]),
    )
    runs = (
        Series(say("admin.usage.went_well"), "chart-one", [one.runs - one.failed for one in report.days]),
        Series(say("admin.usage.failed"), "chart-bad", [one.failed for one in report.days]),
    )
    waits = (
        Series(say("admin.usage.decided"), "chart-one", [one.decided for one in report.days]),
        Series(say("admin.usage.undecided"), "chart-wait", [one.asked - one.decided for one in report.days]),
    )
    drawn = (
        bars("tokens", say("admin.usage.tokens_by_day"), labels, tokens, say),
        bars("runs", say("admin.usage.runs_by_day"), labels, runs, say),
        bars("waits", say("admin.usage.asked_by_day"), labels, waits, say),
    )
    return h("div", *drawn, class_="charts")


def _table(group: Group, report: Report, say: Say) -> Html:
    heads = (
        (say(f"admin.usage.{group}"), ""),
        (say("admin.usage.runs"), "num"),
        (say("admin.usage.failed"), "num"),
        (say("admin.usage.in"), "num"),
        (say("admin.usage.out"), "num"),
        (say("admin.usage.untold"), "num opt"),
        (say("admin.usage.asked"), "num opt"),
        (say("admin.usage.decided"), "num opt"),
        (say("admin.usage.median"), "num opt"),
        (say("admin.usage.p95"), "num opt"),
    )
    given = urlencode({"since": report.since, "until": report.until})
    file = h(
        "a",
        icon("download"),
        say("admin.audit.csv"),
        href=f"/admin/usage/{group}?{given}",
        class_="btn btn-sm",
    )
    name = say(f"admin.usage.by_{group}")
    heading = h("div", h("h2", name, class_="grow"), file, class_="row admin-note")
    rows = [_row(one, say) for one in _ordered(group, report.of(group))]
    none = Html() if rows else h("p", say("admin.usage.none"), class_="hint admin-note")
    return Html(heading + table(name, heads, rows) + none)


def _ordered(group: Group, sums: Sequence[Sums]) -> Sequence[Sums]:
    """Return days with the newest first; the others are in order already."""
    return sums[::-1] if group == "day" else sums


def _row(one: Sums, say: Say) -> Html:
    counts = (one.runs, one.failed, one.tokens_in, one.tokens_out)
    more = (one.untold, one.asked, one.decided)
    return h(
        "tr",
        h("td", h("bdi", one.name)),
        *(h("td", whole(count), class_="num") for count in counts),
        *(h("td", whole(count), class_="num opt") for count in more),
        *(h("td", _long(seconds, say), class_="num opt") for seconds in (one.median, one.p95)),
    )


def _long(seconds: float | None, say: Say) -> str:
    return say("admin.usage.nobody") if seconds is None else lasting(seconds)
