"""What a bare client sends for each handler, route and topic of the table of rights, about given things."""

from collections.abc import Mapping
from dataclasses import asdict

import httpx

from tests.support.bare import Live
from tests.support.rights import ROUTES, Right
from tests.support.things import PICTURE, Things

BODIES: Mapping[str, bytes] = {"/api/files": PICTURE}


def arguments(takes: tuple[str, ...], things: Things) -> dict[str, object]:
    """Return what a browser would send, by the names of what a handler takes."""
    known = {
        "interrupt_id": things.question,
        "interrupt_ids": [things.question],
        "thread_id": things.thread,
        "agent_id": things.agent,
        "queued_id": things.queued,
        "run": things.run,
        "run_id": things.run,
        "key": things.message,
        "form": {"text": "Hello", "abandon": True, "tags": "one"},
        "kind": "approve",
        "number": 0,
        "pointer": "/x",
        "value": "1",
        "verdict": "good",
        "pinned": True,
        "archived": True,
        "sent": None,
        "act": "open",
        "hold": False,
        "to": "",
        "note": "",
    }
    return {name: known.get(name, "words") for name in takes}


async def asked(client: httpx.AsyncClient, method: str, path: str, things: Things) -> httpx.Response:
    """Ask for a route with the ids of some things."""
    right = ROUTES.get((method, path), Right(None))
    body = {"content": BODIES[path]} if path in BODIES else {"data": right.form}
    sent = body if method == "POST" else {}
    place = path.format(
        **asdict(things), id=things.file, kind="markdown", group="day", token="guess", name="guess"
    )
    return await client.request(method, place, **sent)


def asking(topic: str, things: Things) -> dict[str, object]:
    """Return what a browser says on the live channel."""
    return {
        "sub": {"sub": things.thread},
        "after": {"sub": things.thread, "after": "0:0:0"},
        "older": {"older": {"thread": things.thread, "before": 5}},
        "past": {"past": {"thread": things.thread, "number": 1}},
        "list": {"list": {"archived": False}},
        "inbox": {"inbox": {"open": things.question}},
        "inbox_over": {"inbox_over": True, "list": {}},
    }[topic]


async def answer(opened: Live, topic: str, things: Things) -> dict:
    """Return what the live channel answers."""
    await opened.say(asking(topic, things))
    words = {"inbox": "inbox", "list": "list", "inbox_over": "list"}
    return await opened.until(words.get(topic, "t"))
