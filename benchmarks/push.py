"""What one token costs on its way from an agent to the page, and how long a long history takes to show.

Starts the product by its own command with a production build, an agent of its own process that streams at a set rate
(`pacer.py`), and a real Chromium. Per case, a thread that holds 0, 10, 100 or 1,000 rows is opened and one answer is
streamed into it. Everything is measured from outside:

- bytes and frames: all payload of `/api/live` from the click to the end of the answer, as the page counts it and as
  the browser's developer tools report it;
- server: CPU time of the whole process tree of the server over the same time, divided by the tokens; reading and
  folding the history and writing the log is in it, the agent is not;
- token → DOM: from the moment the agent hands a token over to the moment a MutationObserver finds it in the page.

    make bench          or: .venv/bin/python benchmarks/push.py [--tokens 600] [--rate 100] [--opens 5]
"""

import argparse
import json
import re
import statistics
import sys
import tempfile
import urllib.request
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pacer
from browser import Tab, fresh_tab, gzipped_scripts, started
from common import (
    BenchmarkError,
    Process,
    Target,
    clean_environment,
    cpu_seconds,
    ending_on_sigterm,
    free_port,
    machine,
    print_table,
    print_targets,
    resident_mb,
    tree_of,
)
from history import fill, newest_words
from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError

from chat_app.data.db import Database

ROWS = (0, 10, 100, 1_000)
LONG = 1_000
VERY_LONG = 10_000
READY_WITHIN_S = 180.0
SHOWN_WITHIN_MS = 30_000
LATE_MS = 60_000

# Sees each token when it is in the DOM: every change of the page asks what the newest number in the newest answer is.
WATCH = """(tokens, late) => {
  const before = new Set([...document.querySelectorAll("[data-row]")].map((row) => row.dataset.row));
  const turns = document.getElementsByClassName("turn-agent");
  const seen = [];
  let newest = 0;
  const answer = () => {
    for (let at = turns.length - 1; at >= 0; at--) {
      const key = turns[at].dataset.row;
      if (key) return before.has(key) ? null : turns[at];
    }
    return null;
  };
  const read = () => {
    const now = performance.timeOrigin + performance.now();
    const block = answer()?.querySelector(".prose")?.lastElementChild;
    const number = Number(/(\\d{3})\\D*$/.exec(block?.textContent ?? "")?.[1] ?? 0);
    if (number > newest) seen.push([(newest = number), now]);
    return newest >= tokens;
  };
  window.__answer = () => answer()?.querySelector(".prose")?.textContent ?? "";
  window.__tokens = new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => { if (read()) { observer.disconnect(); resolve(seen); } });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    setTimeout(() => reject(new Error(`token ${newest} of ${tokens} was the last to appear`)), late);
  });
}"""
# Looks before every paint whether the newest row is in view; the next task after that frame notes the time.
PAINTED = """
window.__painted = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error("the newest row was not shown")), %d);
  const words = %s, turns = document.getElementsByClassName("turn-agent"), { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(performance.now());
  const look = () => {
    const last = turns[turns.length - 1], box = last?.getBoundingClientRect();
    if (box && box.top < innerHeight && box.bottom > 0 && last.textContent.includes(words)) port2.postMessage(0);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
"""


@dataclass(frozen=True, slots=True)
class Lab:
    """What is measured: the server, its agent and its database."""

    url: str
    server: Process
    agent: str
    database: Database

    def emitted(self) -> list[float]:
        """Return when each token of the last answer left the agent, in seconds since the epoch."""
        with urllib.request.urlopen(f"{self.agent}/emitted", timeout=10) as answer:
            times: list[float] = json.load(answer)
        return times


@dataclass(frozen=True, slots=True)
class Case:
    """One answer streamed into a thread of `rows` rows. Times in ms, sizes in bytes or MB, over all tokens."""

    rows: int
    tokens: int
    page_bytes: int
    tool_bytes: int
    frames: int
    other_bytes: int
    cpu_ms: float
    first_ms: float
    latencies: Sequence[float]
    server_mb: float
    page_mb: float

    @property
    def bytes_a_token(self) -> float:
        """The bytes pushed per token, by the count that found more."""
        return max(self.page_bytes, self.tool_bytes) / self.tokens

    def percentile(self, percent: float) -> float:
        """Return the latency that this share of the tokens did not exceed."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


@dataclass(frozen=True, slots=True)
class Opening:
    """How long a thread takes to show: first visits with an empty cache, and reloads; what the scripts weigh."""

    rows: int
    cold_ms: Sequence[float]
    warm_ms: Sequence[float]
    transferred_kb: float
    scripts: int
    gzip_kb: float


# ---------------------------------------------------------------- the lab


@contextmanager
def lab(options: argparse.Namespace) -> Iterator[Lab]:
    """Run the agent and the server for the length of the block."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder, agent(options) as endpoint:
        port, data = free_port(), Path(folder)
        environment = clean_environment(PARLEY_DATA_DIR=folder, PARLEY_AGENT_URL=endpoint)
        command = (sys.executable, "-m", "chat_app", "run", "--port", str(port))
        with Process(command, env=environment) as server:
            ready = server.wait_for("Parley is ready on", within=READY_WITHIN_S)
            yield Lab(
                ready.text.rpartition(" ")[2], server, endpoint, Database(f"sqlite:///{data / 'parley.db'}")
            )


@contextmanager
def agent(options: argparse.Namespace) -> Iterator[str]:
    """Run the agent for the length of the block; yields its address."""
    command = (sys.executable, pacer.__file__, "--rate", str(options.rate), "--tokens", str(options.tokens))
    with Process(command) as process:
        port = process.wait_for("pacer on", within=30).text.rpartition(" ")[2]
        yield f"http://127.0.0.1:{port}"


# ---------------------------------------------------------------- streaming


def stream(browser: Browser, place: Lab, rows: int, tokens: int) -> Case:
    """Stream one answer into a new thread of `rows` rows and measure it."""
    thread = fill(place.database, rows)
    with fresh_tab(browser) as tab:
        open_thread(tab, place, thread, rows)
        tab.page.evaluate(f"([tokens, late]) => ({WATCH})(tokens, late)", [tokens, LATE_MS])
        serving = tree_of(place.server.pid)
        page_before, tool_before, other_before = counted(tab)
        cpu_before, sent_at = (
            cpu_seconds(serving),
            tab.page.evaluate("() => performance.timeOrigin + performance.now()"),
        )
        tab.page.press("#composer", "Enter")
        seen = tab.page.evaluate("() => window.__tokens")
        tab.page.locator(".turn-working").wait_for(state="detached", timeout=SHOWN_WITHIN_MS)
        cpu = cpu_seconds(serving) - cpu_before
        page_after, tool_after, other_after = counted(tab)
        check_text(tab, tokens)
        offset, emitted = tab.clock_offset(), place.emitted()
        return Case(
            rows=rows,
            tokens=tokens,
            page_bytes=page_after - page_before,
            tool_bytes=tool_after[1] - tool_before[1],
            frames=tool_after[0] - tool_before[0],
            other_bytes=other_after[1] - other_before[1],
            cpu_ms=cpu * 1000,
            first_ms=seen[0][1] - sent_at,
            latencies=latencies(emitted, seen, offset),
            server_mb=resident_mb(serving),
            page_mb=tab.heap_mb(),
        )


def open_thread(tab: Tab, place: Lab, thread: str, rows: int) -> None:
    """Open a thread, wait until its rows are shown and its message box sends, and write a line into the box."""
    tab.page.goto(f"{place.url}/t/{thread}")
    if rows:
        tab.page.get_by_text(newest_words(rows)).first.wait_for(timeout=SHOWN_WITHIN_MS)
    tab.page.wait_for_function("() => window.__parley?.snapshots > 0", timeout=SHOWN_WITHIN_MS)
    tab.page.wait_for_load_state("networkidle")
    tab.page.fill("#composer", "Go on, please.")
    tab.page.locator("button[type=submit]:enabled").wait_for(timeout=SHOWN_WITHIN_MS)


def counted(tab: Tab) -> tuple[int, tuple[int, int], tuple[int, int]]:
    """Return what has come so far: bytes by the page's own count, frames and bytes by the tools, those of Reflex."""
    page: int = tab.page.evaluate("() => window.__parley.bytes")
    return page, tab.traffic.received("/api/live"), tab.traffic.received("/_event")


def check_text(tab: Tab, tokens: int) -> None:
    """Make sure that the page shows every token once and in order; otherwise the figures mean nothing."""
    shown = [int(number) for number in re.findall(r"\d{3}", tab.page.evaluate("() => window.__answer()"))]
    if shown != list(range(1, tokens + 1)):
        raise BenchmarkError(
            f"The page shows {len(shown)} tokens, or in another order, where {tokens} were sent."
        )


def latencies(emitted: Sequence[float], seen: Sequence[Sequence[float]], offset: float) -> list[float]:
    """Return for each token the ms from leaving the agent to being in the DOM; a later token shows the earlier ones."""
    numbers = [number for number, _ in seen]
    shown = (seen[bisect_left(numbers, number)][1] + offset for number in range(1, len(emitted) + 1))
    return [at - left * 1000 for at, left in zip(shown, emitted, strict=True)]


# ---------------------------------------------------------------- opening


def open_long(browser: Browser, place: Lab, rows: int, times: int) -> Opening:
    """Open a thread of many rows several times, each in a new context, and reload it once."""
    url, words = f"{place.url}/t/{fill(place.database, rows)}", newest_words(rows)
    cold, warm, transferred = [], [], 0.0
    for _ in range(times):
        with fresh_tab(browser, script=PAINTED % (SHOWN_WITHIN_MS, json.dumps(words))) as tab:
            tab.page.goto(url, wait_until="commit")
            cold.append(painted(tab))
            tab.page.wait_for_load_state("networkidle")
            transferred = tab.traffic.transferred.get("Script", 0.0)
            tab.page.reload(wait_until="commit")
            warm.append(painted(tab))
    scripts, compressed = gzipped_scripts(browser, url)
    return Opening(rows, cold, warm, transferred / 1000, scripts, compressed / 1000)


def painted(tab: Tab) -> float:
    """Return the ms from the start of the navigation to the frame that shows the newest row."""
    tab.page.wait_for_function("() => window.__painted !== undefined", timeout=SHOWN_WITHIN_MS)
    shown: float = tab.page.evaluate("() => window.__painted")
    return shown


# ---------------------------------------------------------------- the tables


def print_cases(cases: Sequence[Case]) -> None:
    """Print one line per case."""
    header = ("rows", "B/token", "page counts", "frames/token", "other B/token", "server ms/token", "first token ms",
              "p50 ms", "p95 ms", "p99 ms", "max ms", "server MB", "page heap MB")  # fmt: skip
    print_table(header, [case_row(case) for case in cases])


def case_row(case: Case) -> tuple[str, ...]:
    """Return the line of one case."""
    return (
        f"{case.rows:,}",
        f"{case.bytes_a_token:.1f}",
        f"{case.page_bytes / case.tokens:.1f}",
        f"{case.frames / case.tokens:.2f}",
        f"{case.other_bytes / case.tokens:.1f}",
        f"{case.cpu_ms / case.tokens:.2f}",
        f"{case.first_ms:.0f}",
        *(f"{case.percentile(percent):.1f}" for percent in (50, 95, 99, 100)),
        f"{case.server_mb:.0f}",
        f"{case.page_mb:.1f}",
    )


def print_opening(opening: Opening) -> None:
    """Print how long the long thread took to show."""
    visits = {"first visit, empty cache": opening.cold_ms, "reload": opening.warm_ms}
    rows = [
        (name, *(f"{of(times):.0f}" for of in (statistics.median, min, max)))
        for name, times in visits.items()
    ]
    print_table((f"{opening.rows:,} rows shown after", "median ms", "fastest", "slowest"), rows)
    print(f"  JavaScript of a first visit: {opening.transferred_kb:.0f} kB over the wire, "
          f"{opening.gzip_kb:.0f} kB by gzip ({opening.scripts} files)\n")  # fmt: skip


def targets(cases: Sequence[Case], openings: Sequence[Opening]) -> list[Target]:
    """Return the figures that have a target."""
    at = {case.rows: case for case in cases}
    flat = max(at[rows].bytes_a_token for rows in ROWS[1:]) / min(at[rows].bytes_a_token for rows in ROWS[1:])
    return [
        *(Target(f"pushed per token, {rows:,} rows", at[rows].bytes_a_token, 40, "B") for rows in ROWS[1:]),
        Target("most over least of these", flat, 1.1, "times"),
        Target("token → DOM p95, 0 rows", at[0].percentile(95), 30, "ms", "17 ms"),
        Target("token → DOM p95, 1,000 rows", at[LONG].percentile(95), 30, "ms", "74 ms"),
        *(
            Target(
                f"{opening.rows:,} rows shown, first visit",
                statistics.median(opening.cold_ms),
                500,
                "ms",
                "1300 ms" if opening.rows == LONG else "",
            )
            for opening in openings
        ),
    ]


def measure(options: argparse.Namespace) -> None:
    """Measure everything and print it."""
    with lab(options) as place, started() as browser:
        print(machine(Chromium=browser.version))
        print(
            f"\nOne answer of {options.tokens} tokens of 5 characters at {options.rate:g} tokens/s\n",
            flush=True,
        )
        stream(browser, place, 10, options.tokens)  # the first answer of a process pays for imports and pools
        cases = [stream(browser, place, rows, options.tokens) for rows in ROWS]
        print_cases(cases)
        openings = [open_long(browser, place, rows, options.opens) for rows in (LONG, VERY_LONG)]
    for opening in openings:
        print_opening(opening)
    print_targets(targets(cases, openings))


def main() -> int:
    """Measure; a missed target is a figure, only what could not be measured is a failure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=600, help="tokens of each answer")
    parser.add_argument("--rate", type=float, default=100.0, help="tokens a second")
    parser.add_argument("--opens", type=int, default=5, help="first visits of the long thread")
    options = parser.parse_args()
    try:
        with ending_on_sigterm():
            measure(options)
    except (BenchmarkError, BrowserError) as error:
        print(f"Not measured: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
