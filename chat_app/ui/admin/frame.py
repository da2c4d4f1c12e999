"""What the pages for admins have in common: the bar, the places, and the small parts of tables and forms."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from chat_app.ui.gate import Html, Say, document, h, icon
from chat_app.ui.words import WORDS
from chat_app.web.admin_doors import Visit


def framed(place: str, body: Html, visit: Visit, say: Say) -> Html:
    """Return the whole document of a place: who is there, where else they may go, and the body."""
    back = h("a", icon("chevron-left"), say("account.back"), href="/", class_="btn btn-sm")
    name = h("span", visit.name, class_="muted not-phone", dir="auto")
    bar = h(
        "header", h("h1", say("admin.title")), h("span", class_="grow"), name, back, class_="bar admin-bar"
    )
    links = (
        h(
            "a",
            say(f"admin.{one}"),
            href=f"/admin/{one}",
            aria_current="page" if one == place else False,
        )
        for one in visit.places
    )
    tabs = h("nav", *links, class_="tabs admin-tabs", aria_label=say("admin.title"))
    title = say(f"admin.{place}") if place else say("admin.title")
    return document(title, h("main", bar, tabs, body, class_="main admin"), say)


def nowhere(say: Say) -> Html:
    """Say that there is nothing here for this person."""
    return h(
        "div", h("h2", say("gone.title")), h("p", say("gone.detail"), class_="muted"), class_="admin-body"
    )


def moment(at: datetime | None) -> Html:
    """Draw a time as it is kept, in UTC."""
    if at is None:
        return Html()
    utc = at.astimezone(UTC)
    return h("time", f"{utc:%Y-%m-%d %H:%M} UTC", datetime=utc.isoformat(), class_="num", dir="ltr")


def table(label: str, heads: Iterable[tuple[str, str]], rows: Iterable[Html]) -> Html:
    """Draw a table that can be scrolled; each head has a class for its column."""
    head = h("tr", *(h("th", words, scope="col", class_=look or False) for words, look in heads))
    whole = h("table", h("thead", head), h("tbody", *rows))
    return h("div", whole, class_="grid-table", tabindex="0", role="region", aria_label=label)


def pager(path: str, asked: Any, after: str, say: Say) -> Html:
    """Draw the ways to the first and to the next page of what a record of filters `asked` for."""
    given = {name: value for name, value in asdict(asked).items() if value and name != "after"}
    links = []
    if asked.after:
        links.append(h("a", say("admin.newest"), href=f"{path}?{urlencode(given)}", class_="btn btn-sm"))
    if after:
        older = urlencode(given | {"after": after})
        links.append(h("a", say("admin.older"), href=f"{path}?{older}", class_="btn btn-sm"))
    return h("div", h("span", class_="grow"), *links, class_="pager") if links else Html()


def whole(number: int) -> str:
    """Write a whole number, a narrow space between thousands, as every language reads it."""
    return f"{number:,}".replace(",", "\u202f")


def span(seconds: float) -> str:
    """Write a length of time: 0.8 s, 12 s, 1:54, 2:00:05."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def lasting(seconds: float) -> Html:
    """Draw a length of time, which is read from left to right in every language."""
    return h("bdi", span(seconds), dir="ltr")


def code(prefix: str, name: str, say: Say) -> Html:
    """Say what a code means, and the code itself when nobody worded it."""
    known = f"{prefix}.{name}"
    return h("span", say(known)) if known in WORDS else h("bdi", name, class_="mono")


def facts(*pairs: tuple[str, Html | str]) -> Html:
    """Draw names with their values; what is empty is left out."""
    shown = (h("div", h("dt", name), h("dd", value)) for name, value in pairs if value)
    return h("dl", *shown, class_="admin-facts")


def field(label: str, control: Html, *, about: str = "") -> Html:
    """Draw a control below its label; the label holds it, so no id is needed."""
    hint = h("span", about, class_="hint") if about else Html()
    return h("label", h("span", label, class_="lbl"), control, hint, class_="field")


def select(name: str, choices: Mapping[str, str], chosen: str) -> Html:
    """Draw a choice among values with their words."""
    options = (h("option", words, value=value, selected=value == chosen) for value, words in choices.items())
    return h("select", *options, name=name, class_="input")


def text(name: str, value: str = "", *, kind: str = "text", **more: object) -> Html:
    """Draw a field of one line."""
    return h("input", type=kind, name=name, value=value, class_="input", **more)


def act(action: str, label: str, *more: Html, look: str = "btn btn-sm", **values: str) -> Html:
    """Draw a form that is a button, with what it carries."""
    hidden = (h("input", type="hidden", name=name, value=value) for name, value in values.items())
    return h(
        "form", *hidden, *more, h("button", label, type="submit", class_=look), method="post", action=action
    )


def trouble(name: str, say: Say) -> Html:
    """Say what did not work."""
    if not name:
        return Html()
    return h("p", icon("circle-alert"), say(f"admin.trouble.{name}"), class_="err", role="alert")


def done(words: str) -> Html:
    """Say what was done."""
    return h("p", icon("check"), words, class_="hint", role="status")


def link_once(link: str, say: Say) -> Html:
    """Show a link that is shown once."""
    shown = h("input", value=link, readonly=True, class_="input mono", aria_label=say("admin.link"))
    return h(
        "div",
        icon("key-round"),
        h("div", h("p", say("admin.link.once")), shown),
        class_="note",
        role="status",
    )
