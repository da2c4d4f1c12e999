"""The pages before and beside a session, as HTML that needs no script: sign-in, links that work once, one's account.

They are drawn on the server in the language of the browser, because nobody who is not signed in gets a socket. Every
text and attribute is escaped where it is put in.
"""

from functools import cache
from html import escape
from typing import Final, assert_never
from urllib.parse import quote

from chat_app.ui.document import STYLESHEETS
from chat_app.ui.words import WORDS
from chat_app.ui.words.catalogs import LANGUAGES, catalog
from chat_app.web.doors import AccountPage, Device, Door, JoinPage, OverPage, SignInPage, Trouble

VOID: Final = frozenset({"br", "input", "link", "meta"})
FEW: Final = 3
"""From how many tries on a person is told how many are left."""
BROWSERS: Final = {
    "Edg/": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "Mac",
    "Linux": "Linux",
}
# the theme chosen in the chat, before the first paint
THEME: Final = 'try { document.documentElement.classList.add(localStorage.getItem("theme") ?? "") } catch {}'


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


class Say:
    """The words of one language."""

    def __init__(self, code: str) -> None:
        """Speak the language of a code."""
        self.language = next(one for one in LANGUAGES if one.code == code)
        self._own = _catalog(code)

    def __call__(self, name: str, /, **values: object) -> str:
        """Return the words called `name`, with `values` in their gaps."""
        words = self._own.get(name) or WORDS[name]
        assert isinstance(words, str)  # these areas have no plurals
        return words.format_map(values) if values else words


@cache
def _catalog(code: str) -> dict[str, object]:
    return dict(catalog(next(one for one in LANGUAGES if one.code == code)))


def h(tag: str, *children: str, **attributes: object) -> Html:
    """Return an element. A name with an underscore is one with a dash, a last underscore goes; False is left out."""
    shown = "".join(
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for name, value in attributes.items()
        if value is not False and value is not None
    )
    if tag in VOID:
        return Html(f"<{tag}{shown}>")
    inner = "".join(child if isinstance(child, Html) else escape(child) for child in children)
    return Html(f"<{tag}{shown}>{inner}</{tag}>")


def draw(page: Door, language: str) -> str:
    """Return a whole document that shows `page` in the language of that code."""
    say = Say(language)
    title, body = _drawn(page, say)
    return f"<!doctype html>{document(title, body, say)}"


def _drawn(page: Door, say: Say) -> tuple[str, Html]:
    match page:
        case SignInPage():
            return _sign_in(page, say)
        case JoinPage():
            return _join(page, say)
        case OverPage():
            return _over(say)
        case AccountPage():
            return _account(page, say)
        case _:
            assert_never(page)


def document(title: str, body: Html, say: Say) -> Html:
    """Return the whole page around a body."""
    head = h(
        "head",
        h("meta", charset="utf-8"),
        h("meta", name="viewport", content="width=device-width, initial-scale=1"),
        h("meta", name="color-scheme", content="light dark"),
        h("title", f"{title} · {say('app')}"),
        h("script", Html(THEME)),
        h("link", rel="icon", href="/favicon.svg", type="image/svg+xml"),
        *(h("link", rel="stylesheet", href=f"/{sheet}") for sheet in STYLESHEETS),
    )
    return h("html", head, h("body", body), lang=say.language.code, dir=say.language.direction)


# ---------------------------------------------------------------- pages


def _sign_in(page: SignInPage, say: Say) -> tuple[str, Html]:
    title = say("gate.sign_in")
    wrong = page.trouble is not None and page.password
    form = h(
        "form",
        h("input", type="hidden", name="back", value=page.back),
        _field(say("gate.name"), "name", "text", "username", value=page.name, focus=not wrong),
        _field(
            say("gate.password"),
            "password",
            "password",
            "current-password",
            wrong=page.trouble,
            say=say,
            focus=wrong,
        ),
        _button(title),
        method="post",
        action="/auth/sign-in",
        class_="stack gate-fields",
    )
    provider = h(
        "a",
        icon("key-round"),
        say("gate.provider", name=page.provider),
        href=f"/auth/provider?back={quote(page.back, safe='')}",
        class_="btn gate-button",
    )
    alone = [_said(page.trouble, say)] if page.trouble and not page.password else []
    parts = [*([form] if page.password else []), *alone]
    if page.provider:
        parts += [h("div", say("gate.or"), class_="or")] if page.password else []
        parts.append(provider)
    return title, _gate(title, *parts, h("p", say("gate.no_account"), class_="hint"), say=say)


def _join(page: JoinPage, say: Say) -> tuple[str, Html]:
    title = say(f"gate.{page.kind}")
    about = [h("p", say("gate.first_admin.detail"), class_="hint")] if page.kind == "first_admin" else []
    named = h("p", say("gate.for", name=page.name), class_="hint", dir="auto")
    typed = _field(say("gate.name"), "name", "text", "username", value=page.typed, focus=True)
    known = Html(named + h("input", type="hidden", name="username", value=page.name, autocomplete="username"))
    form = h(
        "form",
        h("input", type="hidden", name="token", value=page.token),
        known if page.name else typed,
        _field(
            say("gate.new_password"),
            "password",
            "password",
            "new-password",
            wrong=page.trouble,
            say=say,
            hint=say("gate.rule"),
            focus=bool(page.name),
        ),
        _button(say("gate.set" if page.kind == "reset" else "gate.make")),
        method="post",
        action="/auth/join",
        class_="stack gate-fields",
    )
    return title, _gate(title, *about, form, say=say)


def _over(say: Say) -> tuple[str, Html]:
    title = say("gate.over")
    back = h("a", say("gate.sign_in"), href="/sign-in", class_="btn gate-button")
    return title, _gate(title, h("p", say("gate.over.detail"), class_="hint"), back, say=say)


def _account(page: AccountPage, say: Say) -> tuple[str, Html]:
    title = say("account.title")
    roles = say("account.roles", roles=", ".join(page.roles))
    parts = [h("p", say("account.signed_in", name=page.name), " ", roles, class_="hint", dir="auto")]
    if page.single:
        parts.append(h("p", say("account.single"), class_="hint"))
    if page.done:
        parts.append(h("p", say(f"account.{page.done}"), class_="hint", role="status"))
    if page.trouble is not None and page.trouble.kind == "Refused":
        parts.append(_said(page.trouble, say))
    parts.append(_devices(page, say))
    if page.sends_mail:
        parts.append(_mail(page, say))
    if page.has_password:
        parts.append(_password(page, say))
    if page.provider:
        parts.append(_provider(page, say))
    parts.append(h("a", say("account.back"), href="/", class_="btn gate-button"))
    return title, _gate(title, *parts, say=say)


def _devices(page: AccountPage, say: Say) -> Html:
    lines = h(
        "ul", *(_device(one, say, single=page.single) for one in page.devices), class_="stack gate-list"
    )
    others = (
        _post("/auth/end", say("account.end_others"), sign_in="others") if len(page.devices) > 1 else Html()
    )
    heading = h("h2", say("account.sign_ins"), id="sign-ins")
    return h("section", heading, lines, others, class_="stack", aria_labelledby="sign-ins")


def _device(one: Device, say: Say, *, single: bool) -> Html:
    name = called(one.device) or say("account.unknown")
    shown = h(
        "span",
        h("b", say("account.this")) if one.mine else name,
        class_="grow cut",
        title=one.device,
        dir="auto",
    )
    day = one.last_seen.replace("T", " ")[:16]
    seen = h(
        "span", say("account.last_seen"), " ", h("time", f"{day} UTC", datetime=one.last_seen), class_="muted"
    )
    action = "/auth/sign-out" if one.mine else "/auth/end"
    label = say("account.end.of", device=say("account.this") if one.mine else name)
    end = Html() if single else _post(action, say("account.end"), spoken=label, sign_in=one.id)
    return h("li", h("span", shown, h("br"), seen, class_="grow gate-device"), end, class_="gate-line")


def called(device: str) -> str:
    """Return what people call a browser that calls itself `device` (a User-Agent); as it is when nobody would know."""
    browser = next((name for mark, name in BROWSERS.items() if mark in device), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in device), "")
    return f"{browser}, {system}" if browser and system else browser or device


def _provider(page: AccountPage, say: Say) -> Html:
    act = "disconnect" if page.connected else "connect"
    return h(
        "section",
        h("h2", page.provider, id="provider", dir="auto"),
        h("p", say(f"account.{act}.about", provider=page.provider), class_="hint", dir="auto"),
        _post(f"/auth/{act}", say(f"account.{act}", provider=page.provider)),
        class_="stack",
        aria_labelledby="provider",
    )


def _mail(page: AccountPage, say: Say) -> Html:
    heading = h("h2", say("account.mail"), id="mail")
    if not page.mail:
        none = h("p", say("account.mail.none"), class_="hint")
        return h("section", heading, none, class_="stack", aria_labelledby="mail")
    about = h("p", say("account.mail.to", address=page.mail), class_="hint", dir="auto")
    name, value = ("account.mail.off", "no") if page.mail_wanted else ("account.mail.on", "yes")
    turn = _post("/auth/mail", say(name), wanted=value)
    return h("section", heading, about, turn, class_="stack", aria_labelledby="mail")


def _password(page: AccountPage, say: Say) -> Html:
    wrong = None if page.trouble is None or page.trouble.kind == "Refused" else page.trouble
    form = h(
        "form",
        h("input", type="hidden", name="username", value=page.name, autocomplete="username"),
        _field(say("account.old_password"), "old", "password", "current-password"),
        _field(
            say("gate.new_password"),
            "password",
            "password",
            "new-password",
            wrong=wrong,
            say=say,
            hint=say("gate.rule"),
        ),
        _button(say("account.change")),
        method="post",
        action="/auth/password",
        class_="stack gate-fields",
    )
    heading = h("h2", say("account.password"), id="change")
    return h("section", heading, form, class_="stack", aria_labelledby="change")


# ---------------------------------------------------------------- pieces


def _gate(title: str, *parts: Html, say: Say) -> Html:
    form = h("div", h("div", _brand(say("app")), h("h1", title), *parts), class_="gate-form")
    motto = h("p", say("gate.motto"), class_="muted gate-motto")
    side = h("div", h("div", _example(say), motto, class_="gate-record"), class_="gate-side")
    return h("main", form, side, class_="gate")


def _example(say: Say) -> Html:
    """Draw the record of a decision, as an example of what is kept."""
    steps = (say(f"gate.example.{step}") for step in ("proposed", "decided", "resumed", "done"))
    trail = h("ol", *(h("li", icon("check"), step) for step in steps), class_="trail")
    top = h(
        "div",
        icon("circle-check"),
        h("b", say("gate.example.verdict")),
        h("span", say("gate.example.by"), class_="muted"),
        class_="ask-top",
    )
    main = h("div", h("p", say("gate.example.question"), class_="ask-q"), trail, class_="ask-main")
    return h("section", top, main, class_="ask is-done", aria_label=say("gate.example"))


def _brand(name: str) -> Html:
    halves = (
        h("path", d="M9 2a8 8 0 0 0 0 16z", fill="var(--text)"),
        h(
            "path",
            d="M11.75 3.2a7 7 0 0 1 0 13.6z",
            fill="none",
            stroke="var(--accent-text)",
            stroke_width="1.75",
            stroke_linejoin="round",
        ),
    )
    return h(
        "div", h("svg", *halves, viewBox="0 0 20 20", aria_hidden="true"), name, class_="brand gate-brand"
    )


def icon(name: str) -> Html:
    """Draw a symbol of `icons.svg` that says nothing by itself."""
    return h("svg", h("use", href=f"/icons.svg#{name}"), class_="i", aria_hidden="true")


def _field(  # noqa: PLR0913 - the parts of a field
    label: str,
    name: str,
    kind: str,
    autocomplete: str,
    *,
    value: str = "",
    wrong: Trouble | None = None,
    say: Say | None = None,
    hint: str = "",
    focus: bool = False,
) -> Html:
    below = _said(wrong, say, name) if wrong is not None and say is not None else Html()
    if hint and not below:
        below = h("p", hint, class_="hint", id=f"{name}-about")
    control = h(
        "input",
        id=name,
        name=name,
        type=kind,
        value=value or False,
        autocomplete=autocomplete,
        required=True,
        autofocus=focus,
        aria_invalid="true" if wrong else False,
        aria_describedby=f"{name}-about" if below else False,
        class_="input gate-input",
    )
    return h("div", h("label", label, for_=name), control, below, class_="field")


def _said(trouble: Trouble, say: Say, name: str = "page") -> Html:
    words = say(f"gate.trouble.{trouble.kind}")
    if trouble.left is not None and trouble.left <= FEW:
        words += f" {say('gate.tries', count=trouble.left)}"
    if trouble.seconds:
        words += f" {say('gate.wait', count=trouble.seconds)}"
    return h("p", icon("circle-alert"), words, class_="err", id=f"{name}-about", role="alert")


def _button(label: str) -> Html:
    return h("button", label, type="submit", class_="btn btn-solid gate-button")


def _post(action: str, label: str, *, spoken: str = "", **values: str) -> Html:
    hidden = (h("input", type="hidden", name=name, value=value) for name, value in values.items())
    button = h("button", label, type="submit", class_="btn btn-sm", aria_label=spoken or False)
    return h("form", *hidden, button, method="post", action=action)
