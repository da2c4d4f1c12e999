"""What a person feels: opening a chat of 500 messages, typing in it, reading while an answer comes, a huge argument.

Starts the product as `push.py` does, with the same agent and a real Chromium, and measures in the page: from the
navigation to the frame with the newest row; from a key to the next paint (Event Timing); the longest task while an
answer of 100 tokens a second comes; and what a tool argument costs per kB in its first and in its last quarter, which
are alike when the cost of a piece does not grow with what has come before.

    .venv/bin/python benchmarks/ux.py [--tokens 300] [--opens 3]
"""

import argparse
import statistics
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from browser import Tab, fresh_tab, started
from common import BenchmarkError, Target, ending_on_sigterm, machine, print_targets
from history import fill
from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError
from push import SHOWN_WITHIN_MS, Lab, lab, open_long, open_thread

ROWS = 500
TYPED = "The quick brown fox jumps over the lazy dog and asks whether it may have the invoice again. "
TASKS = """() => {
  window.__tasks = [];
  const note = (one) => window.__tasks.push(one.duration);
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "longtask" });
}"""
KEYS = """() => {
  window.__keys = [];
  const note = (one) => { if (one.name === "keydown") window.__keys.push(one.duration); };
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "event", durationThreshold: 16 });
}"""


def longest_task(browser: Browser, place: Lab) -> float:
    """Return the longest task in ms while an answer streams into a chat of 500 messages; 0 below 50."""
    with fresh_tab(browser) as tab:
        open_thread(tab, place, fill(place.database, ROWS), ROWS)
        tab.page.evaluate(TASKS)
        answered(tab, "Go on, please.")
        return max(tab.page.evaluate("() => window.__tasks"), default=0.0)


def key_to_paint(browser: Browser, place: Lab) -> float:
    """Return the 95th percentile in ms from a key to the paint after it; one below 16 counts as 16."""
    with fresh_tab(browser) as tab:
        open_thread(tab, place, fill(place.database, ROWS), ROWS)
        tab.page.evaluate(KEYS)
        tab.page.locator("#composer").press_sequentially(TYPED, delay=30)
        tab.page.wait_for_timeout(500)  # entries come with the next idle moment
        slow: list[float] = tab.page.evaluate("() => window.__keys")
        times = sorted([*slow, *[16.0] * max(0, len(TYPED) - len(slow))])
        return times[int(len(times) * 0.95)]


def arguments_cost(browser: Browser, place: Lab, pieces: int) -> tuple[float, float]:
    """Return the ms the page is busy in the first and in the last quarter of a call whose arguments stream."""
    with fresh_tab(browser) as tab:
        open_thread(tab, place, fill(place.database, 2), 2)
        tab.tools.send("Performance.enable")
        tab.page.fill("#composer", "Write the arguments, please.")
        tab.page.press("#composer", "Enter")
        tab.page.locator(".turn-working").wait_for(timeout=SHOWN_WITHIN_MS)
        busy = list(quarters(tab, place, pieces))
        tab.page.locator(".turn-working").wait_for(state="detached", timeout=SHOWN_WITHIN_MS)
        return busy[0], busy[-1]


def quarters(tab: Tab, place: Lab, pieces: int) -> Sequence[float]:
    """Return how long the page was busy in each quarter of the call, in ms."""
    marks, total = [scripted_ms(tab)], 0
    wanted = iter((0.25, 0.5, 0.75, 0.97))
    share = next(wanted)
    while True:
        total = max(total, len(place.emitted()))
        if total >= share * pieces:
            marks.append(scripted_ms(tab))
            share = next(wanted, 2.0)
        if share > 1:
            return [later - earlier for earlier, later in pairwise(marks)]
        tab.page.wait_for_timeout(50)


def scripted_ms(tab: Tab) -> float:
    """Return how long the page has been busy since it was opened."""
    told = tab.tools.send("Performance.getMetrics")["metrics"]
    return 1000 * next(one["value"] for one in told if one["name"] == "TaskDuration")


def answered(tab: Tab, line: str) -> None:
    """Send a line and wait until its answer is complete."""
    tab.page.fill("#composer", line)
    tab.page.press("#composer", "Enter")
    tab.page.locator(".turn-working").wait_for(timeout=SHOWN_WITHIN_MS)
    tab.page.locator(".turn-working").wait_for(state="detached", timeout=SHOWN_WITHIN_MS)


def measure(options: argparse.Namespace) -> None:
    """Measure and print."""
    print(machine(), end="\n\n")
    with lab(options) as place, started() as browser:
        opening = statistics.median(open_long(browser, place, ROWS, options.opens).cold_ms)
        keys, task = key_to_paint(browser, place), longest_task(browser, place)
        first, last = arguments_cost(browser, place, options.tokens)
    print_targets(
        [
            Target(f"a chat of {ROWS} messages is visible, empty cache", opening, 1_500, "ms"),
            Target("key to paint in it, p95", keys, 50, "ms"),
            Target(f"longest task while {options.rate:.0f} tokens a second come", task, 200, "ms"),
            Target("a quarter of a huge argument, last against first", last / max(first, 1.0), 2, "times"),
        ]
    )


def main() -> int:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rate", type=float, default=100.0, help="tokens a second")
    parser.add_argument("--tokens", type=int, default=300, help="tokens of an answer; kB of a huge argument")
    parser.add_argument("--opens", type=int, default=3, help="how often a long chat is opened")
    with ending_on_sigterm():
        measure(parser.parse_args())
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BenchmarkError, BrowserError) as error:
        sys.exit(f"{Path(__file__).name}: {error}")
