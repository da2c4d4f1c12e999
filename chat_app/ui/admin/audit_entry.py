"""One entry of the audit, whether it is as it was written, and the story it is part of."""

import json
from collections.abc import Collection
from typing import Final

from chat_app.services.auditing import Entry, Story
from chat_app.ui.admin.audit import about, who
from chat_app.ui.admin.frame import code, facts, moment, whole
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import EntryPage

STAGES: Final = {
    "proposed": ("question.propose",),
    "decided": (
        "question.approve",
        "question.edit",
        "question.respond",
        "question.reject",
        "question.cancel",
        "question.expire",
    ),
    "resumed": ("question.resume",),
    "done": ("question.execute", "question.deliver", "question.fail"),
}
"""The way of a question, and which acts take it a stage further."""
FAILED: Final = "question.fail"
SHARED: Final = frozenset({"thread", "run", "tool"})
"""What every step of a story says alike."""


def entry(page: EntryPage, say: Say) -> Html:
    """Draw an entry with its hashes, and what was done to the same thing before and after."""
    story = page.story
    record = story.entry.record
    back = h("p", h("a", icon("chevron-left"), say("admin.audit"), href="/admin/audit"))
    title = h(
        "h2", say("admin.audit.number", number=whole(record.seq)), ": ", code("admin.act", record.action, say)
    )
    detail = facts(
        (say("admin.audit.at"), moment(record.at)),
        (say("admin.audit.who"), who(story.entry, say)),
        (say("admin.audit.about"), about(story.entry, say)),
        (say("admin.reason"), h("bdi", record.reason) if record.reason else ""),
        *_told(story.entry, story, say),
        (say("admin.audit.object"), _mono(record.object)),
        (say("admin.audit.previous"), _mono(record.previous)),
        (say("admin.audit.hash"), _mono(record.hash)),
    )
    return h(
        "div",
        back,
        title,
        _fits(story, say),
        detail,
        _story(story, say),
        class_="admin-body stack admin-wide",
    )


def _fits(story: Story, say: Say) -> Html:
    if story.fits:
        return h("p", icon("circle-check"), say("admin.audit.fits"), class_="hint")
    return h("p", icon("circle-x"), say("admin.audit.unfit"), class_="err", role="alert")


def _told(entry: Entry, story: Story, say: Say, *, but: Collection[str] = ()) -> list[tuple[str, Html]]:
    """Return what the detail of an entry says, `but` some of it; what leads somewhere is a link."""
    detail = entry.record.detail
    pairs = detail.items() if isinstance(detail, dict) else ()
    shown = ((name, value) for name, value in pairs if name not in but and value not in (None, "", [], {}))
    return [(_worded(name, say), _value(name, value, story)) for name, value in shown]


def _worded(name: str, say: Say) -> str:
    return code("admin.audit.told", name, say)


def _value(name: str, value: object, story: Story) -> Html:
    if isinstance(value, str) and name == "thread":
        return h("a", _mono(value), href=f"/admin/threads/{value}")
    if isinstance(value, str) and name in ("run", "carrier"):
        return h("a", _mono(value), href=f"/admin/runs/{value}")
    if isinstance(value, str) and name == "replaces":
        return _proposal(value, story)
    return _mono(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _proposal(digest: str, story: Story) -> Html:
    """Lead from an edit to the proposal it stands in place of."""
    found = (
        one for one in story.steps if one.record.action in STAGES["proposed"] and one.told("digest") == digest
    )
    proposed = next(found, None)
    return (
        h("a", _mono(digest), href=f"#entry-{proposed.record.seq}") if proposed is not None else _mono(digest)
    )


def _mono(value: str) -> Html:
    return h("bdi", value, class_="mono admin-id")


def _story(story: Story, say: Say) -> Html:
    if len(story.steps) < 2:
        return Html()
    steps = (_step(one, story, say) for one in story.steps)
    heading = h("h3", say("admin.audit.story"), id="story")
    way = _stages(story, say) if story.entry.record.object.startswith("interrupt:") else Html()
    return h(
        "section",
        heading,
        way,
        h("ol", *steps, class_="stack admin-story"),
        class_="stack",
        aria_labelledby="story",
    )


def _stages(story: Story, say: Say) -> Html:
    done = {step.record.action for step in story.steps}
    stages = (_stage(name, say, done.intersection(acts)) for name, acts in STAGES.items())
    return h("ol", *stages, class_="trail", aria_label=say("admin.audit.story"))


def _stage(name: str, say: Say, acts: Collection[str]) -> Html:
    words = say(f"admin.audit.stage.{name}")
    if FAILED in acts:
        return h("li", h("span", icon("circle-x"), say("admin.run.failed"), class_="st st-danger"))
    if acts:
        return h("li", icon("check"), words)
    not_yet = h("span", say("admin.audit.not_yet"), class_="sr")
    return h("li", icon("circle-dashed"), words, not_yet, class_="off")


def _step(step: Entry, story: Story, say: Say) -> Html:
    record = step.record
    here = "true" if record.seq == story.entry.record.seq else False
    number = h("a", whole(record.seq), href=f"/admin/audit/{record.seq}", aria_current=here)
    line = h("p", number, " ", h("b", code("admin.act", record.action, say)), " · ", who(step, say))
    at = h("p", moment(record.at), class_="faint")
    reason = h("p", h("bdi", record.reason)) if record.reason else Html()
    told = facts(*_told(step, story, say, but=SHARED))
    return h("li", line, at, reason, told, id=f"entry-{record.seq}")
