"""A proxy without sticky sessions: each connection goes to the next server, past those that are down."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from tests.support.processes import free_port


class RoundRobin:
    """Forwards connections in turn."""

    def __init__(self) -> None:
        self.port = free_port()
        self.used: list[int] = []
        self._turns = itertools.count()
        self._ports: Sequence[int] = ()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def over(self, ports: Sequence[int]) -> None:
        self._ports = ports

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        turn = next(self._turns)
        for offset in range(len(self._ports)):
            port = self._ports[(turn + offset) % len(self._ports)]
            with suppress(OSError):
                up_reader, up_writer = await asyncio.open_connection("127.0.0.1", port)
                self.used.append(port)
                await asyncio.gather(pump(reader, up_writer), pump(up_reader, writer))
                return
        writer.close()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def round_robin() -> AsyncIterator[RoundRobin]:
    proxy = RoundRobin()
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", proxy.port)
    try:
        yield proxy
    finally:
        server.close()
