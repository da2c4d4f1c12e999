"""A TCP proxy that can cut connections the way a lost network does: one side sees a reset, the other sees nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.support.processes import free_port


class Proxy:
    """Forwards one port to another until it is told to cut."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._target = target
        self._open: list[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._open.append((writer, up_writer))
        await asyncio.gather(self._pump(reader, up_writer), self._pump(up_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    def cut(self) -> int:
        """Reset every connection towards the browser and leave the server's half open; return how many there were."""
        cut, self._open = self._open, []
        for towards_browser, _ in cut:
            towards_browser.transport.abort()
        return len(cut)


@asynccontextmanager
async def proxied(target: int) -> AsyncIterator[Proxy]:
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", proxy.port)
    try:
        yield proxy
    finally:
        proxy.cut()
        server.close()
