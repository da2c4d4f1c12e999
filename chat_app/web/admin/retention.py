"""`/admin/retention`: how long chats are kept, what is over, and erasing that now."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chat_app.services.holder import current
from chat_app.services.keeping import BadDays, Moved
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin.desk import Admin, form_of, go, one_of
from chat_app.web.admin_doors import RetentionPage

TROUBLE = (BadDays, Moved)


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [
        Route("/admin/retention", admin.page(retention)),
        Route("/admin/retention/run", admin.page(run), methods=["POST"]),
        Route("/admin/retention/{agent}", admin.page(keep), methods=["POST"]),
    ]


async def retention(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show what is kept how long, and what would be erased now."""
    return await _shown(admin, request, sign_in, done=request.query_params.get("done", ""))


async def keep(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Change how long chats with an agent are kept."""
    agent, days = request.path_params["agent"], one_of(await form_of(request), "days")
    try:
        await current().keeping.keep(sign_in.person, agent, days)
    except TROUBLE as error:
        return await _shown(admin, request, sign_in, trouble=type(error).__name__)
    return go("/admin/retention?done=kept")


async def run(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Erase what is over, if it is what the person agreed to."""
    try:
        await current().keeping.erase(sign_in.person, one_of(await form_of(request), "agreed"))
    except TROUBLE as error:
        return await _shown(admin, request, sign_in, trouble=type(error).__name__)
    return go("/admin/retention?done=erased")


async def _shown(
    admin: Admin, request: Request, sign_in: SignIn, *, done: str = "", trouble: str = ""
) -> Response:
    page = RetentionPage(outlook=await current().keeping.outlook(sign_in.person), done=done, trouble=trouble)
    return admin.shown(request, sign_in, page, 422 if trouble else 200)
