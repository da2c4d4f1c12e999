"""Let a browser fetch the scripts of a chat together with those of the frame around it.

Pages with a parameter in their address share one built document that names the scripts of the frame alone: those of
the chat are asked for only when these have run. All that share the document draw a chat, so it may name them as well.
"""

import json
import re
from pathlib import Path
from typing import Any

from chat_app.cli.errors import Stop
from chat_app.cli.portable import drop_compressed

SHARED = ("404.html", "__spa-fallback.html")
MANIFEST = "manifest-*.js"
ROUTE = "t/:thread"
PRELOADED = re.compile(r'<link rel="modulepreload" href="([^"]+)"/>')


def preload_chat(client: Path) -> None:
    """Name in the shared documents of the built page in `client` all that a chat is made of.

    Raises:
        Stop: when what is built is not where this version of Reflex is known to put it.
    """
    try:
        scripts = _scripts_of_a_chat(client)
        for page in (client / name for name in SHARED):
            page.write_text(naming(page.read_text("utf-8"), scripts), "utf-8")
            drop_compressed(page)
    except (OSError, ValueError, LookupError) as error:
        raise Stop(
            f"The page was built in an unknown way ({error}); this Reflex version is not supported."
        ) from error


def naming(document: str, scripts: list[str]) -> str:
    """Return the document with a preload for each of the scripts that it does not name yet.

    Raises:
        LookupError: it preloads nothing.
    """
    named = list(PRELOADED.finditer(document))
    if not named:
        raise LookupError("its documents preload nothing")
    missing = [script for script in scripts if script not in {each[1] for each in named}]
    links = "".join(f'<link rel="modulepreload" href="{script}"/>' for script in missing)
    return document[: named[-1].end()] + links + document[named[-1].end() :]


def _scripts_of_a_chat(client: Path) -> list[str]:
    routes = [route for route in _manifest(client)["routes"].values() if route.get("path") == ROUTE]
    if len(routes) != 1:
        raise LookupError(f"its manifest has no page {ROUTE}")
    return [routes[0]["module"], *routes[0]["imports"]]


def _manifest(client: Path) -> dict[str, Any]:
    """Return what the bundler says of each page: a script that holds one object."""
    files = sorted((client / "assets").glob(MANIFEST))
    if not files:
        raise LookupError("it has no manifest")
    text = files[0].read_text("utf-8")
    manifest: dict[str, Any] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return manifest
