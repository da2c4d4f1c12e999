"""The pages for admins and auditors: plain HTML documents with forms, so that they need no socket and no script.

Whatever a person may not do is answered as what is not there. Forms are posted by the browser and answered by the next
page; the guard has judged Host and Origin before.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from functools import wraps
from typing import Final
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from chat_app.services.agent_book import Written
from chat_app.services.holder import current
from chat_app.services.oversight import Asked
from chat_app.services.policy import Action, Person, Policy, Refused
from chat_app.services.problems import BadAgent, BadName, Busy, ChatError, LastAdmin, NameTaken, NoReason
from chat_app.services.sign_ins import SignIn
from chat_app.settings import Line
from chat_app.web.admin_doors import (
    AdminPage,
    AgentPage,
    AgentsPage,
    DrawAdmin,
    NowherePage,
    PeoplePage,
    PersonPage,
    ReasonPage,
    SettingsPage,
    ThreadsPage,
    Visit,
)
from chat_app.web.guard import sign_in_of
from chat_app.web.words import COOKIE, language_of

LARGEST_FORM: Final = 65_536
NO_STORE = {"cache-control": "no-store"}
WRONG: Final = (BadAgent, NameTaken)
TROUBLE: Final = (BadName, Busy, LastAdmin, NameTaken, NoReason)
PLACES: Final[Mapping[str, Action]] = {
    "threads": Action.READ_ANY_THREAD,
    "people": Action.MANAGE_PEOPLE,
    "agents": Action.MANAGE_AGENTS,
    "settings": Action.SEE_SETTINGS,
}
"""The parts of `/admin`, and what each is for."""
FILTERS: Final = ("user", "agent", "status", "tool", "words", "since", "until", "after")

Form = Mapping[str, list[str]]
Handler = Callable[["Admin", Request, SignIn], Awaitable[Response]]


def signed_in(handler: Handler) -> Callable[["Admin", Request], Awaitable[Response]]:
    """Lead who is not signed in to the sign-in; show who may not come here that there is nothing."""

    @wraps(handler)
    async def handle(self: "Admin", request: Request) -> Response:
        found = sign_in_of(request.scope)
        if found is None:
            return _go(f"/sign-in?back={quote(request.url.path)}")
        try:
            return await handler(self, request, found)
        except Refused:
            return self.shown(request, found, NowherePage(), 404)

    return handle


class Admin:
    """The handlers, with how to draw a page."""

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
        self._lines = lines
        self._draw = draw
        self._policy = policy
        self._url = url
        self._setting = setting
        self._known = known

    @signed_in
    async def begin(self, request: Request, sign_in: SignIn) -> Response:
        """Go to the first place that is open to the person."""
        del request
        places = self._places(sign_in.person)
        if not places:
            raise Refused
        return _go(f"/admin/{places[0]}")

    # ------------------------------------------------------------ threads

    @signed_in
    async def threads(self, request: Request, sign_in: SignIn) -> Response:
        """List the threads of everybody."""
        given = {name: request.query_params.get(name, "") for name in FILTERS}
        asked, oversight = Asked(**given), current().oversight
        page = ThreadsPage(
            asked=asked,
            listed=await oversight.listed(sign_in.person, asked),
            agents=tuple(await oversight.agents(sign_in.person)),
            opens=oversight.opens,
        )
        return self.shown(request, sign_in, page)

    @signed_in
    async def why(self, request: Request, sign_in: SignIn) -> Response:
        """Ask why a thread is to be opened."""
        thread = await current().oversight.about(sign_in.person, request.path_params["thread"])
        return self.shown(request, sign_in, ReasonPage(thread=thread))

    @signed_in
    async def open(self, request: Request, sign_in: SignIn) -> Response:
        """Write down why, and go to the thread."""
        oversight, person = current().oversight, sign_in.person
        wanted, reason = request.path_params["thread"], _one(await _form(request), "reason")
        try:
            return _go(f"/t/{await oversight.open(person, wanted, reason)}")
        except NoReason:
            thread = await oversight.about(person, wanted)
            page = ReasonPage(thread=thread, reason=reason, trouble="NoReason")
            return self.shown(request, sign_in, page, 422)

    # ------------------------------------------------------------ people

    @signed_in
    async def people(self, request: Request, sign_in: SignIn) -> Response:
        """List everybody."""
        return await self._everybody(request, sign_in)

    @signed_in
    async def invite(self, request: Request, sign_in: SignIn) -> Response:
        """Make a link that makes an account, and show it once."""
        form = await _form(request)
        name, roles = _one(form, "name"), tuple(form.get("role", ()))
        try:
            token = await current().people.invite(sign_in.person, roles or ("user",), name=name)
        except TROUBLE as error:
            return await self._everybody(request, sign_in, error=error, name=name, roles=roles)
        return await self._everybody(request, sign_in, link=self._link(token))

    @signed_in
    async def person(self, request: Request, sign_in: SignIn) -> Response:
        """Show one person."""
        return await self._one_person(request, sign_in, done=request.query_params.get("done", ""))

    @signed_in
    async def change_person(self, request: Request, sign_in: SignIn) -> Response:
        """Do what a form about one person asks for."""
        form, user = await _form(request), request.path_params["user"]
        act = ACTS.get(_one(form, "act"))
        if act is None:
            raise Refused
        try:
            token = await act(sign_in.person, user, form)
        except TROUBLE as error:
            return await self._one_person(request, sign_in, error=error)
        if token:
            return await self._one_person(request, sign_in, link=self._link(token))
        gone = _one(form, "act") == "erase"
        return _go("/admin/people" if gone else f"/admin/people/{user}?done=yes")

    @signed_in
    async def export_person(self, request: Request, sign_in: SignIn) -> Response:
        """Hand out everything of a person as a file."""
        user = request.path_params["user"]
        text = await current().departures.export(sign_in.person, user)
        headers = {**NO_STORE, "content-disposition": f'attachment; filename="person-{user}.jsonl"'}
        return PlainTextResponse(text, headers=headers, media_type="application/x-ndjson")

    async def _everybody(  # noqa: PLR0913 - the parts of one page
        self,
        request: Request,
        sign_in: SignIn,
        *,
        link: str = "",
        error: ChatError | None = None,
        name: str = "",
        roles: tuple[str, ...] = ("user",),
    ) -> Response:
        page = PeoplePage(
            people=await current().people.every(sign_in.person),
            link=link,
            trouble=type(error).__name__ if error else "",
            name=name,
            roles=roles,
        )
        return self.shown(request, sign_in, page, 422 if error else 200)

    async def _one_person(
        self,
        request: Request,
        sign_in: SignIn,
        *,
        link: str = "",
        done: str = "",
        error: ChatError | None = None,
    ) -> Response:
        people, user = current().people, request.path_params["user"]
        page = PersonPage(
            person=await people.one(sign_in.person, user),
            sign_ins=await people.sign_ins(sign_in.person, user),
            link=link,
            done=done,
            trouble=type(error).__name__ if error else "",
        )
        return self.shown(request, sign_in, page, 422 if error else 200)

    # ------------------------------------------------------------ agents

    @signed_in
    async def agents(self, request: Request, sign_in: SignIn) -> Response:
        """List all agents."""
        page = AgentsPage(
            agents=await current().agent_book.every(sign_in.person), written=Written(name="", url="")
        )
        return self.shown(request, sign_in, page)

    @signed_in
    async def add_agent(self, request: Request, sign_in: SignIn) -> Response:
        """Add an agent and try it at once."""
        book, written = current().agent_book, _written(await _form(request))
        try:
            agent = await book.add(sign_in.person, written)
        except WRONG as error:
            every = await book.every(sign_in.person)
            page = AgentsPage(agents=every, written=written, wrong=_wrong(error))
            return self.shown(request, sign_in, page, 422)
        await book.test(sign_in.person, agent)
        return _go(f"/admin/agents/{agent}")

    @signed_in
    async def agent(self, request: Request, sign_in: SignIn) -> Response:
        """Show one agent."""
        known = await current().agent_book.one(sign_in.person, request.path_params["agent"])
        page = AgentPage(known=known, done=request.query_params.get("done", ""))
        return self.shown(request, sign_in, page)

    @signed_in
    async def change_agent(self, request: Request, sign_in: SignIn) -> Response:
        """Do what a form about one agent asks for."""
        form, agent = await _form(request), request.path_params["agent"]
        book, act, person = current().agent_book, _one(form, "act"), sign_in.person
        try:
            if act == "save":
                await book.change(person, agent, _written(form))
            elif act == "test":
                await book.test(person, agent, asking=_one(form, "asking"))
            else:
                await book.switch(person, agent, enabled=act == "enable")
        except WRONG as error:
            known = await book.one(person, agent)
            page = AgentPage(known=known, written=_written(form), wrong=_wrong(error))
            return self.shown(request, sign_in, page, 422)
        return _go(f"/admin/agents/{agent}?done=yes")

    @signed_in
    async def settings(self, request: Request, sign_in: SignIn) -> Response:
        """Show the settings in force."""
        self._policy.require(sign_in.person, Action.SEE_SETTINGS)
        return self.shown(request, sign_in, SettingsPage(self._lines))

    # ------------------------------------------------------------ answers

    def shown(self, request: Request, sign_in: SignIn, page: AdminPage, status: int = 200) -> HTMLResponse:
        """Return a page, drawn for who looks at it."""
        language = language_of(
            chosen=request.cookies.get(COOKIE, ""),
            setting=self._setting,
            accepted=request.headers.get("accept-language", ""),
            known=self._known,
        )
        visit = Visit(sign_in.person.name, self._places(sign_in.person))
        return HTMLResponse(self._draw(page, visit, language), status, NO_STORE)

    def _places(self, person: Person) -> tuple[str, ...]:
        return tuple(place for place, action in PLACES.items() if self._policy.may(person, action))

    def _link(self, token: str) -> str:
        return f"{self._url}/join/{token}"


Act = Callable[[Person, str, Form], Awaitable[str]]


async def _give_roles(by: Person, user: str, form: Form) -> str:
    await current().people.set_roles(by, user, form.get("role", []))
    return ""


async def _disable(by: Person, user: str, form: Form) -> str:
    del form
    await current().people.set_active(by, user, active=False)
    return ""


async def _enable(by: Person, user: str, form: Form) -> str:
    del form
    await current().people.set_active(by, user, active=True)
    return ""


async def _reset(by: Person, user: str, form: Form) -> str:
    del form
    return await current().people.reset(by, user)


async def _sign_out(by: Person, user: str, form: Form) -> str:
    del form
    await current().people.end_sign_ins(by, user)
    return ""


async def _end(by: Person, user: str, form: Form) -> str:
    await current().people.end_sign_in(by, user, _one(form, "sign_in"))
    return ""


async def _erase(by: Person, user: str, form: Form) -> str:
    await current().departures.erase(by, user, _one(form, "reason"))
    return ""


ACTS: Final[Mapping[str, Act]] = {
    "roles": _give_roles,
    "disable": _disable,
    "enable": _enable,
    "reset": _reset,
    "sign_out": _sign_out,
    "end": _end,
    "erase": _erase,
}
"""What a form about one person may ask for; where it makes a link, the token of that comes back."""


def routes(admin: Admin) -> list[Route]:
    """Return the routes of `/admin`."""
    return [
        Route("/admin", admin.begin),
        Route("/admin/threads", admin.threads),
        Route("/admin/threads/{thread}", admin.why),
        Route("/admin/threads/{thread}/open", admin.open, methods=["POST"]),
        Route("/admin/people", admin.people),
        Route("/admin/people/invite", admin.invite, methods=["POST"]),
        Route("/admin/people/{user}", admin.person),
        Route("/admin/people/{user}/change", admin.change_person, methods=["POST"]),
        Route("/admin/people/{user}/export", admin.export_person),
        Route("/admin/settings", admin.settings),
        Route("/admin/agents", admin.agents),
        Route("/admin/agents/add", admin.add_agent, methods=["POST"]),
        Route("/admin/agents/{agent}", admin.agent),
        Route("/admin/agents/{agent}/change", admin.change_agent, methods=["POST"]),
    ]


def _written(form: Form) -> Written:
    return Written(**{one.name: _one(form, one.name) for one in fields(Written)})


def _wrong(error: BadAgent | NameTaken) -> str:
    return error.field if isinstance(error, BadAgent) else "taken"


async def _form(request: Request) -> Form:
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


def _one(form: Form, name: str) -> str:
    return next(iter(form.get(name, ())), "")


def _go(place: str) -> Response:
    return RedirectResponse(quote(place, safe="/?=&"), 303, NO_STORE)
