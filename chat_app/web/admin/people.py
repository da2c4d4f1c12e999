"""`/admin/people`: who may come in, invited and looked after."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from chat_app.services.holder import current
from chat_app.services.policy import Person, Refused
from chat_app.services.problems import BadName, BadNotice, Busy, ChatError, LastAdmin, NameTaken, NoReason
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin.desk import NO_STORE, Admin, Form, form_of, go, one_of
from chat_app.web.admin_doors import PeoplePage, PersonPage

TROUBLE: Final = (BadName, BadNotice, Busy, LastAdmin, NameTaken, NoReason)


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [
        Route("/admin/people", admin.page(people)),
        Route("/admin/people/invite", admin.page(invite), methods=["POST"]),
        Route("/admin/people/{user}", admin.page(person)),
        Route("/admin/people/{user}/change", admin.page(change_person), methods=["POST"]),
        Route("/admin/people/{user}/export", admin.page(export_person)),
    ]


async def people(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """List everybody."""
    return await _everybody(admin, request, sign_in)


async def invite(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Make a link that makes an account, and show it once."""
    form = await form_of(request)
    name, roles = one_of(form, "name"), tuple(form.get("role", ()))
    try:
        token = await current().people.invite(sign_in.person, roles or ("user",), name=name)
    except TROUBLE as error:
        return await _everybody(admin, request, sign_in, error=error, name=name, roles=roles)
    return await _everybody(admin, request, sign_in, link=admin.link(token))


async def person(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show one person."""
    return await _one_person(admin, request, sign_in, done=request.query_params.get("done", ""))


async def change_person(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Do what a form about one person asks for."""
    form, user = await form_of(request), request.path_params["user"]
    act = ACTS.get(one_of(form, "act"))
    if act is None:
        raise Refused
    try:
        token = await act(sign_in.person, user, form)
    except TROUBLE as error:
        return await _one_person(admin, request, sign_in, error=error)
    if token:
        return await _one_person(admin, request, sign_in, link=admin.link(token))
    gone = one_of(form, "act") == "erase"
    return go("/admin/people" if gone else f"/admin/people/{user}?done=yes")


async def export_person(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Hand out everything of a person as a file."""
    del admin
    user = request.path_params["user"]
    text = await current().departures.export(sign_in.person, user)
    headers = {**NO_STORE, "content-disposition": f'attachment; filename="person-{user}.jsonl"'}
    return PlainTextResponse(text, headers=headers, media_type="application/x-ndjson")


async def _everybody(  # noqa: PLR0913 - the parts of one page
    admin: Admin,
    request: Request,
    sign_in: SignIn,
    *,
    link: str = "",
    error: ChatError | None = None,
    name: str = "",
    roles: tuple[str, ...] = ("user",),
) -> Response:
    page = PeoplePage(
        people=await current().people.every(sign_in.person),
        link=link,
        trouble=type(error).__name__ if error else "",
        name=name,
        roles=roles,
    )
    return admin.shown(request, sign_in, page, 422 if error else 200)


async def _one_person(  # noqa: PLR0913 - the parts of one page
    admin: Admin,
    request: Request,
    sign_in: SignIn,
    *,
    link: str = "",
    done: str = "",
    error: ChatError | None = None,
) -> Response:
    people, user = current().people, request.path_params["user"]
    found = await people.one(sign_in.person, user)
    mail = await current().mailboxes.of(sign_in.person, user)
    page = PersonPage(
        person=found,
        mail=mail.address if mail is not None else "",
        sends_mail=current().mailboxes.sends,
        sign_ins=await people.sign_ins(sign_in.person, user),
        link=link,
        done=done,
        trouble=type(error).__name__ if error else "",
    )
    return admin.shown(request, sign_in, page, 422 if error else 200)


Act = Callable[[Person, str, Form], Awaitable[str]]


async def _give_roles(by: Person, user: str, form: Form) -> str:
    await current().people.set_roles(by, user, form.get("role", []))
    return ""


async def _disable(by: Person, user: str, form: Form) -> str:
    del form
    await current().people.set_active(by, user, active=False)
    return ""


async def _enable(by: Person, user: str, form: Form) -> str:
    del form
    await current().people.set_active(by, user, active=True)
    return ""


async def _reset(by: Person, user: str, form: Form) -> str:
    del form
    return await current().people.reset(by, user)


async def _mail(by: Person, user: str, form: Form) -> str:
    await current().mailboxes.put(by, user, one_of(form, "address"))
    return ""


async def _sign_out(by: Person, user: str, form: Form) -> str:
    del form
    await current().people.end_sign_ins(by, user)
    return ""


async def _end(by: Person, user: str, form: Form) -> str:
    await current().people.end_sign_in(by, user, one_of(form, "sign_in"))
    return ""


async def _erase(by: Person, user: str, form: Form) -> str:
    await current().departures.erase(by, user, one_of(form, "reason"))
    return ""


ACTS: Final[Mapping[str, Act]] = {
    "roles": _give_roles,
    "disable": _disable,
    "enable": _enable,
    "reset": _reset,
    "mail": _mail,
    "sign_out": _sign_out,
    "end": _end,
    "erase": _erase,
}
"""What a form about one person may ask for; where it makes a link, the token of that comes back."""
