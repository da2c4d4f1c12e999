"""Composition root of the page: settings, services, the Reflex app and the routes beside it. Nothing imports it."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import reflex as rx
import reflex.model
from reflex.app import default_error_boundary
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from chat_app import extend, pages, wiring
from chat_app.agent.embedded import EmbeddedAgent
from chat_app.services.holder import Services, install
from chat_app.services.policy import Policy
from chat_app.settings import Settings, lines, load_settings, read_settings, with_agent_token
from chat_app.state.gate import Gate
from chat_app.state.redaction import redact_cookies
from chat_app.ui import document, gate, panels
from chat_app.ui.admin import draw as draw_admin
from chat_app.ui.letters import Letters
from chat_app.ui.words import catalogs
from chat_app.web import admin, auth, export, files, health, live, words
from chat_app.web.entrance import Entrance
from chat_app.web.guard import Guard


def routes(settings: Settings, agent: EmbeddedAgent) -> list[BaseRoute]:
    """Return the routes beside the pages; the embedded agent is one, reached over HTTP like any other."""
    own = words.route(catalogs.scripts(), setting=settings.language)
    return [
        live.ROUTE,
        *files.ROUTES,
        export.ROUTE,
        own,
        *health.ROUTES,
        *wiring.agent_mounts(settings, agent),
    ]


def doors(settings: Settings, entrance: Entrance) -> list[BaseRoute]:
    """Return the routes of sign-in and account."""
    known = frozenset(one.code for one in catalogs.LANGUAGES)
    secure = settings.page_url.startswith("https:")
    admins = admin.Admin(
        draw_admin,
        Policy(),
        url=settings.page_url,
        setting=settings.language,
        known=known,
        lines=lines(read_settings(os.environ)),
    )
    return [
        *auth.routes(auth.Doors(gate.draw, entrance, setting=settings.language, known=known, secure=secure)),
        *admin.routes(admins),
    ]


def layers(
    settings: Settings, services: Services, agent: EmbeddedAgent
) -> list[Starlette | Callable[[ASGIApp], ASGIApp]]:
    """Return what Reflex wraps around its own app, innermost first; the guard is last and so judges first."""
    entrance = Entrance(services.accounts, services.provided, wiring.proxies(settings))
    guard = partial(Guard, entrance=entrance, origins=wiring.origins(settings), images=settings.image_hosts)
    return [Starlette(routes=[*routes(settings, agent), *doors(settings, entrance)]), guard]


@asynccontextmanager
async def lifespan(services: Services, agent: EmbeddedAgent) -> AsyncIterator[None]:
    """Own the live runs, and what the agent holds open, for as long as the server runs."""
    await services.start()
    try:
        yield
    finally:
        await services.stop()
        await agent.aclose()


def build() -> rx.App:
    """Build the app that Granian serves."""
    settings = with_agent_token(load_settings())
    extend.load(settings.extensions)
    letters = Letters(settings.language, settings.page_url)
    services = wiring.build(settings, panels.specs(), write=letters)
    agent = wiring.embedded_agent(settings)
    install(services)
    redact_cookies()
    app = rx.App(
        api_transformer=layers(settings, services, agent),
        stylesheets=list(document.STYLESHEETS),
        head_components=document.head(),
        # the page has a banner of its own for a lost connection; only the net under a broken page stays
        app_wraps={(55, "ErrorBoundary"): lambda _: default_error_boundary()},
        toaster=None,
    )
    app.add_middleware(Gate())
    app.register_lifespan_task(lifespan, services=services, agent=agent)
    pages.add_pages(app)
    return app


app = build()
