"""The pages and forms of sign-in and of a person's own account: plain HTML, so that nobody needs a socket to come in.

Forms are posted by the browser itself and answered by the next page; the guard has judged Host and Origin before.
"""

from collections.abc import Awaitable, Callable, Mapping
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import parse_qsl, quote

import structlog
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from chat_app.services.holder import current
from chat_app.services.oidc import local_path
from chat_app.services.policy import Refused
from chat_app.services.problems import (
    BadName,
    ChatError,
    LinkOver,
    NameTaken,
    ProviderFailed,
    TooFast,
    WeakPassword,
    WrongPassword,
)
from chat_app.services.rows import iso
from chat_app.services.sign_ins import SignIn
from chat_app.web.doors import AccountPage, Device, Door, Draw, JoinPage, OverPage, SignInPage, Trouble
from chat_app.web.entrance import Entrance
from chat_app.web.guard import sign_in_of
from chat_app.web.words import COOKIE, language_of

_log = structlog.get_logger(__name__)

NOT_IN: Final = "/sign-in?problem=provider"
CONNECTED: Final = "/account?done=connected"
UNCONNECTED: Final = "/account?done=unconnected"
PASSWORDS: Final = ("password", "link")
"""The ways in of who has a password here."""
LARGEST_FORM: Final = 16_384
STATE_COOKIE: Final = "parley_sign_in"
STATE_SECONDS: Final = 600
STATUS: Final[Mapping[type[Exception], int]] = {TooFast: 429, WrongPassword: 401}
FORM_TROUBLE = (WrongPassword, TooFast, WeakPassword, NameTaken, BadName)
DONE: Final = ("changed", "ended", "connected", "disconnected", "unconnected", "mail.wanted", "mail.unwanted")
"""What an account page may say was just done."""
NO_STORE = {"cache-control": "no-store"}

Handler = Callable[[Request], Awaitable[Response]]


class Doors:
    """The handlers, with how to draw a page and what is known of a visitor."""

    def __init__(
        self, draw: Draw, entrance: Entrance, *, setting: str, known: frozenset[str], secure: bool
    ) -> None:
        """Draw by `draw` in one of the `known` languages; `setting` is the installation's."""
        self._draw = draw
        self._entrance = entrance
        self._setting = setting
        self._known = known
        self._secure = secure

    # ------------------------------------------------------------ sign-in

    async def sign_in_page(self, request: Request) -> Response:
        """Show the sign-in; who is in already goes on."""
        back = local_path(request.query_params.get("back", "/"))
        if current().accounts.ways.single or sign_in_of(request.scope) is not None:
            return _go(back)
        trouble = Trouble(kind="ProviderFailed") if "problem" in request.query_params else None
        return self._shown(request, self._sign_in(back, trouble=trouble))

    async def sign_in(self, request: Request) -> Response:
        """Take a name and a password."""
        said = await _form(request)
        name, back = said.get("name", ""), local_path(said.get("back", "/"))
        visitor = self._entrance.visitor(request.scope)
        try:
            cookie = await current().accounts.sign_in(name, said.get("password", ""), visitor)
        except FORM_TROUBLE as error:
            return self._shown(
                request, self._sign_in(back, name=name, trouble=_trouble(error)), _status(error)
            )
        return _go(back, cookie)

    async def sign_out(self, request: Request) -> Response:
        """End the session of this browser."""
        return _go("/sign-in", await current().accounts.sign_out(_cookies(request)))

    async def to_provider(self, request: Request) -> Response:
        """Send the browser to the provider."""
        if not current().accounts.ways.provider:
            return _go("/sign-in")
        try:
            departure = await current().oidc.depart(request.query_params.get("back", "/"))
        except ProviderFailed as error:
            return _failed(error)
        return _go(departure.url, self._state(departure.state, STATE_SECONDS))

    async def from_provider(self, request: Request) -> Response:
        """Take the browser back from the provider."""
        if not current().accounts.ways.provider:
            return _go("/sign-in")
        visitor, sign_in = self._entrance.visitor(request.scope), sign_in_of(request.scope)
        said, state = dict(request.query_params), request.cookies.get(STATE_COOKIE, "")
        user = sign_in.person.id if sign_in is not None else None
        try:
            arrival = await current().oidc.arrive(said, state=state, visitor=visitor, user=user)
        except ProviderFailed as error:
            return _failed(error, self._state("", 0), at=UNCONNECTED if user else NOT_IN)
        cookies = [arrival.cookie] if arrival.cookie else []
        return _go(arrival.back, *cookies, self._state("", 0))

    async def connect(self, request: Request) -> Response:
        """Send the browser to the provider, to connect who the person is there with who they are here."""
        sign_in = sign_in_of(request.scope)
        if sign_in is None:
            return _go("/sign-in?back=/account")
        if not _connectable(sign_in):
            return _go("/account")
        try:
            departure = await current().oidc.depart(CONNECTED, user=sign_in.person.id)
        except ProviderFailed as error:
            return _failed(error, at=UNCONNECTED)
        # a form may lead to a page of ours alone, and this one leads on
        answer = HTMLResponse("", headers={**NO_STORE, "refresh": f"0; url={departure.url}"})
        answer.raw_headers.append((b"set-cookie", self._state(departure.state, STATE_SECONDS)))
        return answer

    async def disconnect(self, request: Request) -> Response:
        """Forget who the person is at the provider."""
        sign_in = sign_in_of(request.scope)
        if sign_in is None:
            return _go("/sign-in?back=/account")
        if not _connectable(sign_in):
            return _go("/account")
        try:
            await current().oidc.disconnect(sign_in.person.id)
        except Refused:
            page = await _account(sign_in, trouble=Trouble(kind="Refused"))
            return self._shown(request, page, 404)
        return _go("/account?done=disconnected")

    # ------------------------------------------------------------ links

    async def join_page(self, request: Request) -> Response:
        """Show what a link offers."""
        return await self._joining(request, request.path_params["token"])

    async def join(self, request: Request) -> Response:
        """Use a link."""
        said = await _form(request)
        token, name = said.get("token", ""), said.get("name", "")
        visitor = self._entrance.visitor(request.scope)
        try:
            cookie = await current().accounts.accept(token, name, said.get("password", ""), visitor)
        except LinkOver:
            return self._shown(request, OverPage(), 410)
        except FORM_TROUBLE as error:
            return await self._joining(request, token, typed=name, error=error)
        return _go("/", cookie)

    async def _joining(
        self, request: Request, token: str, *, typed: str = "", error: ChatError | None = None
    ) -> Response:
        try:
            welcome = await current().accounts.welcome(token)
        except LinkOver:
            return self._shown(request, OverPage(), 410)
        trouble = _trouble(error) if error is not None else None
        page = JoinPage(kind=welcome.kind, token=token, name=welcome.name, typed=typed, trouble=trouble)
        return self._shown(request, page, _status(error) if error is not None else 200)

    # ------------------------------------------------------------ one's own account

    async def account_page(self, request: Request) -> Response:
        """Show a person's own account."""
        sign_in = sign_in_of(request.scope)
        if sign_in is None:
            return _go("/sign-in?back=/account")
        return self._shown(request, await _account(sign_in, done=request.query_params.get("done", "")))

    async def change_password(self, request: Request) -> Response:
        """Change the person's own password."""
        sign_in, said = sign_in_of(request.scope), await _form(request)
        if sign_in is None:
            return _go("/sign-in?back=/account")
        try:
            await current().accounts.change_password(sign_in, said.get("old", ""), said.get("password", ""))
        except FORM_TROUBLE as error:
            return self._shown(request, await _account(sign_in, trouble=_trouble(error)), _status(error))
        return _go("/account?done=changed")

    async def end(self, request: Request) -> Response:
        """End one of the person's sign-ins, or all others."""
        sign_in, said = sign_in_of(request.scope), await _form(request)
        if sign_in is None:
            return _go("/sign-in?back=/account")
        try:
            await _end(sign_in, said.get("sign_in", ""))
        except Refused:
            page = await _account(sign_in, trouble=Trouble(kind="Refused"))
            return self._shown(request, page, 404)
        return _go("/account?done=ended")

    async def want_mail(self, request: Request) -> Response:
        """Let notices come by mail, or not any more."""
        sign_in, said = sign_in_of(request.scope), await _form(request)
        if sign_in is None:
            return _go("/sign-in?back=/account")
        wanted = said.get("wanted") == "yes"
        try:
            await current().mailboxes.want(sign_in.person, wanted=wanted)
        except Refused:  # an admin took the address away meanwhile; the page says so
            return _go("/account")
        return _go(f"/account?done=mail.{'wanted' if wanted else 'unwanted'}")

    # ------------------------------------------------------------ answers

    def _sign_in(self, back: str, *, name: str = "", trouble: Trouble | None = None) -> SignInPage:
        ways = current().accounts.ways
        return SignInPage(
            password=ways.password, provider=ways.provider, back=back, name=name[:200], trouble=trouble
        )

    def _shown(self, request: Request, page: Door, status: int = 200) -> HTMLResponse:
        language = language_of(
            chosen=request.cookies.get(COOKIE, ""),
            setting=self._setting,
            accepted=request.headers.get("accept-language", ""),
            known=self._known,
        )
        return HTMLResponse(self._draw(page, language), status, NO_STORE)

    def _state(self, state: str, seconds: int) -> bytes:
        jar: SimpleCookie = SimpleCookie()
        jar[STATE_COOKIE] = state
        morsel = jar[STATE_COOKIE]
        morsel["path"], morsel["httponly"], morsel["samesite"] = "/auth/", True, "Lax"
        morsel["max-age"], morsel["secure"] = seconds, self._secure
        return morsel.OutputString().encode("latin-1")


def routes(doors: Doors) -> list[Route]:
    """Return the routes of sign-in and account."""
    return [
        Route("/sign-in", doors.sign_in_page),
        Route("/auth/sign-in", doors.sign_in, methods=["POST"]),
        Route("/auth/sign-out", doors.sign_out, methods=["POST"]),
        Route("/auth/provider", doors.to_provider),
        Route("/auth/provider/back", doors.from_provider),
        Route("/auth/connect", doors.connect, methods=["POST"]),
        Route("/auth/disconnect", doors.disconnect, methods=["POST"]),
        Route("/join/{token}", doors.join_page),
        Route("/auth/join", doors.join, methods=["POST"]),
        Route("/account", doors.account_page),
        Route("/auth/password", doors.change_password, methods=["POST"]),
        Route("/auth/end", doors.end, methods=["POST"]),
        Route("/auth/mail", doors.want_mail, methods=["POST"]),
    ]


async def _account(sign_in: SignIn, *, trouble: Trouble | None = None, done: str = "") -> AccountPage:
    accounts = current().accounts
    held = await accounts.open_sign_ins(sign_in.person)
    mail = await current().mailboxes.of(sign_in.person, sign_in.person.id)
    return AccountPage(
        name=sign_in.name,
        roles=sign_in.person.roles,
        single=accounts.ways.single,
        has_password=accounts.ways.password and sign_in.way in PASSWORDS,
        devices=tuple(
            Device(id=one.id, device=one.device, last_seen=iso(one.last_seen), mine=one.id == sign_in.id)
            for one in held
        ),
        mail=mail.address if mail is not None else "",
        mail_wanted=mail is not None and mail.wanted,
        sends_mail=current().mailboxes.sends,
        provider=accounts.ways.provider if _connectable(sign_in) else "",
        connected=_connectable(sign_in) and await current().oidc.connected(sign_in.person.id),
        trouble=trouble,
        done=done if done in DONE else "",
    )


async def _end(sign_in: SignIn, which: str) -> None:
    if which == "others":
        await current().accounts.end_others(sign_in)
    else:
        await current().accounts.end_sign_in(sign_in.person, which)


async def _form(request: Request) -> Mapping[str, str]:
    """Return the fields of a posted form; one that no page of ours would send is empty."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_FORM:
            return {}
    try:
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=10))
    except ValueError:
        return {}


def _cookies(request: Request) -> str:
    return "; ".join(request.headers.getlist("cookie"))


def _go(place: str, *cookies: bytes) -> Response:
    answer = RedirectResponse(quote(place, safe=SAFE), 303, NO_STORE)
    answer.raw_headers.extend((b"set-cookie", cookie) for cookie in cookies)
    return answer


SAFE = ":/%#?=@[]!$&'()*+,;~"


def _connectable(sign_in: SignIn) -> bool:
    """Return whether a person may connect who they are at the provider: not when they came by it, or as nobody."""
    return bool(current().accounts.ways.provider) and sign_in.way in PASSWORDS


def _failed(error: ProviderFailed, *cookies: bytes, at: str = NOT_IN) -> Response:
    _log.warning("provider_failed", why=error.why)
    return _go(at, *cookies)


def _trouble(error: ChatError) -> Trouble:
    left = error.left if isinstance(error, WrongPassword) else None
    seconds = error.seconds if isinstance(error, TooFast) else 0
    return Trouble(kind=type(error).__name__, left=left, seconds=seconds)


def _status(error: ChatError) -> int:
    return STATUS.get(type(error), 422)
