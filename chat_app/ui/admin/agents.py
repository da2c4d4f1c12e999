"""The agents people can talk to, and one of them with its connection test."""

import json
from datetime import UTC, datetime
from typing import Final

from chat_app.services.agent_book import PROFILE_NAMES, AgentRecord, Known, Written
from chat_app.services.agent_probe import Probed
from chat_app.tools import TOOLS, MakeTool, known
from chat_app.ui.admin.frame import act, done, field, select, table, text
from chat_app.ui.admin.rules import rules
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import AgentPage, AgentsPage

STATES: Final = {
    "ok": ("ok", "check"),
    "note": ("wait", "triangle-alert"),
    "bad": ("danger", "circle-x"),
    "skipped": ("faint", "circle-dashed"),
}
MONO: Final = "input mono"


def agents(page: AgentsPage, say: Say) -> Html:
    """Draw all agents, and the form that adds one."""
    heads = ((say("admin.agent"), ""), (say("admin.address"), "opt"), (say("admin.status"), ""))
    listed = table(say("admin.agents"), heads, (_row(one, say) for one in page.agents))
    button = h("button", say("admin.agent.add"), type="submit", class_="btn btn-solid")
    fields = _fields(page.written, page.wrong, say)
    form = h("form", *fields, button, method="post", action="/admin/agents/add", class_="stack")
    heading = h("h2", say("admin.agent.new"), id="new")
    new = h("section", heading, form, class_="stack", aria_labelledby="new")
    return Html(listed + h("div", new, class_="admin-body stack"))


def _row(agent: AgentRecord, say: Say) -> Html:
    name = h("a", h("bdi", agent.name), href=f"/admin/agents/{agent.id}")
    return h(
        "tr", h("td", name), h("td", h("bdi", agent.url), class_="opt mono"), h("td", _switched(agent, say))
    )


def _switched(agent: AgentRecord, say: Say) -> Html:
    if agent.dropped:
        return h("span", icon("ban"), say("admin.dropped"), class_="st st-danger")
    if agent.enabled:
        return h("span", icon("check"), say("admin.on"), class_="st")
    return h("span", icon("ban"), say("admin.off"), class_="st st-danger")


def agent(page: AgentPage, say: Say) -> Html:
    """Draw one agent: what is kept of it, and what its last test found."""
    one, path = page.known.agent, f"/admin/agents/{page.known.agent.id}/change"
    written = page.written or _kept(one)
    save = h("button", say("admin.save"), type="submit", class_="btn btn-solid")
    hidden = h("input", type="hidden", name="act", value="save")
    shown = _fields(written, page.wrong, say, kept=page.known)
    form = h("form", hidden, *shown, save, method="post", action=path, class_="stack")
    name = "disable" if one.enabled else "enable"
    switch = act(path, say(f"admin.turn.{name}"), act=name)
    in_words = h(
        "section", h("h3", say("admin.rules.shown"), class_="lbl"), rules(one.policy, say), class_="field"
    )
    said = done(say("admin.done")) if page.done else Html()
    head = h("h2", h("bdi", one.name), " ", _switched(one, say))
    left = h("div", head, said, form, switch, in_words, class_="stack")
    back = h("p", h("a", icon("chevron-left"), say("admin.agents"), href="/admin/agents"))
    return h(
        "div", back, h("div", left, _test(page.known, path, say), class_="form-page"), class_="admin-agent"
    )


def _kept(agent: AgentRecord) -> Written:
    return Written(
        name=agent.name,
        url=agent.url,
        profile=agent.profile,
        policy=json.dumps(agent.policy, indent=2, ensure_ascii=False) if agent.policy else "",
        suggestions="\n".join(agent.suggestions),
        tools=agent.tools,
    )


def _fields(written: Written, wrong: str, say: Say, *, kept: Known | None = None) -> list[Html]:
    builtin = kept is not None and kept.agent.builtin
    held = ", ".join(kept.headers) if kept is not None else ""
    headers = say("admin.headers.kept", names=held) if held else say("admin.headers.about")
    profiles = {name: name for name in PROFILE_NAMES}
    about = say("admin.builtin") if builtin else say("admin.address.about")
    own = (
        field(say("admin.name"), text("name", written.name, required=True, readonly=builtin)),
        field(say("admin.address"), text("url", written.url, required=True, readonly=builtin), about=about),
    )
    others = (
        field(say("admin.headers"), _area("headers", "", 2), about=headers),
        field(say("admin.profile"), select("profile", profiles, written.profile)),
    )
    others_too = (
        _tools(written, say),
        field(say("admin.rules"), _area("policy", written.policy, 6), about=say("admin.rules.about")),
        field(
            say("admin.suggestions"), _area("suggestions", written.suggestions, 4), about=say("admin.lines")
        ),
    )
    trouble = say(f"admin.wrong.{wrong}") if wrong else ""
    error = h("p", icon("circle-alert"), trouble, class_="err", role="alert") if wrong else Html()
    return [*own, *(() if builtin else others), *others_too, error]


def _tools(written: Written, say: Say) -> Html:
    """Draw what the agent may be offered: each of our tools with what it is for."""
    offers = (
        h(
            "label",
            h("input", type="checkbox", name="tools", value=name, checked=name in written.tools),
            h(
                "span",
                h("bdi", name, class_="mono"),
                " ",
                h("span", _purpose(name, make, say), class_="hint"),
            ),
            class_="row",
        )
        for name, make in known().items()
    )
    return h("fieldset", h("legend", say("admin.tools"), class_="lbl"), *offers, class_="field")


def _purpose(name: str, make: MakeTool, say: Say) -> str:
    """Return what a tool is for: in the page's words, or for one that was added in those its agents read."""
    return say(f"admin.tool.{name}") if name in TOOLS else make(lambda: datetime.now(UTC)).description


def _area(name: str, value: str, rows: int) -> Html:
    return h("textarea", value, name=name, rows=rows, spellcheck="false", dir="auto", class_=MONO)


def _test(known: Known, path: str, say: Say) -> Html:
    heading = h("header", h("h2", say("admin.test"), id="test", class_="grow"))
    lines = h("ul", *(_found(one, say) for one in known.found)) if known.found else Html()
    asking = field(say("admin.test.asking"), text("asking"), about=say("admin.test.about"))
    again = act(path, say("admin.test.run"), asking, act="test")
    at = h("p", known.tested_at[:16].replace("T", " "), " UTC", class_="faint") if known.tested_at else Html()
    foot = h("div", at, again, class_="admin-test")
    return h("section", heading, lines, foot, class_="report", aria_labelledby="test")


def _found(one: Probed, say: Say) -> Html:
    look, symbol = STATES[one.state]
    mark = h("span", icon(symbol), h("span", say(f"admin.state.{one.state}"), class_="sr"), class_=look)
    detail = h("p", one.detail, dir="auto") if one.detail else Html()
    value = h("span", one.value, class_="faint num")
    return h("li", mark, h("span", say(f"admin.check.{one.check}")), value, detail, class_="probe")
