"""Starts a server of its own process, waits for its port and its words, and always ends it."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass
class Server:
    port: int
    process: asyncio.subprocess.Process
    said: list[str] = field(default_factory=list)
    heard: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def listen(self) -> None:
        while line := await self.process.stdout.readline():
            async with self.heard:
                self.said.append(line.decode())
                self.heard.notify_all()

    async def says(self, words: str, *, within: float = 5.0) -> str:
        """Wait for a line that holds these words."""
        async with asyncio.timeout(within), self.heard:
            await self.heard.wait_for(lambda: any(words in line for line in self.said))
        return next(line for line in self.said if words in line)

    async def answers(self, *, within: float = 60.0) -> None:
        """Wait until the port takes connections; fails at once when the process ends instead."""
        async with asyncio.timeout(within):
            while not await self._connects():
                assert self.process.returncode is None, "".join(self.said)
                await asyncio.sleep(0.02)

    async def _connects(self) -> bool:
        try:
            _reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True


LOWEST, MANY = 10_000, 22_000
"""Ports below those that the system gives to whoever asks for any: what is chosen here is bound seconds later."""
APART = 1_009
"""How far from each other two processes that run tests begin to look."""
_ports = (LOWEST + number % MANY for number in count(os.getpid() * APART))


def free_port() -> int:
    """Return a port nobody listens on, and that nobody else who asks here is given soon."""
    return next(filter(_is_free, _ports))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@asynccontextmanager
async def running(arguments: Sequence[str], *, port: int, **environment: str) -> AsyncIterator[Server]:
    """Run ``python *arguments`` until the block ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    server = Server(port, process)
    listening = asyncio.ensure_future(server.listen())
    try:
        await server.answers()
        yield server
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 10)
        except TimeoutError:
            process.kill()
            await process.wait()
        await listening
