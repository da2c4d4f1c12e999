"""Make a built page work under whatever address it is opened.

Reflex writes the server's address into the page, so that each port and each public URL would need a build
of its own. It does so in one generated file. We build for an address that cannot exist and then let that file
ask the browser where the page came from: one build serves every port, proxy and name, and https as well.
"""

import re
from pathlib import Path

from chat_app.cli.errors import Stop

PLACEHOLDER_HOST = "parley.invalid"  # RFC 6761: never a real host
PLACEHOLDER_URL = f"http://{PLACEHOLDER_HOST}"
CHUNK = "reflex-env-*.js"

# A JavaScript string in any of its three quotes, holding an address on the placeholder.
BAKED = re.compile(rf"([`\"'])(http|ws)://{re.escape(PLACEHOLDER_HOST)}([^`\"']*)\1")
ORIGIN = {"http": "location.origin", "ws": 'location.origin.replace(/^http/,"ws")'}


def make_portable(client: Path) -> None:
    """Rewrite the built page in `client` so that it talks to the address it was loaded from.

    Raises:
        Stop: when the address was not where this version of Reflex is known to put it.
    """
    chunks = sorted((client / "assets").glob(CHUNK))
    for chunk in chunks:
        chunk.write_text(from_the_browser(chunk.read_text("utf-8")), "utf-8")
        drop_compressed(chunk)
    left = [file.name for file in sorted(client.rglob("*")) if _mentions_placeholder(file)]
    if left or not chunks:
        where = ", ".join(left) or "no file of its own"
        raise Stop(
            f"The page was built with a fixed address in {where}; this Reflex version is not supported."
        )


def from_the_browser(script: str) -> str:
    """Return the script with each baked address taken from `location` instead."""
    return BAKED.sub(lambda found: f"{ORIGIN[found[2]]}+{found[1]}{found[3]}{found[1]}", script)


def drop_compressed(file: Path) -> None:
    """Remove the copies of a small file that were compressed before it was rewritten."""
    for suffix in (".gz", ".br", ".zst"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _mentions_placeholder(file: Path) -> bool:
    return file.is_file() and PLACEHOLDER_HOST.encode() in file.read_bytes()
