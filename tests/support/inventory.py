"""Prints what a Parley with the settings of this environment answers to: handlers, routes, words of the live channel.

`python -m tests.support.inventory`; the application is built as its worker builds it, and asked, so that whatever is
added to it anywhere is found.
"""

import asyncio
import inspect
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from reflex_base.registry import RegistrationContext
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp

from chat_app.cli.frontend import Frontend
from chat_app.cli.serve import environment
from chat_app.settings import load_settings
from tests.support.processes import ROOT

SOCKET = "WEBSOCKET"
ANY = "ANY"
"""The method of what answers by itself, whatever is asked of it: a mounted application without routes."""


@dataclass(frozen=True, slots=True)
class Handler:
    """A handler of the page: how an event names it, and what it takes."""

    event: str
    takes: tuple[str, ...]
    public: bool


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a Parley answers to."""

    handlers: Mapping[str, Handler]
    routes: frozenset[tuple[str, str]]
    topics: frozenset[str]


async def inventory(data: Path, **settings: str) -> Inventory:
    """Ask a Parley that is not served, with a folder of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.inventory"),
        cwd=ROOT,
        env={**os.environ, "PARLEY_DATA_DIR": str(data), **settings},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0
    found = json.loads(printed.splitlines()[-1])
    return Inventory(
        {
            name: Handler(event, tuple(takes), public)
            for name, (event, takes, public) in found["handlers"].items()
        },
        frozenset(map(tuple, found["routes"])),
        frozenset(found["topics"]),
    )


def handlers() -> dict[str, tuple[str, list[str], bool]]:
    """Return every handler that Reflex knows, by its state's name and its own."""
    found = RegistrationContext.get().event_handlers
    return {_short(name): (name, *_told(one.handler.fn)) for name, one in found.items()}


def _short(name: str) -> str:
    state, _, handler = name.rpartition(".")
    return f"{state.rpartition('____')[2]}.{handler}"


def _told(handler) -> tuple[list[str], bool]:
    takes = [name for name in inspect.signature(handler).parameters if name != "self"]
    return takes, bool(getattr(handler, "__parley_public__", False))


def routes(app: ASGIApp, under: str = "") -> Iterator[tuple[str, str]]:
    """Yield the method and the path of everything that an application answers, through whatever is wrapped."""
    inner = getattr(app, "_app", None) or getattr(app, "app", None)
    found = getattr(app, "routes", None)
    if found is not None:
        for route in found:
            yield from _of_route(route, under)
    elif inner is not None:
        yield from routes(inner, under)
    else:
        yield ANY, under or "/"


def _of_route(route: BaseRoute, under: str) -> Iterator[tuple[str, str]]:
    if isinstance(route, Mount):
        yield from routes(route.app, under + route.path)
    elif isinstance(route, WebSocketRoute):
        yield SOCKET, under + route.path
    elif isinstance(route, Route):
        for method in (route.methods or {ANY}) - {"HEAD"}:
            yield method, under + route.path
    else:
        yield ANY, under + getattr(route, "path", "/")


def main() -> None:
    """Build the application, and the page it serves, and print what it answers to as one line of JSON."""
    settings = load_settings()
    Frontend(ROOT, settings.data_dir / "build.log").build()
    os.environ.update(environment(settings))
    app = import_module("chat_app.chat_app").app
    served = app()
    topics = import_module("chat_app.web.live")._Asked.model_fields
    found = {"handlers": handlers(), "routes": sorted(set(routes(served))), "topics": sorted(topics)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
