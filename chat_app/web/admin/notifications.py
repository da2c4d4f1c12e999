"""`/admin/notifications`: where notices go, tried at once, and what became of those that were sent."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chat_app.services.holder import current
from chat_app.services.notices import WrittenHook
from chat_app.services.policy import Person, Refused
from chat_app.services.problems import BadNotice, HeadersLost
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin.desk import Admin, Form, form_of, go, one_of
from chat_app.web.admin_doors import NoticesPage

HERE: Final = "/admin/notifications"


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [
        Route(HERE, admin.page(notices)),
        Route(f"{HERE}/add", admin.page(add_hook), methods=["POST"]),
        Route(f"{HERE}/mail", admin.page(test_mail), methods=["POST"]),
        Route(f"{HERE}/webhooks/{{hook}}", admin.page(change_hook), methods=["POST"]),
        Route(f"{HERE}/sent/{{delivery}}", admin.page(send_again), methods=["POST"]),
    ]


async def notices(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show webhooks, mail, and what was sent."""
    return await _shown(admin, request, sign_in, done=request.query_params.get("done", ""))


async def add_hook(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Add a webhook, and show its secret once."""
    written = _written(await form_of(request))
    try:
        secret = await current().notices.add(sign_in.person, written)
    except BadNotice as error:
        return await _shown(admin, request, sign_in, written=written, wrong=error.field)
    return await _shown(admin, request, sign_in, secret=secret)


async def change_hook(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Do what a form about one webhook asks for."""
    form, hook = await form_of(request), request.path_params["hook"]
    try:
        secret, outcome = await _change(sign_in.person, hook, one_of(form, "act"))
    except HeadersLost:
        return await _shown(admin, request, sign_in, wrong="lost")
    if secret or outcome:
        return await _shown(admin, request, sign_in, secret=secret, outcome=outcome)
    return go(f"{HERE}?done=yes")


async def test_mail(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Send a mail to who asks."""
    try:
        outcome = await current().notices.test_mail(sign_in.person)
    except BadNotice as error:
        return await _shown(admin, request, sign_in, wrong=error.field)
    return await _shown(admin, request, sign_in, outcome=outcome)


async def send_again(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Try anew what was given up."""
    del admin
    await current().notices.again(sign_in.person, request.path_params["delivery"])
    return go(f"{HERE}?done=yes")


async def _change(by: Person, hook: str, act: str) -> tuple[str, str]:
    """Do one thing to a webhook; returns a secret to show once, and how a test went."""
    book = current().notices
    match act:
        case "rotate":
            return await book.rotate(by, hook), ""
        case "test":
            return "", await book.test(by, hook)
        case "enable" | "disable":
            await book.switch(by, hook, enabled=act == "enable")
        case "drop":
            await book.drop(by, hook)
        case _:
            raise Refused
    return "", ""


async def _shown(  # noqa: PLR0913 - the parts of one page
    admin: Admin,
    request: Request,
    sign_in: SignIn,
    *,
    written: WrittenHook | None = None,
    wrong: str = "",
    secret: str = "",
    outcome: str = "",
    done: str = "",
) -> Response:
    state = request.query_params.get("state", "")
    page = NoticesPage(
        seen=await current().notices.overview(sign_in.person, state),
        state=state,
        written=written or WrittenHook(),
        wrong=wrong,
        secret=secret,
        outcome=outcome,
        done=done,
    )
    return admin.shown(request, sign_in, page, 422 if wrong else 200)


def _written(form: Form) -> WrittenHook:
    return WrittenHook(one_of(form, "name"), one_of(form, "url"), tuple(form.get("kind", ())))
