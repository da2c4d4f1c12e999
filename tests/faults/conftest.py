"""Real processes, real databases, and what goes wrong with them. All tests here carry the marker `faults`."""

import asyncio
import itertools
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chat_app.data.db import Database
from tests.support.fault_agent import FaultAgent, fault_agent
from tests.support.processes import ROOT

pytest_plugins = ("tests.support.databases",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.faults)


@dataclass
class Running:
    """The services in a process of their own."""

    process: asyncio.subprocess.Process
    log: Path
    ids: itertools.count = field(default_factory=lambda: itertools.count(1))
    answers: dict[int, asyncio.Future] = field(default_factory=dict)
    listening: asyncio.Task | None = None

    async def click(self, do: str, *, text: str = "", thread: str | None = None, **more: str) -> dict:
        """Click and wait until it is committed or refused."""
        number = next(self.ids)
        said = self.answers[number] = asyncio.get_running_loop().create_future()
        line = {"id": number, "do": do, "thread": thread, "text": text, **more}
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        return await asyncio.wait_for(said, 60)

    async def listen(self) -> None:
        while line := await self.process.stdout.readline():
            said = json.loads(line)
            if (waiting := self.answers.pop(said["id"], None)) is not None and not waiting.done():
                waiting.set_result(said)
        for waiting in self.answers.values():
            waiting.cancel()

    async def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        await self.process.wait()
        await self.listening


@pytest.fixture
async def agent() -> AsyncIterator[FaultAgent]:
    async with fault_agent() as played:
        yield played


@pytest.fixture
async def launch(tmp_path: Path, database_url: str, agent: FaultAgent) -> AsyncIterator[Callable]:
    """Start the services in a process, as often as a test likes; none outlives it."""
    started: list[Running] = []

    async def start(**settings: str) -> Running:
        log = tmp_path / f"process-{len(started)}.log"
        environment = {
            "PARLEY_DATA_DIR": str(tmp_path),
            "PARLEY_DATABASE_URL": database_url,
            "PARLEY_AGENT_URL": agent.url,
            **settings,
        }
        with log.open("wb") as out:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.support.services_process"),
                cwd=ROOT,
                env={**os.environ, **environment},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=out,
            )
        running = Running(process, log)
        started.append(running)
        ready = running.answers[0] = asyncio.get_running_loop().create_future()
        running.listening = asyncio.ensure_future(running.listen())
        await asyncio.wait({ready, running.listening}, timeout=60, return_when=asyncio.FIRST_COMPLETED)
        assert ready.done(), log.read_text()[-3000:]
        return running

    yield start
    for running in started:
        if running.process.returncode is None:
            await running.kill()


@pytest.fixture
def database(database_url: str):
    opened = Database(database_url)
    yield opened
    opened.dispose()
