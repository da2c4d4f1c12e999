"""The commands of the README, as somebody who follows it types them."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.support.openai_server import Says, fake_openai
from tests.support.parley import Parley, running_parley
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


async def test_the_backup_of_a_running_parley_holds_its_tables(tmp_path: Path):
    copy = tmp_path / "parley-backup.db"
    async with running_parley(tmp_path / "data") as started:
        done = parley("db", "backup", str(copy), data=started.data)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT count(*) FROM user").fetchone() == (1,)


def test_the_example_installs_what_the_readme_says():
    asked = typed(sys.executable, "-m", "pip", "install", "--dry-run", "pydantic-ai-slim[ag-ui]", "uvicorn")
    assert asked.returncode == 0, asked.stderr


def test_the_extras_for_a_model_install_what_the_readme_says():
    asked = typed(
        sys.executable, "-m", "pip", "install", "--dry-run", "--no-build-isolation", ".[models,mcp]"
    )
    assert asked.returncode == 0, asked.stderr


def line_of(text: str) -> dict[str, object]:
    return {
        "threadId": "thread",
        "runId": "run",
        "protocolVersion": "1.0",
        "state": {},
        "tools": [],
        "context": [],
        "forwardedProps": {},
        "messages": [{"id": "u1", "role": "user", "content": text}],
    }


def bearer(started: Parley) -> dict[str, str]:
    token = (started.data / "agent-token").read_text("utf-8").strip()
    return {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}


async def test_with_parley_model_the_embedded_agent_thinks(tmp_path: Path):
    """PARLEY_MODEL=openai:gpt-5 PARLEY_MODEL_KEY=… make run, at a stand-in that the provider's library is told of."""
    async with fake_openai() as fake:
        fake.answers = [Says(text="Hello from the model.")]
        named = {"PARLEY_MODEL": "openai:gpt-5", "PARLEY_MODEL_KEY": "a-key", "OPENAI_BASE_URL": fake.url}
        async with running_parley(tmp_path / "data", **named) as started, httpx.AsyncClient() as client:
            headers = bearer(started)
            answer = await client.post(
                f"{started.url}/agent", json=line_of("Hi"), headers=headers, timeout=60
            )
    assert "Hello" in answer.text, answer.text
    assert (fake.requests[0]["model"], fake.keys) == ("gpt-5", ["Bearer a-key"])
    assert "add_task" in fake.offered()


def test_a_model_without_its_key_stops_the_start_with_one_sentence(tmp_path: Path):
    data = {"PARLEY_DATA_DIR": str(tmp_path), "PARLEY_MODEL": "openai:gpt-5"}
    refused = typed(sys.executable, "-m", "chat_app", "run", "--port", str(free_port()), **data)
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1] == "The model gpt-5 needs its provider's key, and there is none."
    assert "Traceback" not in refused.stdout + refused.stderr


def children(pid: int) -> list[int]:
    listed = typed("ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)).stdout.splitlines()
    return [int(line.split()[0]) for line in listed if "spawn_main" in line]


async def test_a_signal_to_the_worker_alone_ends_it_although_an_answer_never_does(tmp_path: Path):
    async with running_parley(tmp_path / "data") as started, httpx.AsyncClient(timeout=60) as client:
        silent, headers = line_of("Say nothing"), bearer(started)
        async with client.stream("POST", f"{started.url}/agent", json=silent, headers=headers) as answer:
            assert "RUN_STARTED" in await anext(answer.aiter_text())
            assert started.process is not None
            (worker,) = children(started.process.pid)
            os.kill(worker, signal.SIGTERM)
            async with asyncio.timeout(20):
                assert await started.process.wait() == 1


async def test_make_bench_knows_its_benchmarks():
    shown = await asyncio.to_thread(typed, "make", "--dry-run", "bench")
    assert shown.returncode == 0, shown.stderr
    assert "benchmarks/push.py" in shown.stdout
    for name in ("push.py", "start.py"):
        usage = await asyncio.to_thread(typed, sys.executable, f"benchmarks/{name}", "--help")
        assert usage.returncode == 0, usage.stderr
