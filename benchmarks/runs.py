"""What many runs cost: 200 streams of 20 people in one worker, commits, a long thread, a long list, memory.

The agent and the followers run in processes of their own; the worker is served as Parley is, by Granian. Every token
carries the time at which it left the agent, so that a follower knows how late it is.

    python benchmarks/runs.py                 everything, on a SQLite file of its own
    python benchmarks/runs.py --streams 20    a shorter look
"""

import argparse
import asyncio
import json
import os
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402 - the checkout is not installed
import uvicorn  # noqa: E402
import websockets  # noqa: E402
from granian.constants import Interfaces  # noqa: E402
from granian.server.embed import Server  # noqa: E402
from sqlalchemy import Engine, event, insert  # noqa: E402
from starlette.applications import Starlette  # noqa: E402
from starlette.requests import Request  # noqa: E402
from starlette.responses import JSONResponse, PlainTextResponse, StreamingResponse  # noqa: E402
from starlette.routing import Route  # noqa: E402
from starlette.types import ASGIApp  # noqa: E402

from benchmarks.common import (  # noqa: E402
    Target,
    clean_environment,
    cpu_seconds,
    free_port,
    machine,
    print_targets,
    resident_mb,
)
from chat_app import wiring  # noqa: E402
from chat_app.cli import logs  # noqa: E402
from chat_app.data import auth_sessions, users  # noqa: E402
from chat_app.data.db import Database  # noqa: E402
from chat_app.data.ids import new_id  # noqa: E402
from chat_app.data.migrate import upgrade  # noqa: E402
from chat_app.data.records import AuthSessionRecord, UserRecord  # noqa: E402
from chat_app.data.tables import Message, Thread, table_of  # noqa: E402
from chat_app.services import holder  # noqa: E402
from chat_app.services.live import LiveThread  # noqa: E402
from chat_app.services.views import read_view  # noqa: E402
from chat_app.settings import load_settings  # noqa: E402
from chat_app.web import live  # noqa: E402
from chat_app.web.guard import Guard, person_of  # noqa: E402

MESSAGES = 10_000
THREADS = 100_000
PEOPLE = 20
SOAK_THREADS = 200
SOAK_RUNS = 20


# ---------------------------------------------------------------- the agent, in a process of its own


def agent(port: int) -> None:
    """Serve `POST /?rate=&tokens=`: tokens that say when they left."""

    async def run(request: Request) -> StreamingResponse:
        asked = await request.json()
        rate, tokens = (float(word) for word in asked["messages"][-1]["content"].split())
        return StreamingResponse(said(asked, rate, int(tokens)), media_type="text/event-stream")

    async def said(asked: dict, rate: float, tokens: int):
        ids, key = {"threadId": asked["threadId"], "runId": asked["runId"]}, f"{asked['runId']}-a"
        yield line(type="RUN_STARTED", **ids)
        yield line(type="TEXT_MESSAGE_START", messageId=key, role="assistant")
        loop = asyncio.get_running_loop()
        start = loop.time()
        for number in range(tokens):
            await asyncio.sleep(max(0.0, start + number / rate - loop.time()))
            yield line(type="TEXT_MESSAGE_CONTENT", messageId=key, delta=f"{time.time():.3f} ")
        yield line(type="TEXT_MESSAGE_END", messageId=key)
        yield line(type="RUN_FINISHED", **ids)

    uvicorn.run(Starlette(routes=[Route("/", run, methods=["POST"])]), port=port, log_level="error")


def line(**fields: str) -> bytes:
    return f"data: {json.dumps(fields)}\n\n".encode()


# ---------------------------------------------------------------- the services, in a process of their own


def server(port: int) -> None:
    """Serve the live channel of one worker, and `/send` and `/stats` for this benchmark."""
    settings = load_settings()
    logs.configure(settings)
    services = wiring.build(settings)
    holder.install(services)
    commits: list[float] = []
    event.listen(Engine, "commit", lambda _: commits.append(time.time()))

    async def page(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("")

    async def send(request: Request) -> JSONResponse:
        asked = await request.json()
        person = person_of(request.scope)
        return JSONResponse(await services.chat.send(person, asked["thread"], asked["text"]))

    async def stats(_request: Request) -> JSONResponse:
        rss = resident_mb([os.getpid()])
        lives = len(services.supervisor._lives)  # noqa: SLF001 - a benchmark looks inside
        return JSONResponse({"commits": len(commits), "rss": rss, "lives": lives})

    @asynccontextmanager
    async def lifespan(_app: Starlette):
        await services.start()
        yield
        await services.stop()

    routes = [
        live.ROUTE,
        Route("/", page),
        Route("/api/send", send, methods=["POST"]),
        Route("/stats", stats),
    ]
    inner = Starlette(routes=routes, lifespan=lifespan)
    hosts = frozenset({f"127.0.0.1:{port}"})
    asyncio.run(serve(Guard(inner, accounts=services.accounts, hosts=hosts), port))


async def serve(app: ASGIApp, port: int) -> None:
    served = Server(app, port=port, interface=Interfaces.ASGI, log_enabled=False)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, served.stop)
    await served.serve()


# ---------------------------------------------------------------- the followers, in a process of their own


class Followers:
    """Follows threads through one run each, and notes how late every token is."""

    def __init__(self, url: str, threads: list[str]) -> None:
        self.url = url
        self.late: list[float] = []
        self.waiting = set(threads)

    async def follow(self, cookie: str, thread: str) -> None:
        """Follow a thread until its run ends."""
        headers = {"Cookie": cookie, "Origin": self.url}
        address = f"{self.url.replace('http', 'ws')}/api/live"
        async with websockets.connect(address, additional_headers=headers, max_size=None) as socket:
            await socket.send(json.dumps({"sub": thread, "after": ""}))
            async for text in socket:
                if self.heard(thread, json.loads(text), time.time()):
                    return

    def heard(self, thread: str, frame: dict, now: float) -> bool:
        """Note a frame; return whether it ends the run."""
        if "snapshot" in frame and thread in self.waiting:
            self.waiting.discard(thread)
            if not self.waiting:
                print("ready", flush=True)
        for op in frame.get("ops", ()):
            if op[0] == "+":
                self.late.extend((now - float(word)) * 1000 for word in op[1].split())
            if op[0] == "run" and op[1]["status"] == "idle":
                return True
        return False


async def followers(url: str, threads: list[list[str]]) -> None:
    """Follow (cookie, thread) pairs; print `ready` when all are followed, at the end how late tokens were, in ms."""
    seen = Followers(url, [thread for _, thread in threads])
    await asyncio.gather(*(seen.follow(*one) for one in threads))
    print(json.dumps(sorted(seen.late)), flush=True)


# ---------------------------------------------------------------- the benchmarks


class House:
    """A worker, an agent, and the people who use it."""

    def __init__(self, folder: Path) -> None:
        self.agent_port, self.port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = clean_environment(
            PARLEY_DATA_DIR=str(folder),
            PARLEY_PORT=str(self.port),
            PARLEY_AGENT_URL=f"http://127.0.0.1:{self.agent_port}/",
            PARLEY_LOG_LEVEL="error",
            PARLEY_RUNS_PER_USER="1000",
        )
        os.environ.update(self.environment)
        self.settings = load_settings()
        self.database = Database(f"sqlite:///{folder / 'parley.db'}")
        upgrade(self.database)
        self.database.dispose()
        self.processes = [self.started("agent", str(self.agent_port)), self.started("server", str(self.port))]
        self.people = [self._person(number) for number in range(PEOPLE)]
        self.client = httpx.Client(base_url=self.url, timeout=60, headers={"Origin": self.url})
        self._wait()

    def _person(self, number: int) -> str:
        """Let somebody be signed in; return the session, as a browser sends it."""
        now, token = datetime.now(UTC), secrets.token_urlsafe()
        with self.database.transaction() as session:
            user = users.ensure(
                session,
                UserRecord(id=new_id(), name=f"p{number}", display_name="", roles=("user",), created=now),
            )
            sign_in = AuthSessionRecord(
                id=new_id(),
                user=user.id,
                token_hash=sha256(token.encode()).hexdigest(),
                created=now,
                expires_at=now + timedelta(days=1),
                last_seen=now,
            )
            auth_sessions.create(session, sign_in)
        return f"{wiring.cookie(self.settings).name}={token}"

    def started(self, *words: str) -> subprocess.Popen[str]:
        """Start this file in another role."""
        return subprocess.Popen(
            [sys.executable, __file__, "--role", *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _wait(self) -> None:
        """Wait until the worker serves."""
        for _ in range(600):
            try:
                self.stats()
            except httpx.ConnectError:
                time.sleep(0.1)  # noqa: TID251 - a process that starts cannot wake us
            else:
                return

    def send(self, text: str, thread: str | None = None, *, by: int = 0) -> str:
        """Let somebody say something, and return the thread."""
        headers = {"Cookie": self.people[by]}
        return self.client.post("/api/send", json={"thread": thread, "text": text}, headers=headers).json()

    def stats(self) -> dict[str, float]:
        """Return what the worker has counted."""
        return self.client.get("/stats", headers={"Cookie": self.people[0]}).json()

    def idle(self) -> None:
        """Wait until no run is live."""
        while self.stats()["lives"]:
            time.sleep(0.05)  # noqa: TID251 - as above

    def close(self) -> None:
        """End every process."""
        for process in self.processes:
            process.terminate()
            process.wait()


def many_streams(house: House, streams: int, seconds: int) -> list[Target]:
    threads = [house.send("1000 1", by=number % PEOPLE) for number in range(streams)]
    house.idle()
    pairs = [(house.people[number % PEOPLE], thread) for number, thread in enumerate(threads)]
    watching = house.started("followers", house.url, json.dumps(pairs))
    assert watching.stdout.readline() == "ready\n"
    cpu, began = cpu_of(house.processes), time.time()
    for number, thread in enumerate(threads):
        house.send(f"20 {20 * seconds}", thread, by=number % PEOPLE)
    # the time in which every stream runs and none begins or ends
    before, at = house.stats(), time.time()
    time.sleep(max(1.0, began + seconds - at - 1.0))  # noqa: TID251 - a benchmark measures time
    rate = (house.stats()["commits"] - before["commits"]) / (time.time() - at)
    agent_cpu, cpu = (used - then for used, then in zip(cpu_of(house.processes), cpu, strict=True))
    took, after = time.time() - began, house.stats()
    late = json.loads(watching.communicate(timeout=seconds + 120)[0])
    house.idle()
    p95 = late[int(len(late) * 0.95)]
    print(f"{streams} streams at 20 tok/s: {len(late):,} tokens, p50 {statistics.median(late):.0f} ms,")
    print(
        f"  p95 {p95:.0f} ms, CPU {100 * cpu / took:.0f} % of a core (the agent's {100 * agent_cpu / took:.0f} %),"
    )
    print(f"  RSS {after['rss']:.0f} MB; all were begun after {at - began:.1f} s")
    return [
        Target(f"{streams} streams, p95 lag", p95, 300, "ms"),
        Target("their commits between boundaries", rate, 5, "/s"),
    ]


def cpu_of(processes: list[subprocess.Popen[str]]) -> list[float]:
    return [cpu_seconds([process.pid]) for process in processes]


def one_stream(house: House) -> list[Target]:
    before = house.stats()["commits"]
    house.send("100 1000")
    house.idle()
    commits = house.stats()["commits"] - before
    return [Target("commits of 1,000 tokens at 100/s", commits, 60, "")]


def soak(house: House) -> list[Target]:
    rss: list[float] = []
    for number in range(SOAK_THREADS):
        thread = None
        for _ in range(SOAK_RUNS):
            thread = house.send("100000 20", thread)
            house.idle()
        rss.append(house.stats()["rss"])
        if number % 20 == 19:
            print(f"  {number + 1} threads: {rss[-1]:.0f} MB", flush=True)
    factor = rss[-1] / rss[19]
    return [Target("RSS after 200 threads of 20 runs", factor, 1.1, "x")]


def long_thread_and_list(house: House) -> list[Target]:
    thread = house.send("1000 1")
    house.idle()
    with house.database.transaction() as session:
        first = (
            session.execute(table_of(Thread).select().where(table_of(Thread).c.id == thread)).mappings().one()
        )
        grow(session, first)
    view_ms = timed(lambda: opened(house.database, thread))
    services = wiring.build(load_settings())
    owner = first["owner"]
    list_ms = timed(lambda: services.threads._list(owner))  # noqa: SLF001 - what a first page costs
    return [
        Target(f"server's part of opening {MESSAGES:,} messages", view_ms, 100, "ms"),
        Target(f"first page of {THREADS:,} threads", list_ms, 50, "ms"),
    ]


def opened(database: Database, thread: str) -> None:
    with database.reading() as session:
        LiveThread(thread, new_id(), read_view(session, thread)).snapshot()


def grow(session, first) -> None:
    now = datetime.now(UTC)
    body = [
        {"kind": "text", "key": "p", "text": "word " * 60, "streaming": False, "started": "", "ended": ""}
    ]
    message = dict(
        session.execute(table_of(Message).select().where(table_of(Message).c.thread == first["id"]))
        .mappings()
        .first()
    )
    lines = [
        {**message, "id": new_id(), "position": 100 + n, "key": f"k{n}", "wire_id": f"k{n}", "content": body,
         "role": ("user", "assistant")[n % 2], "parent": None}
        for n in range(MESSAGES)
    ]  # fmt: skip
    session.execute(insert(table_of(Message)), lines)
    others = [
        {
            **first,
            "id": (made := new_id()),
            "wire_id": made,
            "leaf": None,
            "updated": now - timedelta(seconds=n),
        }
        for n in range(THREADS)
    ]
    session.execute(insert(table_of(Thread)), others)


def timed(work) -> float:
    """Return the median of eleven, in milliseconds."""
    spans = []
    for _ in range(11):
        start = time.perf_counter()
        work()
        spans.append((time.perf_counter() - start) * 1000)
    return statistics.median(spans)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--streams", type=int, default=200, help="streams at once")
    parser.add_argument("--seconds", type=int, default=90, help="how long each of them streams")
    parser.add_argument("--no-soak", action="store_true", help="leave out the 4,000 runs of the memory test")
    parser.add_argument("--role", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        play(*options.role)
        return
    print(machine())
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        house = House(Path(folder))
        try:
            targets = many_streams(house, options.streams, options.seconds)
            targets += one_stream(house)
            if not options.no_soak:
                targets += soak(house)
            targets += long_thread_and_list(house)
        finally:
            house.close()
    print_targets(targets)


def play(role: str, *words: str) -> None:
    if role == "agent":
        agent(int(words[0]))
    elif role == "server":
        server(int(words[0]))
    else:
        asyncio.run(followers(words[0], json.loads(words[1])))


if __name__ == "__main__":
    main()
