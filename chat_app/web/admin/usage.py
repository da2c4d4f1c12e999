"""`/admin/usage`: what was used by day, agent and person, to look at and to take away."""

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from chat_app.services.holder import current
from chat_app.services.policy import Refused
from chat_app.services.sign_ins import SignIn
from chat_app.services.usage import GROUPS
from chat_app.web.admin.desk import NO_STORE, Admin
from chat_app.web.admin_doors import UsagePage


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [
        Route("/admin/usage", admin.page(usage)),
        Route("/admin/usage/{group}", admin.page(export)),
    ]


async def usage(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show what was used in the days that are asked for."""
    report = await current().usage.report(sign_in.person, *_days(request))
    return admin.shown(request, sign_in, UsagePage(report))


async def export(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Hand out the same as a file, one line for each of a group."""
    del admin
    group = next((one for one in GROUPS if one == request.path_params["group"]), None)
    if group is None:
        raise Refused
    lines = await current().usage.file(sign_in.person, group, *_days(request))
    headers = {**NO_STORE, "content-disposition": f'attachment; filename="usage-by-{group}.csv"'}
    return StreamingResponse(lines, headers=headers, media_type="text/csv; charset=utf-8")


def _days(request: Request) -> tuple[str, str]:
    return request.query_params.get("since", ""), request.query_params.get("until", "")
