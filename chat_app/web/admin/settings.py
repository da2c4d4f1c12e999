"""`/admin/settings`: the settings in force, with where each came from."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chat_app.services.policy import Action
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin.desk import Admin
from chat_app.web.admin_doors import SettingsPage


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [Route("/admin/settings", admin.page(settings))]


async def settings(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show the settings in force."""
    admin.policy.require(sign_in.person, Action.SEE_SETTINGS)
    return admin.shown(request, sign_in, SettingsPage(admin.lines))
