"""`/admin/audit`: who did what, with filters, one entry with what became of it, and all of it as a file."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from chat_app.services.auditing import FORMS, Asked
from chat_app.services.holder import current
from chat_app.services.policy import Refused
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin.desk import NO_STORE, Admin, form_of, go, one_of
from chat_app.web.admin_doors import AuditPage, EntryPage

FILTERS: Final = tuple(one.name for one in fields(Asked))
MEDIA: Final[Mapping[str, str]] = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [
        Route("/admin/audit", admin.page(audit)),
        Route("/admin/audit/check", admin.page(check), methods=["POST"]),
        Route("/admin/audit/export", admin.page(export), methods=["POST"]),
        Route("/admin/audit/{entry}", admin.page(entry)),
    ]


async def audit(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """List entries of the audit."""
    asked, auditing = (
        Asked(**{name: request.query_params.get(name, "") for name in FILTERS}),
        current().auditing,
    )
    page = AuditPage(
        asked=asked,
        listed=await auditing.listed(sign_in.person, asked),
        agents=tuple(await auditing.agents(sign_in.person)),
    )
    return admin.shown(request, sign_in, page)


async def entry(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show one entry, with everything that was done to the same thing."""
    story = await current().auditing.story(sign_in.person, request.path_params["entry"])
    return admin.shown(request, sign_in, EntryPage(story))


async def check(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Compare the whole audit with its hashes."""
    del admin, request
    await current().auditing.check(sign_in.person)
    return go("/admin/audit")


async def export(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Hand out the entries that are asked for as a file, which is an entry itself: so it is posted."""
    del admin
    sent = await form_of(request)
    form = next((one for one in FORMS if one == one_of(sent, "form")), None)
    if form is None:
        raise Refused
    asked = Asked(**{name: one_of(sent, name) for name in FILTERS})
    lines = await current().auditing.file(sign_in.person, asked, form)
    headers = {**NO_STORE, "content-disposition": f'attachment; filename="audit.{form}"'}
    return StreamingResponse(lines, headers=headers, media_type=MEDIA[form])
