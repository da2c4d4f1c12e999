"""A throwaway Redis for a test run: a socket in a folder of its own, no port, nothing kept.

Use it by `pytest_plugins = ("tests.support.redis",)` and the fixture `redis_url`.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NotYet

from tests.support.processes import free_port


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a running Redis of this test run's own."""
    if shutil.which("redis-server") is None:
        pytest.skip("Redis is not installed here (no redis-server): what needs several workers did not run")
    folder, port = Path(tempfile.mkdtemp(prefix="parley-redis-")), free_port()
    with (folder / "out").open("wb") as out:
        server = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)],
            stdout=out,
            stderr=out,
        )
    url = f"redis://127.0.0.1:{port}"
    while not answers(url):
        assert server.poll() is None, (folder / "out").read_text()
    yield url
    server.terminate()
    server.wait(10)
    shutil.rmtree(folder)


def answers(url: str) -> bool:
    with Redis.from_url(url) as redis:
        try:
            return bool(redis.ping())
        except NotYet:
            return False
