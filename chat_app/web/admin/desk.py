"""What the pages for admins share: who may come in, how a page is drawn, and how a form is read."""

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Final
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chat_app.services.policy import Action, Person, Policy, Refused
from chat_app.services.sign_ins import SignIn
from chat_app.settings import Line
from chat_app.web.admin_doors import AdminPage, DrawAdmin, NowherePage, Visit
from chat_app.web.guard import sign_in_of
from chat_app.web.words import COOKIE, language_of

LARGEST_FORM: Final = 65_536
NO_STORE: Final = {"cache-control": "no-store"}
PLACES: Final[Mapping[str, Action]] = {
    "threads": Action.READ_ANY_THREAD,
    "audit": Action.READ_AUDIT,
    "usage": Action.SEE_USAGE,
    "people": Action.MANAGE_PEOPLE,
    "agents": Action.MANAGE_AGENTS,
    "retention": Action.MANAGE_RETENTION,
    "notifications": Action.MANAGE_NOTICES,
    "settings": Action.SEE_SETTINGS,
}
"""The parts of `/admin`, and what each is for."""

Form = Mapping[str, list[str]]
Handler = Callable[["Admin", Request, SignIn], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


class Admin:
    """How the pages are drawn, and for whom; each file of pages hands its handlers to `page`."""

    def __init__(  # noqa: PLR0913 - what the pages are made of
        self,
        draw: DrawAdmin,
        policy: Policy,
        *,
        url: str,
        setting: str,
        known: frozenset[str],
        lines: tuple[Line, ...] = (),
    ) -> None:
        """Draw by `draw` in one of the `known` languages; links are made of `url`, where people open Parley.

        `lines` are the settings in force.
        """
        self.lines = lines
        self.policy = policy
        self._draw = draw
        self._url = url
        self._setting = setting
        self._known = known

    def page(self, handler: Handler) -> Endpoint:
        """Return the endpoint of a handler.

        Who is not signed in is led to the sign-in; who may not come here is shown that there is nothing.
        """

        @wraps(handler)
        async def handle(request: Request) -> Response:
            found = sign_in_of(request.scope)
            if found is None:
                return go(f"/sign-in?back={quote(request.url.path)}")
            try:
                return await handler(self, request, found)
            except Refused:
                return self.shown(request, found, NowherePage(), 404)

        return handle

    def shown(self, request: Request, sign_in: SignIn, page: AdminPage, status: int = 200) -> HTMLResponse:
        """Return a page, drawn for who looks at it."""
        visit = Visit(sign_in.person.name, self.places(sign_in.person))
        return HTMLResponse(self._draw(page, visit, self.language(request)), status, NO_STORE)

    def language(self, request: Request) -> str:
        """Return the code of the language that a browser wants."""
        return language_of(
            chosen=request.cookies.get(COOKIE, ""),
            setting=self._setting,
            accepted=request.headers.get("accept-language", ""),
            known=self._known,
        )

    def places(self, person: Person) -> tuple[str, ...]:
        """Return the parts of `/admin` that are open to a person."""
        return tuple(place for place, action in PLACES.items() if self.policy.may(person, action))

    def link(self, token: str) -> str:
        """Return the address at which a token makes an account or a password."""
        return f"{self._url}/join/{token}"


async def form_of(request: Request) -> Form:
    """Return the fields of a posted form; one that no page of ours would send is empty."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_FORM:
            return {}
    try:
        return parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=40)
    except ValueError:
        return {}


def one_of(form: Form, name: str) -> str:
    """Return the first value of a field, empty when there is none."""
    return next(iter(form.get(name, ())), "")


def go(place: str) -> Response:
    """Return an answer that leads a browser to another page."""
    return RedirectResponse(quote(place, safe="/?=&"), 303, NO_STORE)
