"""The settings in force, with where each came from."""

from chat_app.settings import Line
from chat_app.ui.admin.frame import table
from chat_app.ui.gate import Html, Say, h
from chat_app.web.admin_doors import SettingsPage


def settings(page: SettingsPage, say: Say) -> Html:
    """Draw every setting; what each means is said in English, as `parley config` says it."""
    heads = (
        (say("admin.setting"), ""),
        (say("admin.value"), ""),
        (say("admin.source"), ""),
        (say("admin.meaning"), "opt"),
    )
    return table(say("admin.settings"), heads, map(_row, page.lines))


def _row(line: Line) -> Html:
    return h(
        "tr",
        h("td", line.name, class_="mono"),
        h("td", h("bdi", line.value)),
        h("td", line.origin, lang="en"),
        h("td", line.meaning, lang="en", class_="opt muted admin-meaning"),
    )
