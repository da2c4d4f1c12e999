"""`/admin/runs`: what happened in a run, behind the same gate as reading its thread."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chat_app.services.holder import current
from chat_app.services.sign_ins import SignIn
from chat_app.services.timelines import Unopened
from chat_app.web.admin.desk import Admin, go
from chat_app.web.admin_doors import RunPage


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [Route("/admin/runs/{run}", admin.page(run))]


async def run(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show a run; who has not said yet why its thread is to be read is asked first."""
    wanted, after = request.path_params["run"], request.query_params.get("after", "")
    try:
        timeline = await current().timelines.of_run(sign_in.person, wanted, after)
    except Unopened as gate:
        return go(f"/admin/threads/{gate.thread}?run={wanted}")
    return admin.shown(request, sign_in, RunPage(timeline))
