"""What a first visit loads before any chat: every script of the page, compressed, and what is left for later.

Reads the built page, so it needs no browser: the scripts its HTML names, and what those import without being asked.
Chunks that are loaded when something needs them (a diagram, a formula, a language to colour) are listed apart.

    .venv/bin/python benchmarks/bundle.py [--all]
"""

import argparse
import gzip
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from common import ROOT, BenchmarkError, Target, print_table, print_targets

CLIENT = ROOT / ".web" / "build" / "client"
MOST_KB = 350.0
NAMED = re.compile(r"""(?:href|src)="/([\w./-]+\.js)"|from\s?"/([\w./-]+\.js)"|import\s?"/([\w./-]+\.js)\"""")
STATIC = re.compile(
    r"""(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]*?from\s*)?["'`]\./([\w.-]+\.js)["'`]"""
)
SHOWN = 12


@dataclass(frozen=True, slots=True)
class Script:
    """A script of the page and its sizes in bytes."""

    name: str
    raw: int
    compressed: int


def first_load(client: Path) -> set[Path]:
    """Return the scripts that a visit to `/` loads by itself.

    Raises:
        BenchmarkError: there is no built page.
    """
    page = client / "index.html"
    if not page.exists():
        raise BenchmarkError("There is no built page: make run builds it.")
    named = {name for found in NAMED.findall(page.read_text("utf-8")) for name in found if name}
    waiting = [client / name for name in sorted(named) if (client / name).exists()]
    known: set[Path] = set()
    while waiting:
        script = waiting.pop()
        if script in known:
            continue
        known.add(script)
        imported = STATIC.findall(script.read_text("utf-8"))
        waiting += [path for name in imported if (path := script.parent / name).exists()]
    return known


def measured(scripts: Iterable[Path]) -> list[Script]:
    """Return the sizes of scripts, the largest first; compressed by gzip as a proxy would do."""
    sizes = [
        Script(path.name, path.stat().st_size, len(gzip.compress(path.read_bytes(), 6))) for path in scripts
    ]
    return sorted(sizes, key=lambda one: -one.compressed)


def kb(size: int) -> str:
    """Return a size in kB."""
    return f"{size / 1000:.1f}"


def table(title: str, scripts: list[Script], *, shown: int) -> int:
    """Print the largest scripts and the sum of all; return that sum, compressed."""
    rest, total = scripts[shown:], sum(one.compressed for one in scripts)
    rows = [(one.name, kb(one.raw), kb(one.compressed)) for one in scripts[:shown]]
    if rest:
        rows.append(
            (f"{len(rest)} smaller", kb(sum(one.raw for one in rest)), kb(sum(o.compressed for o in rest)))
        )
    rows.append(("together", kb(sum(one.raw for one in scripts)), kb(total)))
    print_table((title, "kB", "kB, gzip"), rows)
    return total


def main() -> int:
    """Print both tables; fail when the first visit loads too much."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--all", action="store_true", help="name every script")
    shown = 10_000 if options.parse_args().all else SHOWN
    first = first_load(CLIENT)
    later = {path for path in (CLIENT / "assets").glob("*.js") if path not in first}
    total = table("first visit", measured(first), shown=shown)
    table("when needed", measured(later), shown=shown)
    print_targets([Target("script of a first visit, gzip", total / 1000, MOST_KB, "kB")])
    return int(total > MOST_KB * 1000)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchmarkError as error:
        sys.exit(str(error))
