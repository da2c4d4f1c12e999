"""What the benchmarks share: processes that always end, readings from /proc, and the tables they print.

Everything here waits for the thing itself, with a limit, and says what it waited for when the limit is over.
Linux only: CPU time and memory of other processes are read from /proc.
"""

import http.client
import os
import platform
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
END_WITHIN_S = 20.0
LOOK_EVERY_S = 0.005
TICKS = os.sysconf("SC_CLK_TCK")


class BenchmarkError(Exception):
    """A measurement that could not be made, in a sentence."""


# ---------------------------------------------------------------- processes


def clean_environment(**values: str) -> dict[str, str]:
    """Return this environment without Parley's and Reflex's settings, and with `values`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PARLEY_", "REFLEX_"))}
    return {**kept, "PYTHONUNBUFFERED": "1", **values}


@dataclass(frozen=True, slots=True)
class Line:
    """A line a process wrote, and when (`time.monotonic`)."""

    at: float
    text: str


@dataclass(slots=True)
class Process:
    """A process of its own session, whose lines are kept; leaving the `with` block ends it and its children."""

    command: Sequence[str]
    cwd: Path = ROOT
    env: Mapping[str, str] = field(default_factory=clean_environment)
    lines: list[Line] = field(default_factory=list)
    started: float = 0.0
    _popen: subprocess.Popen[str] | None = None
    _heard: "queue.SimpleQueue[Line | None]" = field(default_factory=queue.SimpleQueue)

    def __enter__(self) -> Self:
        self.started = time.monotonic()
        self._popen = subprocess.Popen(
            self.command,
            cwd=self.cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        threading.Thread(target=self._listen, name="listener", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def popen(self) -> "subprocess.Popen[str]":
        """The process, which exists inside the `with` block."""
        assert self._popen is not None, "the process was not started"
        return self._popen

    @property
    def pid(self) -> int:
        """Its id, which is also that of its session."""
        return self.popen.pid

    def wait_for(self, words: str, *, within: float) -> Line:
        """Return the first line that holds these words.

        Raises:
            BenchmarkError: the process ended or was silent for too long.
        """
        deadline = time.monotonic() + within
        while True:
            line = self._next(words, deadline)
            if words in line.text:
                return line

    def check_alive(self) -> None:
        """Raise when the process has ended by itself."""
        if self.popen.poll() is not None:
            raise BenchmarkError(f"{self.name} ended with {self.popen.returncode}:\n{self.tail()}")

    def end(self) -> None:
        """Ask the process to end, and after a while make it end; nothing of its session outlives this."""
        if self.popen.poll() is None:
            self.popen.terminate()
        try:
            self.popen.wait(END_WITHIN_S)
        except subprocess.TimeoutExpired:
            print(f"{self.name} did not end within {END_WITHIN_S:.0f} s and was killed", file=sys.stderr)
        finally:
            self._kill_session()

    @property
    def name(self) -> str:
        """The command, short enough for a sentence."""
        return " ".join(Path(word).name for word in self.command)

    def tail(self) -> str:
        """Return the last lines it wrote."""
        return "\n".join(f"    {line.text}" for line in self.lines[-15:]) or "    (it said nothing)"

    def _next(self, words: str, deadline: float) -> Line:
        try:
            line = self._heard.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise BenchmarkError(f"{self.name} did not say {words!r} in time:\n{self.tail()}") from None
        if line is None:
            raise BenchmarkError(f"{self.name} ended before it said {words!r}:\n{self.tail()}")
        return line

    def _listen(self) -> None:
        assert self.popen.stdout is not None
        for text in self.popen.stdout:
            line = Line(time.monotonic(), text.rstrip())
            self.lines.append(line)
            self._heard.put(line)
        self._heard.put(None)

    def _kill_session(self) -> None:
        for pid in session_of(self.pid):
            os.kill(pid, signal.SIGKILL)
        self.popen.wait()


@contextmanager
def ending_on_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind the `with` blocks, as Ctrl-C does."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    former = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def first_ok(url: str, process: Process, *, within: float) -> float:
    """Return the time (`time.monotonic`) of the first HTTP 200 for the page at `url`.

    Raises:
        BenchmarkError: the process ended, or did not answer in time.
    """
    pause, deadline = threading.Event(), time.monotonic() + within
    while time.monotonic() < deadline:
        if answers_ok(url):
            return time.monotonic()
        process.check_alive()
        pause.wait(LOOK_EVERY_S)
    raise BenchmarkError(f"{url} did not answer within {within:.0f} s:\n{process.tail()}")


def answers_ok(url: str) -> bool:
    """Tell whether the page at `url` answers with 200."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=10)
    try:
        connection.request("GET", place.path or "/", headers={"Accept": "text/html"})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


# ---------------------------------------------------------------- /proc


def tree_of(pid: int) -> list[int]:
    """Return a process and its descendants."""
    children = [
        int(child)
        for task in Path(f"/proc/{pid}/task").glob("*/children")
        for child in task.read_text().split()
    ]
    return [pid, *(below for child in children for below in tree_of(child))]


def session_of(pid: int) -> list[int]:
    """Return the processes of the session that `pid` leads, which are there even when it has gone."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = _stat(stat)
        if fields and int(fields[3]) == pid:
            found.append(int(stat.parent.name))
    return found


def cpu_seconds(pids: Sequence[int]) -> float:
    """Return the CPU time these processes have used, in user and system mode."""
    used = (_stat(Path(f"/proc/{pid}/stat")) for pid in pids)
    return sum(int(fields[11]) + int(fields[12]) for fields in used if fields) / TICKS


def resident_mb(pids: Sequence[int]) -> float:
    """Return the resident memory of these processes, in MB; pages they share are counted once each."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _stat(path: Path) -> list[str]:
    """Return the fields of a stat file after the name, which may hold spaces; empty when the process has gone."""
    try:
        return path.read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


# ---------------------------------------------------------------- words


@dataclass(frozen=True, slots=True)
class Target:
    """A figure with what it should be. `peer` is the best of eight other chats, measured the same way."""

    what: str
    measured: float
    most: float
    unit: str
    peer: str = ""

    def row(self) -> tuple[str, ...]:
        """Return the line of the table."""
        verdict = "met" if self.measured <= self.most else "MISSED"
        return (
            self.what,
            f"{self.measured:.4g} {self.unit}",
            f"≤ {self.most:g} {self.unit}",
            verdict,
            self.peer or "-",
        )


def print_targets(targets: Sequence[Target]) -> None:
    """Print each figure against what it should be."""
    print_table(
        ("figure", "measured", "target", "verdict", "best peer"), [target.row() for target in targets]
    )


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a header: the first column to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    for row in (header, ["─" * width for width in widths], *rows):
        cells = [
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  " + "  ".join(cells).rstrip())
    print()


def machine(**more: str) -> str:
    """Return what was measured on: processor, memory, system, versions, and how busy the machine was before."""
    packages = {name: version(name) for name in ("reflex", "granian", "ag-ui-protocol")}
    versions = {"Python": platform.python_version(), **packages, **more}
    return "\n".join(
        (
            f"{_processor()}, {os.cpu_count()} cores, {_memory_gb():.0f} GB, {platform.system()} {platform.release()}",
            ", ".join(f"{name} {number}" for name, number in versions.items()),
            f"load before: {os.getloadavg()[0]:.2f} (agent, server, browser and this script share the cores)",
        )
    )


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _memory_gb() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
