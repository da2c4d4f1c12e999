"""Print the path of a Chromium for the browser tests, bringing one in where that is possible.

In this order: PARLEY_CHROMIUM, one the system has, one Playwright has, one Playwright can download, Debian's
package when run as root. Prints nothing when there is none; then the browser tests say that they skip.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD = (sys.executable, "-m", "playwright", "install", "chromium")
APT = (
    ("apt-get", "update", "-qq"),
    ("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"),
)


def on_the_system() -> str:
    """Return the first Chromium on PATH, or an empty string."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


def of_playwright() -> str:
    """Return the Chromium that Playwright keeps, or an empty string."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def done(*command: str) -> bool:
    """Run a command with its output on stderr; tell whether it succeeded."""
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def downloaded() -> str:
    """Let Playwright download its Chromium; not in CI, which takes what the system has."""
    if os.environ.get("PARLEY_CI"):
        return ""
    return of_playwright() if done(*DOWNLOAD) else ""


def from_debian() -> str:
    """Install Debian's Chromium; needs root."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return ""
    return on_the_system() if all(done(*command) for command in APT) else ""


def main() -> None:
    """Print the path, or say on stderr that there is none."""
    given = os.environ.get("PARLEY_CHROMIUM", "")
    if given:
        print(given)
        return
    path = on_the_system() or of_playwright() or downloaded() or from_debian()
    if path:
        print(path)
    else:
        print("No Chromium was found or could be installed; set PARLEY_CHROMIUM to one.", file=sys.stderr)


if __name__ == "__main__":
    main()
