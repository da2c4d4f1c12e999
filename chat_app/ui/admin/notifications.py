"""Where notices go: webhooks and mail, each with a test, and what became of those that were sent."""

from typing import Final

from chat_app.services.notices import KINDS, STATES, Line, Overview, WebhookRecord
from chat_app.ui.admin.frame import act, code, done, field, moment, table, text, whole
from chat_app.ui.gate import Html, Say, h, icon
from chat_app.web.admin_doors import NoticesPage

HERE: Final = "/admin/notifications"
LOOKS: Final = {
    "waiting": ("clock", "st st-wait"),
    "sent": ("check", "st"),
    "failed": ("circle-x", "st st-danger"),
    "dropped": ("circle-dashed", "st"),
}
CHANNELS: Final = {"webhook": "webhook", "mail": "mail", "added": "added"}


def notifications(page: NoticesPage, say: Say) -> Html:
    """Draw everything of this place."""
    said = [
        _secret(page.secret, say) if page.secret else Html(),
        _outcome(page.outcome, say) if page.outcome else Html(),
        done(say("admin.done")) if page.done else Html(),
    ]
    top = h("div", *said, _hooks(page.seen, say), class_="admin-body admin-wide stack")
    below = h("div", _new(page, say), _mail(page, say), class_="admin-body stack")
    return Html(top + below + _sent(page, say))


# ---------------------------------------------------------------- webhooks


def _hooks(seen: Overview, say: Say) -> Html:
    heading = h("h2", say("notices.hooks"), id="hooks")
    about = h("p", say("notices.about"), class_="hint")
    if not seen.hooks:
        empty = h("p", say("notices.hooks.none"), class_="hint")
        return h("section", heading, about, empty, class_="stack", aria_labelledby="hooks")
    lines = h("ul", *(_hook(one, say) for one in seen.hooks), class_="stack gate-list")
    return h("section", heading, about, lines, class_="stack", aria_labelledby="hooks")


def _hook(hook: WebhookRecord, say: Say) -> Html:
    path, name = f"{HERE}/webhooks/{hook.id}", h("b", h("bdi", hook.name))
    state = (
        h("span", icon("check"), say("admin.on"), class_="st")
        if hook.enabled
        else h("span", icon("ban"), say("admin.off"), class_="st st-danger")
    )
    kinds = ", ".join(say(f"notices.kind.{kind}") for kind in hook.kinds)
    masked = h("p", h("bdi", f"{hook.place}/…"), " · ", say("notices.secret.kept"), class_="muted mono")
    turn = "disable" if hook.enabled else "enable"
    acts = (
        _act(path, "test", hook.name, say),
        _act(path, "rotate", hook.name, say),
        act(path, say(f"admin.turn.{turn}"), act=turn),
        _act(path, "drop", hook.name, say, look="btn btn-sm btn-danger"),
    )
    told = h("p", say("notices.kinds"), ": ", kinds or say("notices.kinds.none"), class_="muted")
    buttons = h("div", *acts, class_="row admin-ways")
    return h("li", h("p", name, " ", state), masked, told, buttons, class_="stack")


def _act(path: str, what: str, name: str, say: Say, *, look: str = "btn btn-sm") -> Html:
    hidden = h("input", type="hidden", name="act", value=what)
    spoken = f"{say(f'notices.{what}')}: {name}"
    button = h("button", say(f"notices.{what}"), type="submit", class_=look, aria_label=spoken)
    return h("form", hidden, button, method="post", action=path)


def _new(page: NoticesPage, say: Say) -> Html:
    boxes = (
        h(
            "label",
            h(
                "input",
                type="checkbox",
                name="kind",
                value=kind,
                checked=not page.written.kinds or kind in page.written.kinds,
            ),
            say(f"notices.kind.{kind}"),
            class_="row",
        )
        for kind in KINDS
    )
    kinds = h("fieldset", h("legend", say("notices.kinds"), class_="lbl"), *boxes, class_="field admin-roles")
    wrong = _wrong(page.wrong, say) if page.wrong and page.wrong != "mail" else Html()
    form = h(
        "form",
        field(say("admin.name"), text("name", page.written.name, required=True)),
        field(
            say("admin.address"), text("url", page.written.url, required=True), about=say("notices.url.about")
        ),
        kinds,
        wrong,
        h("button", say("notices.add"), type="submit", class_="btn btn-solid"),
        method="post",
        action=f"{HERE}/add",
    )
    return h("section", h("h2", say("notices.new"), id="new"), form, class_="stack", aria_labelledby="new")


def _wrong(name: str, say: Say) -> Html:
    return h("p", icon("circle-alert"), say(f"notices.wrong.{name}"), class_="err", role="alert")


def _secret(secret: str, say: Say) -> Html:
    shown = h("input", value=secret, readonly=True, class_="input mono", aria_label=say("notices.secret"))
    return h(
        "div",
        icon("key-round"),
        h("div", h("p", say("notices.secret.once")), shown),
        class_="note",
        role="status",
    )


# ---------------------------------------------------------------- mail


def _mail(page: NoticesPage, say: Say) -> Html:
    seen = page.seen
    parts = [h("h2", say("notices.mail"), id="mail")]
    if seen.mail:
        parts += [
            h("p", say("notices.mail.by"), " ", h("bdi", seen.mail, class_="mono")),
            act(f"{HERE}/mail", say("notices.mail.test")),
            h("p", say("notices.mail.about"), class_="hint"),
        ]
    else:
        parts.append(h("p", say("notices.mail.none"), class_="hint"))
    if page.wrong == "mail":
        parts.append(_wrong("mail", say))
    if seen.added:
        parts.append(h("p", say("notices.added"), " ", h("bdi", ", ".join(seen.added))))
    return h("section", *parts, class_="stack", aria_labelledby="mail")


# ---------------------------------------------------------------- what was sent


def _sent(page: NoticesPage, say: Say) -> Html:
    heads = (
        (say("notices.what"), ""),
        (say("notices.to"), ""),
        (say("admin.status"), ""),
        (say("notices.tries"), "opt num"),
        (say("notices.when"), "opt"),
        (say("notices.again"), ""),
    )
    heading = h("h2", say("notices.sent"), class_="admin-note")
    if not page.seen.lines:
        return h("div", heading, h("p", say("admin.none"), class_="admin-note hint"))
    ways = h("p", *_ways(page, say), class_="admin-note row admin-ways")
    listed = table(say("notices.sent"), heads, (_row(one, say) for one in page.seen.lines))
    return h("div", heading, ways, listed)


def _ways(page: NoticesPage, say: Say) -> list[Html]:
    """Draw the ways to the deliveries of each state, with how many there are."""
    every = [("", say("admin.any"), sum(page.seen.counts.values()))]
    states = [(state, say(f"notices.state.{state}"), page.seen.counts.get(state, 0)) for state in STATES]
    return [
        h(
            "a",
            f"{words} ({whole(number)})",
            href=f"{HERE}?state={state}" if state else HERE,
            aria_current="true" if state == page.state else False,
        )
        for state, words, number in every + states
    ]


def _row(line: Line, say: Say) -> Html:
    one = line.delivery
    symbol, look = LOOKS[one.state]
    state = h("span", icon(symbol), say(f"notices.state.{one.state}"), class_=look)
    said = h("br") + _outcome_words(one.outcome, say) if one.outcome else Html()
    again = one.state in ("failed", "dropped") and one.kind != "test"
    button = act(f"{HERE}/sent/{one.id}", say("notices.again")) if again else Html()
    return h(
        "tr",
        h("td", say(f"notices.kind.{one.kind}")),
        h("td", say(f"notices.channel.{one.channel}"), " ", h("bdi", line.to)),
        h("td", state, Html(said)),
        h("td", whole(one.attempts), class_="opt num"),
        h("td", moment(one.created), class_="opt"),
        h("td", button),
    )


def _outcome(outcome: str, say: Say) -> Html:
    good = outcome == "taken" or outcome.startswith("http:2")
    symbol, role = ("check", "status") if good else ("circle-alert", "alert")
    look = "hint" if good else "err"
    return h(
        "p", icon(symbol), say("notices.tested"), " ", _outcome_words(outcome, say), class_=look, role=role
    )


def _outcome_words(outcome: str, say: Say) -> Html:
    """Say how a try went: an answer by its number, anything else by its code."""
    kind, _, number = outcome.partition(":")
    if kind == "http" and number.isdigit():
        return h("span", say(f"notices.http.{number[0]}", status=number))
    if kind == "smtp" and number.isdigit():
        return h("span", say("notices.smtp", status=number))
    return code("notices.outcome", outcome, say)
