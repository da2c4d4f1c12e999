"""`/admin/agents`: whom people can talk to, added, tried and changed."""

from dataclasses import fields
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chat_app.services.agent_book import Written
from chat_app.services.holder import current
from chat_app.services.problems import BadAgent, NameTaken
from chat_app.services.sign_ins import SignIn
from chat_app.web.admin.desk import Admin, Form, form_of, go, one_of
from chat_app.web.admin_doors import AgentPage, AgentsPage

WRONG: Final = (BadAgent, NameTaken)


def routes(admin: Admin) -> list[Route]:
    """Return the routes of this place."""
    return [
        Route("/admin/agents", admin.page(agents)),
        Route("/admin/agents/add", admin.page(add_agent), methods=["POST"]),
        Route("/admin/agents/{agent}", admin.page(agent)),
        Route("/admin/agents/{agent}/change", admin.page(change_agent), methods=["POST"]),
    ]


async def agents(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """List all agents."""
    page = AgentsPage(
        agents=await current().agent_book.every(sign_in.person), written=Written(name="", url="")
    )
    return admin.shown(request, sign_in, page)


async def add_agent(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Add an agent and try it at once."""
    book, written = current().agent_book, _written(await form_of(request))
    try:
        agent = await book.add(sign_in.person, written)
    except WRONG as error:
        every = await book.every(sign_in.person)
        page = AgentsPage(agents=every, written=written, wrong=_wrong(error))
        return admin.shown(request, sign_in, page, 422)
    await book.test(sign_in.person, agent)
    return go(f"/admin/agents/{agent}")


async def agent(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Show one agent."""
    known = await current().agent_book.one(sign_in.person, request.path_params["agent"])
    page = AgentPage(known=known, done=request.query_params.get("done", ""))
    return admin.shown(request, sign_in, page)


async def change_agent(admin: Admin, request: Request, sign_in: SignIn) -> Response:
    """Do what a form about one agent asks for."""
    form, agent = await form_of(request), request.path_params["agent"]
    book, act, person = current().agent_book, one_of(form, "act"), sign_in.person
    try:
        if act == "save":
            await book.change(person, agent, _written(form))
        elif act == "test":
            await book.test(person, agent, asking=one_of(form, "asking"))
        else:
            await book.switch(person, agent, enabled=act == "enable")
    except WRONG as error:
        known = await book.one(person, agent)
        page = AgentPage(known=known, written=_written(form), wrong=_wrong(error))
        return admin.shown(request, sign_in, page, 422)
    return go(f"/admin/agents/{agent}?done=yes")


def _written(form: Form) -> Written:
    lines = {one.name: one_of(form, one.name) for one in fields(Written) if one.name != "tools"}
    return Written(**lines, tools=tuple(form.get("tools", ())))


def _wrong(error: BadAgent | NameTaken) -> str:
    return error.field if isinstance(error, BadAgent) else "taken"
