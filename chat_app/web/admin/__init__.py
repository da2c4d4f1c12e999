"""The pages for admins and auditors: plain HTML documents with forms, so that they need no socket and no script.

Whatever a person may not do is answered as what is not there. Forms are posted by the browser and answered by the next
page; the guard has judged Host and Origin before. Each place has a file here, one in `ui/admin`, its records in
`web/admin_doors` and its line in `PLACES` of `desk`.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chat_app.services.policy import Refused
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin import agents, audit, notifications, people, retention, runs, settings, threads, usage
from chat_app.web.admin.desk import Admin, go

__all__ = ["Admin", "routes"]


def routes(admin: Admin) -> list[Route]:
    """Return the routes of `/admin`."""
    return [
        Route("/admin", admin.page(_begin)),
        *threads.routes(admin),
        *runs.routes(admin),
        *audit.routes(admin),
        *usage.routes(admin),
        *people.routes(admin),
        *retention.routes(admin),
        *settings.routes(admin),
        *agents.routes(admin),
        *notifications.routes(admin),
    ]


async def _begin(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Go to the first place that is open to the person."""
    del request
    places = admin.places(sign_in.person)
    if not places:
        raise Refused
    return go(f"/admin/{places[0]}")
