"""How long a start takes: the first one in a fresh clone, and the ones after it, each until the first HTTP 200.

Clones the committed state of this repository into a temporary folder and runs `make run PORT=…` there, with an empty
home that lends nothing but package caches and the settings that say where packages come from. The first clone may
fill the caches; the second one finds them warm, and is the figure. Then the same clone is started again several
times, with nothing to install or to build.

    make bench          or: .venv/bin/python benchmarks/start.py [--times 5] [--source .]
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from common import (
    ROOT,
    BenchmarkError,
    Process,
    Target,
    clean_environment,
    ending_on_sigterm,
    first_ok,
    free_port,
    machine,
    print_table,
    print_targets,
)

FIRST_WITHIN_S = 600.0
AGAIN_WITHIN_S = 60.0
HOME = Path.home()
LENT = (".config/pip/pip.conf", ".pip/pip.conf", ".npmrc", ".bunfig.toml")
"""Settings of a person that say where packages come from; everything else of the home stays behind."""

PHASES = {
    "Making .venv": "venv",
    "Installing the packages": "install",
    "Bringing the database": "database",
    "Building the page": "build",
}
"""What the start says when a phase begins, and what the table calls it."""

STAMP = Path(".web", "parley.stamp")
"""Written when the page has been built: there the build ends and the server begins to load."""


@dataclass(frozen=True, slots=True)
class Start:
    """One start: seconds until the first HTTP 200, and how many of them each phase took."""

    seconds: float
    phases: dict[str, float]


def first_start(source: Path, home: Path, clone: Path) -> Start:
    """Clone the repository and start it there for the first time."""
    begun = time.monotonic()
    command = ("git", "clone", "--quiet", str(source), str(clone))
    cloned = subprocess.run(command, env=environment(home), capture_output=True, text=True, check=False)
    if cloned.returncode:
        raise BenchmarkError(f"The repository could not be cloned: {cloned.stderr.strip()}")
    cloning = time.monotonic() - begun
    start = timed(clone, home, within=FIRST_WITHIN_S)
    return Start(start.seconds + cloning, {"clone": cloning, **start.phases})


def timed(clone: Path, home: Path, *, within: float) -> Start:
    """Start what is in `clone` by its own command, and stop it when it has answered."""
    port = free_port()
    with Process(("make", "run", f"PORT={port}"), cwd=clone, env=environment(home)) as process:
        answered = first_ok(f"http://127.0.0.1:{port}/", process, within=within)
        return Start(answered - process.started, phases(process, answered, clone / STAMP))


def phases(process: Process, answered: float, stamp: Path) -> dict[str, float]:
    """Return the seconds of each phase: it begins when the process says so and ends where the next one begins."""
    marks = [(process.started, "check")]
    for line in list(process.lines):
        marks += [(line.at, name) for words, name in PHASES.items() if line.text.startswith(words)]
    marks += [(built, "server")] if (built := written_at(stamp)) > marks[-1][0] else []
    if len(marks) == 1:
        marks = [(process.started, "server")]  # nothing was to be done before it
    ends = pairwise([*marks, (answered, "")])
    return {name: ended - begun for (begun, name), (ended, _) in ends}


def written_at(file: Path) -> float:
    """Return when a file was last written, by `time.monotonic`."""
    return time.monotonic() - (time.time() - file.stat().st_mtime)


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a start: an empty home, and the package caches of the real one."""
    caches = {"PIP_CACHE_DIR": pip_cache(), "BUN_INSTALL_CACHE_DIR": str(HOME / ".bun" / "install" / "cache")}
    own = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache"), "XDG_CONFIG_HOME": str(home / ".config"),
           "XDG_DATA_HOME": str(home / ".local" / "share")}  # fmt: skip
    left_out = ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL")
    inherited = {name: value for name, value in clean_environment().items() if name not in left_out}
    return {**inherited, **own, **caches}


def pip_cache() -> str:
    """Return where pip keeps what it has downloaded."""
    command = (sys.executable, "-m", "pip", "cache", "dir")
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or str(HOME / ".cache" / "pip")


def empty_home(folder: Path) -> Path:
    """Make a home that holds nothing but the settings of `LENT`."""
    home = folder / "home"
    home.mkdir()
    for name in filter(lambda name: (HOME / name).is_file(), LENT):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOME / name, home / name)
    return home


def print_starts(starts: dict[str, Start]) -> None:
    """Print where the time of each start went."""
    names = list(dict.fromkeys(name for start in starts.values() for name in start.phases))
    rows = [
        (what, f"{start.seconds:.2f}", *(seconds_of(start, n) for n in names))
        for what, start in starts.items()
    ]
    print_table(("seconds until HTTP 200", "all", *names), rows)


def seconds_of(start: Start, phase: str) -> str:
    """Return how long a phase of a start took, or a dash when it had none."""
    return f"{start.phases[phase]:.2f}" if phase in start.phases else "-"


def measure(source: Path, times: int) -> None:
    """Measure everything and print it."""
    print(machine(), end="\n\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="parley-start-") as name:
        folder = Path(name)
        filling = in_a_fresh_clone(source, folder / "filling")
        shutil.rmtree(folder / "filling")
        first = in_a_fresh_clone(source, folder / "first")
        clone, home = folder / "first" / "clone", folder / "first" / "home"
        later = [timed(clone, home, within=AGAIN_WITHIN_S) for _ in range(times)]
    report(filling, first, later)


def in_a_fresh_clone(source: Path, folder: Path) -> Start:
    """Start in a clone of its own with a home of its own."""
    folder.mkdir()
    return first_start(source, empty_home(folder), folder / "clone")


def report(filling: Start, first: Start, later: Sequence[Start]) -> None:
    """Print every start and the figures that have a target."""
    numbered = {f"the same clone, start {number}": start for number, start in enumerate(later, 2)}
    print_starts({"fresh clone, caches as found": filling, "fresh clone, caches warm": first, **numbered})
    again = statistics.median(start.seconds for start in later)
    print_targets(
        [
            Target("start in a fresh clone, caches warm", first.seconds, 60, "s"),
            Target(f"later start, median of {len(later)}", again, 3, "s"),
        ]
    )


def main() -> int:
    """Measure; a missed target is a figure, only what could not be measured is a failure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=5, help="later starts")
    parser.add_argument("--source", type=Path, default=ROOT, help="the repository to clone")
    options = parser.parse_args()
    try:
        with ending_on_sigterm():
            measure(options.source, options.times)
    except BenchmarkError as error:
        print(f"Not measured: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
