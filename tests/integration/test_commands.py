"""The commands of the README, as somebody who follows it types them."""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.parley import running_parley
from tests.support.processes import ROOT, free_port, running

BIN = Path(sys.executable).parent
EXAMPLE = "examples/pydantic_ai_agent.py"

pytestmark = pytest.mark.live


def typed(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def parley(*arguments: str, data: Path) -> subprocess.CompletedProcess[str]:
    """`.venv/bin/parley …`, by the interpreter that runs the tests."""
    return typed(sys.executable, "-m", "chat_app", *arguments, PARLEY_DATA_DIR=str(data))


def test_parley_db_upgrade_makes_the_tables_and_then_has_nothing_to_do(tmp_path: Path):
    first, second = (parley("db", "upgrade", data=tmp_path) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert "up to date" in second.stdout


def test_parley_config_names_values_and_sources_and_masks_secrets(tmp_path: Path):
    shown = typed(
        *(sys.executable, "-m", "chat_app", "config"),
        PARLEY_DATA_DIR=str(tmp_path),
        PARLEY_AGENT_TOKEN="not-for-your-eyes",
    )
    assert shown.returncode == 0, shown.stderr
    assert str(tmp_path) in shown.stdout
    assert "not-for-your-eyes" not in shown.stdout + shown.stderr


def test_parley_doctor_finds_a_healthy_house(tmp_path: Path):
    parley("db", "upgrade", data=tmp_path)
    found = parley("doctor", "--json", data=tmp_path)
    assert found.returncode == 0, found.stdout
    assert {"versions", "database", "page", "agent"} <= {
        finding["subject"] for finding in json.loads(found.stdout)
    }


async def test_parley_run_talks_to_the_agent_that_parley_agent_url_names(tmp_path: Path):
    port = free_port()
    address = f"http://127.0.0.1:{port}/agent"  # PARLEY_AGENT_URL=http://127.0.0.1:8001/agent make run
    async with (
        running([EXAMPLE, "--port", str(port)], port=port),  # pydantic_ai_agent.py --port 8001
        running_parley(tmp_path / "data", PARLEY_AGENT_URL=address) as started,
    ):
        seen = parley("doctor", data=started.data)
        assert "agent" in seen.stdout


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the sqlite3 command is not installed here")
async def test_the_backup_of_a_running_parley_holds_its_tables(tmp_path: Path):
    copy = tmp_path / "parley-backup.db"
    async with running_parley(tmp_path / "data") as started:
        done = typed("sqlite3", str(started.data / "parley.db"), f".backup {copy}")
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(copy) as database:
        assert database.execute("SELECT count(*) FROM user").fetchone() == (1,)


def test_the_example_installs_what_the_readme_says():
    asked = typed(sys.executable, "-m", "pip", "install", "--dry-run", "pydantic-ai-slim[ag-ui]", "uvicorn")
    assert asked.returncode == 0, asked.stderr


async def test_make_bench_knows_its_benchmarks():
    shown = await asyncio.to_thread(typed, "make", "--dry-run", "bench")
    assert shown.returncode == 0, shown.stderr
    assert "benchmarks/push.py" in shown.stdout
    for name in ("push.py", "start.py"):
        usage = await asyncio.to_thread(typed, sys.executable, f"benchmarks/{name}", "--help")
        assert usage.returncode == 0, usage.stderr
