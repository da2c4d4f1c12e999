"""Starts the product as a person does, with a folder of its own, and lets a test stop, kill and restart it."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.support.processes import ROOT, free_port

START_S = 90.0
"""The first start of a test run may have to build the page."""


@dataclass
class Parley:
    """One installation: its data folder and its port outlive the process."""

    data: Path
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def log(self) -> Path:
        return self.data / "server.log"

    async def start(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        settings = {"PARLEY_DATA_DIR": str(self.data), "PARLEY_AWKWARD_AGENT": "true", **self.environment}
        with self.log.open("ab") as output:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "chat_app", "run", "--port", str(self.port)),
                cwd=ROOT,
                env={**os.environ, **settings},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        await self._answers()

    async def kill(self) -> None:
        """End every process of it at once, as a power cut would."""
        await self._signal(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to end, as a service manager does; return its exit code."""
        return await self._signal(signal.SIGTERM)

    async def _signal(self, number: signal.Signals) -> int:
        assert self.process is not None
        with suppress(ProcessLookupError):
            if number is signal.SIGKILL:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)
        async with asyncio.timeout(20):
            return await self.process.wait()

    async def _answers(self) -> None:
        assert self.process is not None
        async with asyncio.timeout(START_S), httpx.AsyncClient() as client:
            while not await _is_up(client, f"{self.url}/healthz"):
                assert self.process.returncode is None, self.log.read_text()
                await asyncio.sleep(0.05)


async def _is_up(client: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await client.get(url)).status_code == 200
    except httpx.TransportError:
        return False


@asynccontextmanager
async def running_parley(data: Path, *, port: int | None = None, **environment: str) -> AsyncIterator[Parley]:
    """Run Parley in `data` until the block ends, whatever state a test leaves it in."""
    parley = Parley(data, environment, port or free_port())
    await parley.start()
    try:
        yield parley
    finally:
        if parley.process is not None and parley.process.returncode is None:
            await parley.kill()
