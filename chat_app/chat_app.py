"""Composition root of the page: settings, services, the Reflex app and the routes beside it. Nothing imports it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import reflex as rx
import reflex.model
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp

from chat_app import pages, wiring
from chat_app.services.holder import Services, install
from chat_app.settings import Settings, load_settings, with_agent_token
from chat_app.state.gate import Gate
from chat_app.state.redaction import redact_cookies
from chat_app.web import health, live
from chat_app.web.guard import Guard


def routes(settings: Settings) -> list[BaseRoute]:
    """Return the routes beside the pages; the embedded agent is one of them, reached over HTTP like any other."""
    agents: list[BaseRoute] = [Mount("/agent", wiring.embedded_agent(settings))]
    if settings.awkward_agent:
        agents.append(Mount("/awkward", wiring.awkward_agent()))
    return [live.ROUTE, health.ROUTE, *agents]


def guarded(settings: Settings, services: Services) -> list[ASGIApp | partial[Guard]]:
    """Return what Reflex wraps around its own app, innermost first; the guard comes last and so judges first."""
    hosts = wiring.allowed_hosts(settings)
    return [
        Starlette(routes=routes(settings)),
        partial(Guard, accounts=services.accounts, hosts=hosts),
    ]


@asynccontextmanager
async def lifespan(services: Services) -> AsyncIterator[None]:
    """Own the live runs for as long as the server runs."""
    await services.start()
    try:
        yield
    finally:
        await services.stop()


def build() -> rx.App:
    """Build the app that Granian serves."""
    settings = with_agent_token(load_settings())
    services = wiring.build(settings)
    install(services)
    redact_cookies()
    app = rx.App(
        api_transformer=guarded(settings, services),
        stylesheets=list(pages.STYLESHEETS),
        head_components=pages.head(),
        theme=None,
    )
    app.add_middleware(Gate())
    app.register_lifespan_task(partial(lifespan, services))
    pages.register(app)
    return app


app = build()
