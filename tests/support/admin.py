"""The pages for admins, served to a person with given roles."""

from contextlib import asynccontextmanager

import httpx
from starlette.applications import Starlette

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.policy import Policy
from chat_app.services.proxy import Proxies
from chat_app.settings import lines, read_settings
from chat_app.ui.admin import draw
from chat_app.web import admin
from chat_app.web.entrance import Entrance
from chat_app.web.guard import Guard
from tests.support.world import World

ORIGIN = "http://localhost:3000"
ENVIRON = {"PARLEY_PORT": "3001", "PARLEY_SECRET_KEY": "s3cret"}


@asynccontextmanager
async def served(world: World, *roles: str):
    """Serve the pages to a person with these roles, or to nobody."""
    before = list(holder._held)
    entrance = Entrance(world.accounts, world.provided, Proxies())
    pages = admin.Admin(
        draw,
        Policy(),
        url=ORIGIN,
        setting="",
        known=frozenset({"en", "de"}),
        lines=lines(read_settings(ENVIRON)),
    )
    app = Starlette(routes=admin.routes(pages))
    guard = Guard(app, entrance=entrance, origins={"localhost:3000": ORIGIN})
    install(world.services)
    cookie = await world.cookie_of(world.person("eve", "Eve <b>", *roles)) if roles else ""
    headers = {"origin": ORIGIN, "accept": "text/html", "cookie": cookie}
    transport = httpx.ASGITransport(guard)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as client:
        yield client
    holder._held[:] = before
