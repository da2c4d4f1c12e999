"""`parley run --workers 2`: one command, two processes, one conversation; refused where they could not share."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import expect

from chat_app.data.db import Database
from tests.fakes import until
from tests.support.chromium import DESKTOP, chromium, needs_chromium, new_tab
from tests.support.fault_agent import FaultAgent
from tests.support.parley import running_parley
from tests.support.processes import ROOT, free_port
from tests.support.sql_looks import ends, settled

pytest_plugins = ("tests.support.redis",)

COMMAND = (sys.executable, "-m", "chat_app", "run", "--workers", "2")


def refusal(tmp_path: Path, **environment: str) -> str:
    """Return what the command says when it does not start."""
    found = subprocess.run(
        [*COMMAND, "--port", str(free_port())],
        cwd=ROOT,
        env={**os.environ, "PARLEY_DATA_DIR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode != 0
    assert "Traceback" not in found.stderr
    return found.stdout + found.stderr


def test_several_workers_on_sqlite_are_refused_with_the_reason(tmp_path: Path):
    said = refusal(tmp_path)
    assert "2 workers need a PostgreSQL database, because SQLite has one writer" in said


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_several_workers_without_redis_are_refused_with_the_reason(tmp_path: Path, database_url: str):
    said = refusal(tmp_path, PARLEY_DATABASE_URL=database_url)
    assert "2 workers need a Redis, because a tab's clicks may reach any of them" in said


def serving(pid: int) -> set[int]:
    """Return the processes that serve: those the command spawned, without Python's own helpers."""
    children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return {int(line) for line in children.stdout.split() if is_worker(int(line))}


def is_worker(pid: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has gone meanwhile
        return False


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_two_workers_of_one_command_are_replaced_when_they_die_and_their_run_is_closed(
    tmp_path: Path, database: Database, database_url: str, redis_url: str, agent: FaultAgent
):
    settings = {
        "PARLEY_DATABASE_URL": database_url,
        "PARLEY_REDIS_URL": redis_url,
        "PARLEY_AGENT_URL": agent.url,
        "PARLEY_AWKWARD_AGENT": "false",
        "PARLEY_WORKERS": "2",
    }
    async with running_parley(tmp_path / "house", **settings) as parley, chromium() as browser:
        workers = serving(parley.process.pid)
        assert len(workers) == 2
        tab = await new_tab(await browser.new_context(viewport=DESKTOP), parley.url)
        await tab.begin("stream")
        await expect(tab.log).to_contain_text("word30")
        for worker in workers:  # one of them drives the answer
            os.kill(worker, signal.SIGKILL)
            await until(lambda worker=worker: len(serving(parley.process.pid) - {worker}) == 2, seconds=60)
        await settled(database, seconds=60)
        thread = tab.path.rpartition("/")[2]
        assert ends(database, thread) == [("failed", "SERVER_RESTART")]
        await expect(tab.notes).to_be_visible()
        await expect(tab.log).to_contain_text("word30")
        await tab.say("short")
        await expect(tab.answers).to_have_count(2)
        await expect(tab.answers.last).to_contain_text("word19")
        await tab.page.reload()
        await expect(tab.lines).to_have_count(2)
        assert await parley.stop() == 0
