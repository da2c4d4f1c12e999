"""Clients that know the wire and nothing of our page: what anybody with a session cookie could write in an hour."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import uuid4

import socketio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

EVENTS = "/_event"
HYDRATED = "reflex___state____state.set_is_hydrated"
WAIT_S = 20


@dataclass
class Page:
    """One connection to Reflex's event socket: everything its server ever told it."""

    socket: socketio.AsyncClient
    path: str
    told: list[dict] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    marked: bool = False

    def hear(self, update: dict) -> None:
        self.told.append(update)
        self.news.set()

    async def call(self, event: str, payload: Mapping[str, object]) -> list[dict]:
        """Call a handler, and return every update that came before the answer to the next call."""
        before = len(self.told)
        await self._emit(event, payload)
        # a var that only this client sets here marks where the answers to the call end
        self.marked = not self.marked
        await self._emit(HYDRATED, {"value": self.marked})
        async with asyncio.timeout(WAIT_S):
            while not any(_marks(update, self.marked) for update in self.told[before:]):
                self.news.clear()
                await self.news.wait()
        return self.told[before:]

    async def _emit(self, event: str, payload: Mapping[str, object]) -> None:
        where = {"pathname": self.path, "asPath": self.path, "query": {}}
        sent = {"name": event, "payload": dict(payload), "router_data": where}
        await self.socket.emit("event", sent, namespace=EVENTS)


def _marks(update: dict, value: bool) -> bool:
    return any(found.get("is_hydrated_rx_state_") is value for found in update.get("delta", {}).values())


@asynccontextmanager
async def page(url: str, cookie: str, path: str = "/", **headers: str) -> AsyncIterator[Page]:
    """Open Reflex's event socket as a browser on `path` does."""
    client = socketio.AsyncClient(reconnection=False)
    opened = Page(client, path)
    client.on("event", opened.hear, namespace=EVENTS)
    sent = {"cookie": cookie, "origin": url} | headers
    await client.connect(
        f"{url}?token={uuid4()}",
        headers=sent,
        transports=["websocket"],
        namespaces=[EVENTS],
        socketio_path=EVENTS,
        wait_timeout=WAIT_S,
    )
    try:
        yield opened
    finally:
        await client.disconnect()


@dataclass
class Live:
    """One connection to the live channel: the frames that came, and the code it was closed with (0: it is open)."""

    socket: ClientConnection
    frames: list[dict] = field(default_factory=list)

    async def say(self, *asked: Mapping[str, object]) -> None:
        for one in asked:
            await self.socket.send(json.dumps(one))

    async def until(self, *fits: str) -> dict:
        """Return the first frame from now on that has one of these words."""
        async with asyncio.timeout(WAIT_S):
            while True:
                frame = json.loads(await self.socket.recv())
                self.frames.append(frame)
                if not frame.keys().isdisjoint(fits):
                    return frame


@asynccontextmanager
async def live(url: str, cookie: str, **headers: str) -> AsyncIterator[Live]:
    """Open the live channel as a tab does."""
    address = f"ws{url.removeprefix('http')}/api/live"
    sent = {"cookie": cookie, "origin": url} | headers
    async with connect(address, additional_headers=sent, max_size=None) as socket:
        yield Live(socket)


async def closed_with(url: str, path: str, **headers: str) -> int:
    """Return how a socket was turned away: the HTTP status of its handshake, or its close code."""
    try:
        async with connect(f"ws{url.removeprefix('http')}{path}", additional_headers=headers) as socket:
            async with asyncio.timeout(WAIT_S):
                while True:
                    await socket.recv()
    except InvalidStatus as refused:
        return refused.response.status_code
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 0
