"""Everybody who may come in, and one person with their sign-ins."""

from collections.abc import Collection

from chat_app.services.people import AuthSessionRecord, UserRecord
from chat_app.services.rules import EVERY_ROLE
from chat_app.services.viewing import LONGEST_REASON
from chat_app.ui.admin.frame import act, done, field, link_once, moment, table, text, trouble
from chat_app.ui.gate import Html, Say, called, h, icon
from chat_app.web.admin_doors import PeoplePage, PersonPage


def people(page: PeoplePage, say: Say) -> Html:
    """Draw everybody, and the form that invites somebody."""
    heads = (
        (say("admin.person"), ""),
        (say("admin.sign_in_name"), "opt"),
        (say("admin.roles"), ""),
        (say("admin.access"), ""),
    )
    link = link_once(page.link, say) if page.link else Html()
    form = h(
        "form",
        field(say("admin.name"), text("name", page.name), about=say("admin.name.about")),
        _roles(page.roles, say),
        trouble(page.trouble, say),
        h("button", say("admin.invite.make"), type="submit", class_="btn btn-solid"),
        method="post",
        action="/admin/people/invite",
        class_="stack",
    )
    invite = h(
        "section", h("h2", say("admin.invite"), id="invite"), form, class_="stack", aria_labelledby="invite"
    )
    listed = table(say("admin.people"), heads, (_row(one, say) for one in page.people))
    return Html(h("div", link, invite, class_="admin-body stack") + listed)


def _row(user: UserRecord, say: Say) -> Html:
    return h(
        "tr",
        h("td", h("a", h("bdi", user.display_name), href=f"/admin/people/{user.id}")),
        h("td", h("bdi", user.name), class_="opt"),
        h("td", ", ".join(say(f"admin.role.{role}") for role in user.roles)),
        h("td", _access(user, say)),
    )


def _access(user: UserRecord, say: Say) -> Html:
    if user.active:
        return h("span", icon("check"), say("admin.active"), class_="st")
    return h("span", icon("ban"), say("admin.disabled"), class_="st st-danger")


def _roles(held: Collection[str], say: Say) -> Html:
    boxes = (
        h(
            "label",
            h("input", type="checkbox", name="role", value=role, checked=role in held),
            say(f"admin.role.{role}"),
            class_="row",
        )
        for role in EVERY_ROLE
    )
    return h("fieldset", h("legend", say("admin.roles"), class_="lbl"), *boxes, class_="field admin-roles")


def person(page: PersonPage, say: Say) -> Html:
    """Draw one person, and what can be done about them."""
    user, path = page.person, f"/admin/people/{page.person.id}/change"
    back = h("a", icon("chevron-left"), say("admin.people"), href="/admin/people")
    head = h("h2", h("bdi", user.display_name), " ", _access(user, say))
    said = [
        link_once(page.link, say) if page.link else Html(),
        done(say("admin.done")) if page.done else Html(),
        trouble(page.trouble, say),
    ]
    return h(
        "div",
        h("p", back),
        head,
        *said,
        _change_roles(user, path, say),
        _way_in(user, path, say),
        _mail(page, path, say) if page.sends_mail or page.mail else Html(),
        _sign_ins(page.sign_ins, path, say),
        _leaving(user, path, say),
        class_="admin-body stack admin-person",
    )


def _section(name: str, *parts: Html, say: Say) -> Html:
    heading = h("h3", say(f"admin.{name}"), id=name)
    return h("section", heading, *parts, class_="stack", aria_labelledby=name)


def _change_roles(user: UserRecord, path: str, say: Say) -> Html:
    return _section("roles", act(path, say("admin.save"), _roles(user.roles, say), act="roles"), say=say)


def _way_in(user: UserRecord, path: str, say: Say) -> Html:
    turn = ("disable", "btn btn-sm btn-danger") if user.active else ("enable", "btn btn-sm")
    reset = act(path, say("admin.reset"), act="reset")
    switch = act(path, say(f"admin.{turn[0]}"), look=turn[1], act=turn[0])
    return _section("access", h("div", reset, switch, class_="row"), say=say)


def _mail(page: PersonPage, path: str, say: Say) -> Html:
    address = field(say("admin.mail.address"), text("address", page.mail), about=say("admin.mail.about"))
    return _section("mail", act(path, say("admin.save"), address, act="mail"), say=say)


def _sign_ins(held: tuple[AuthSessionRecord, ...], path: str, say: Say) -> Html:
    if not held:
        return _section("sign_ins", h("p", say("admin.sign_ins.none"), class_="hint"), say=say)
    lines = (_sign_in(one, path, say) for one in held)
    every = act(path, say("admin.sign_out"), act="sign_out")
    return _section("sign_ins", h("ul", *lines, class_="stack gate-list"), every, say=say)


def _sign_in(one: AuthSessionRecord, path: str, say: Say) -> Html:
    name = called(one.device) or say("account.unknown")
    seen = h("span", say("account.last_seen"), " ", moment(one.last_seen), class_="muted")
    device = h("span", name, h("br"), seen, class_="grow gate-device", title=one.device, dir="auto")
    end = act(path, say("account.end.of", device=name), act="end", sign_in=one.id)
    return h("li", device, end, class_="gate-line")


def _leaving(user: UserRecord, path: str, say: Say) -> Html:
    export = h(
        "a",
        icon("download"),
        say("admin.export"),
        href=f"/admin/people/{user.id}/export",
        class_="btn btn-sm",
        download=True,
    )
    why = field(
        say("admin.erase.reason"),
        text("reason", required=True, maxlength=LONGEST_REASON),
        about=say("admin.erase.about"),
    )
    erase = act(path, say("admin.erase"), why, look="btn btn-sm btn-danger", act="erase")
    return _section("leaving", h("p", export), erase, say=say)
