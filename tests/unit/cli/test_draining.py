import asyncio

import pytest

from chat_app.cli.draining import Draining

OPEN = {"type": "http"}
LIFESPAN = {"type": "lifespan"}


class Story:
    """An application that writes down what happens to it, and the server around it."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.words: asyncio.Queue = asyncio.Queue()
        self.streaming = asyncio.Event()
        self.started = asyncio.Event()
        self.draining = Draining(self.application)

    async def application(self, scope, receive, send) -> None:
        if scope["type"] == "lifespan":
            assert (await receive())["type"] == "lifespan.startup"
            self.told.append("started")
            await send({"type": "lifespan.startup.complete"})
            self.started.set()
            assert (await receive())["type"] == "lifespan.shutdown"
            self.told.append("shut down")
            await send({"type": "lifespan.shutdown.complete"})
            return
        self.streaming.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.told.append("cut")

    async def send(self, message) -> None:
        self.told.append(message["type"].removeprefix("lifespan."))

    async def connection(self) -> asyncio.Task:
        task = asyncio.ensure_future(self.draining(OPEN, self.words.get, self.send))
        await self.streaming.wait()
        return task

    async def lifespan(self) -> asyncio.Task:
        await self.words.put({"type": "lifespan.startup"})
        task = asyncio.ensure_future(self.draining(LIFESPAN, self.words.get, self.send))
        await self.started.wait()
        return task


async def within(task: asyncio.Task) -> None:
    await asyncio.wait_for(asyncio.shield(task), 5)


async def test_leaving_shuts_the_application_down_before_it_cuts_streams():
    story = Story()
    lifespan, stream = await story.lifespan(), await story.connection()
    story.draining.leave()
    await within(lifespan)
    await within(stream)
    assert story.told == ["started", "startup.complete", "shut down", "cut", "shutdown.complete"]


async def test_the_servers_own_shutdown_works_as_without_it():
    story = Story()
    lifespan = await story.lifespan()
    await story.words.put({"type": "lifespan.shutdown"})
    await within(lifespan)
    assert story.told == ["started", "startup.complete", "shut down", "shutdown.complete"]


async def test_leaving_before_the_start_does_nothing():
    story = Story()
    story.draining.leave()
    assert story.told == []


async def test_a_connection_that_its_server_cancels_is_cancelled():
    story = Story()
    stream = await story.connection()
    stream.cancel()
    with pytest.raises(asyncio.CancelledError):
        await within(stream)
    await asyncio.sleep(0)
    assert story.told == ["cut"]


async def test_an_application_that_breaks_breaks_its_connection():
    async def broken(scope, receive, send):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Draining(broken)(OPEN, None, None)
