"""`/api/live`: one WebSocket per tab, by which the page learns what changes.

The browser says which thread it shows and from which cursor; the server answers with one snapshot and then ops. The
person's thread list rides on the same socket. Rights are asked of the services at every subscription; a thread that
is unknown and one of somebody else are answered alike.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import aclosing
from functools import partial
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from chat_app.services.holder import Services, current
from chat_app.services.inbox import Query
from chat_app.services.policy import Refused
from chat_app.services.problems import WORDED, problem_of
from chat_app.services.sign_ins import SignIn
from chat_app.services.tasks import spawn
from chat_app.web.guard import sign_in_of

HEARTBEAT_SECONDS = 15.0
HEARTBEAT = '{"hb":1}'
BAD_FRAME = 1008
TRY_AGAIN = 1013
SIGNED_OUT = 4401
"""The sign-in of the tab is over: its browser goes to the sign-in instead of trying again."""
MOST = 2**31 - 1
"""The greatest whole number that a column holds on every database."""

# any text may name a thread that is not there, but for a NUL, which no database is asked about
ThreadId = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]


class _Older(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    thread: ThreadId
    before: Annotated[int, Field(ge=0, le=MOST)]
    until: Annotated[int, Field(ge=0, le=MOST)] | None = None


class _Past(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    thread: ThreadId
    number: Annotated[int, Field(ge=1, le=MOST)]


class _List(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    archived: bool = False
    updated: Annotated[AwareDatetime | None, Field(strict=False)] = None
    id: ThreadId = ""


Word = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=200)]


class _Inbox(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    tab: Word = "all"
    agent: Word = ""
    tool: Word = ""
    owner: Word = ""
    age: Word = ""
    sort: Word = "oldest"
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50
    after: Word = ""
    open: Word = ""


class _Asked(BaseModel):
    """What a browser may say: show a thread (or none), send older rows, an earlier version of its state, more threads.

    `inbox` follows a list of it, instead of the one followed before; with `inbox_over` none is followed any more.

    `older` comes down to position `until` where that is given, in one page or in several.
    """

    model_config = ConfigDict(extra="forbid", strict=True)
    sub: ThreadId | None = None
    after: str = ""
    older: _Older | None = None
    past: _Past | None = None
    list: _List | None = None
    inbox: _Inbox | None = None
    inbox_over: bool = False


class _Tab:
    """One open tab: its socket, and the task that follows the thread it shows."""

    def __init__(self, socket: WebSocket, services: Services, sign_in: SignIn) -> None:
        self._socket = socket
        self._services = services
        self._sign_in = sign_in
        self._person = sign_in.person
        self._following: asyncio.Task[None] | None = None
        self._listing: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve until the browser goes."""
        await self._socket.accept()
        # a tab that comes back as somebody else must show nothing of whom it was
        await self._send(json.dumps({"me": self._person.id}))
        background = [
            spawn(self._stay(), name="live-stay"),
            spawn(self._beat(), name="live-heartbeat"),
            spawn(self._or_close(self._threads), name="live-threads"),
            spawn(self._or_close(self._count), name="live-waiting"),
        ]
        try:
            await self._listen()
        except WebSocketDisconnect:
            pass
        except (ValidationError, KeyError):  # KeyError: a binary frame where text belongs
            await self._close(BAD_FRAME)
        finally:
            for task in (*background, self._following, self._listing):
                if task is not None:
                    task.cancel()

    async def _listen(self) -> None:
        while self._socket.application_state is WebSocketState.CONNECTED:
            await self._answer(_Asked.model_validate_json(await self._socket.receive_text()))

    async def _answer(self, asked: _Asked) -> None:
        if asked.sub is not None:
            if self._following is not None:
                self._following.cancel()
            follow = partial(self._follow, asked.sub, asked.after)
            self._following = spawn(self._or_close(follow), name="live-follow")
        if asked.older is not None:
            await self._or_close(partial(self._page, asked.older))
        if asked.past is not None:
            await self._or_close(partial(self._past, asked.past))
        if asked.list is not None:
            await self._or_close(partial(self._list, asked.list))
        if asked.inbox is not None or asked.inbox_over:
            self._list_anew(asked.inbox)

    async def _follow(self, thread_id: str, cursor: str) -> None:
        if thread_id:
            await self._unless_gone(
                thread_id, self._pump(self._services.threads.follow(self._person, thread_id, cursor))
            )

    def _list_anew(self, asked: _Inbox | None) -> None:
        if self._listing is not None:
            self._listing.cancel()
        if asked is not None:
            query = Query(**asked.model_dump())
            self._listing = spawn(self._or_close(partial(self._inbox, query)), name="live-inbox")

    async def _inbox(self, query: Query) -> None:
        try:
            await self._pump(self._services.inbox.follow(self._person, query))
        except Refused:
            await self._send(json.dumps({"inbox": {"gone": True}}))

    async def _count(self) -> None:
        await self._pump(self._services.inbox.follow_count(self._person))

    async def _page(self, older: _Older) -> None:
        await self._unless_gone(older.thread, self._send_page(older))

    async def _send_page(self, older: _Older) -> None:
        page = self._services.threads.older(self._person, older.thread, older.before, until=older.until)
        await self._send(await page)

    async def _list(self, asked: _List) -> None:
        before = (asked.updated, asked.id) if asked.updated is not None else None
        await self._send(await self._services.threads.page(self._person, before, archived=asked.archived))

    async def _past(self, past: _Past) -> None:
        await self._unless_gone(past.thread, self._send_past(past))

    async def _send_past(self, past: _Past) -> None:
        await self._send(await self._services.shared.past(self._person, past.thread, past.number))

    async def _unless_gone(self, thread_id: str, work: Coroutine[None, None, None]) -> None:
        """Do `work`; a thread that is unknown and one of somebody else are answered alike."""
        try:
            await work
        except Refused:
            await self._send(json.dumps({"t": thread_id, "gone": True}))

    async def _threads(self) -> None:
        await self._pump(self._services.threads.follow_list(self._person))

    async def _pump(self, frames: AsyncGenerator[str, None]) -> None:
        async with aclosing(frames) as stream:
            async for frame in stream:  # pragma: no branch - frames never end by themselves
                if not await self._send(frame):
                    break

    async def _or_close(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do `work`; when it cannot be done now, close the socket: the browser tries again, with its cursor."""
        try:
            await work()
        except WORDED as error:
            problem_of(error)
            await self._close(TRY_AGAIN)

    async def _stay(self) -> None:
        """Close the socket when its sign-in is over, or its person has other roles than it came with."""
        with self._services.accounts.watch.tab(self._sign_in.id, self._person.roles) as tab:
            await tab.over.wait()
        await self._close(SIGNED_OUT if tab.out else TRY_AGAIN)

    async def _beat(self) -> None:
        while await self._send(HEARTBEAT):  # noqa: ASYNC110 - a clock, not a wait for something
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _send(self, frame: str) -> bool:
        """Send one frame; False when the browser has gone, which the reader learns by itself."""
        try:
            await self._socket.send_text(frame)
        except (WebSocketDisconnect, RuntimeError):
            return False
        return True

    async def _close(self, code: int) -> None:
        try:
            await self._socket.close(code)
        except (WebSocketDisconnect, RuntimeError):
            return  # it is closed already


async def live(socket: WebSocket) -> None:
    """Serve one tab; the guard has already turned away who has no session."""
    sign_in = sign_in_of(socket.scope)
    if sign_in is None:
        await socket.close(SIGNED_OUT)
        return
    await _Tab(socket, current(), sign_in).serve()


ROUTE = WebSocketRoute("/api/live", live)
