"""`/admin/threads`: the threads of everybody, found by what they are and opened for a reason."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chat_app.services.holder import current
from chat_app.services.oversight import Asked
from chat_app.services.policy import claimed
from chat_app.services.problems import NoReason
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin.desk import Admin, form_of, go, one_of
from chat_app.web.admin_doors import ThreadPage, ThreadsPage

FILTERS: Final = ("user", "agent", "status", "tool", "words", "text", "since", "until", "after")


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [
        Route("/admin/threads", admin.page(threads)),
        Route("/admin/threads/{thread}", admin.page(thread)),
        Route("/admin/threads/{thread}/open", admin.page(open_thread), methods=["POST"]),
    ]


async def threads(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """List the threads of everybody."""
    given = {name: request.query_params.get(name, "") for name in FILTERS}
    asked, oversight = Asked(**given), current().oversight
    page = ThreadsPage(
        asked=asked,
        listed=await oversight.listed(sign_in.person, asked),
        agents=tuple(await oversight.agents(sign_in.person)),
        opens=oversight.opens,
    )
    return admin.shown(request, sign_in, page)


async def thread(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show what is known of a thread, and ask why it is to be opened."""
    oversight = current().oversight
    about = await oversight.about(sign_in.person, request.path_params["thread"])
    page = ThreadPage(about=about, opens=oversight.opens, run=request.query_params.get("run", ""))
    return admin.shown(request, sign_in, page)


async def open_thread(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Write down why, and go to the thread, or to the run that was looked for."""
    oversight, person, form = current().oversight, sign_in.person, await form_of(request)
    wanted, reason, run = request.path_params["thread"], one_of(form, "reason"), one_of(form, "run")
    try:
        opened = await oversight.open(person, wanted, reason)
    except NoReason:
        about = await oversight.about(person, wanted)
        page = ThreadPage(about=about, opens=True, run=run, reason=reason, trouble="NoReason")
        return admin.shown(request, sign_in, page, 422)
    return go(f"/admin/runs/{claimed(run)}" if run else f"/t/{opened}")
