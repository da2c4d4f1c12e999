"""Activities that have a view of their own, brought into one form each; any other stays what the agent sent. Pure.

A plan is `{"steps": [{"title", "status"}]}`, a surface what `a2ui` makes of one, a request for consent
`{"url", "host", "title", "scopes"}` with an https address.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from pydantic import JsonValue

from chat_app.services import a2ui

PLANS: Final = frozenset({"plan", "run_plan", "task_plan", "todo", "todos"})
CONSENTS: Final = frozenset({"oauth", "oauth_consent", "consent", "auth_request", "authorization"})
CONSENT_TOOLS: Final = frozenset({"adk_request_credential"})
"""Tools whose arguments hold where a person may give consent."""
URLS: Final = ("url", "auth_url", "authUrl", "authUri", "auth_uri", "authorization_url", "authorizationUrl")
SURFACES: Final = frozenset({"a2ui", "a2ui_surface", "a2ui_message"})
TEXTS: Final = ("title", "description", "content", "text", "name", "step")
LISTS: Final = ("steps", "items", "tasks", "todos", "plan")
DEEPEST: Final = 6
STATUSES: Final = {
    **dict.fromkeys(("doing", "in_progress", "running", "active", "executing"), "doing"),
    **dict.fromkeys(("done", "completed", "complete", "finished", "success"), "done"),
    **dict.fromkeys(("failed", "error", "skipped", "cancelled"), "failed"),
}
"""How agents call what is not to do any more, in small letters with underscores."""

Json = Mapping[str, JsonValue]


def known(name: str, text: str) -> tuple[str, str] | None:
    """Return the kind of part and its text for an activity that has a view; None for any other."""
    read = _READERS.get(_folded(name))
    content = _object(text) if read is not None else None
    return read(content) if read is not None and content is not None else None


def _plan(content: Json) -> tuple[str, str] | None:
    found = next((content[name] for name in LISTS if isinstance(content.get(name), list)), None)
    steps = [_step(item) for item in found] if isinstance(found, list) else []
    whole: list[JsonValue] = [step for step in steps if step is not None]
    return ("plan", _dumped({"steps": whole})) if whole and len(whole) == len(steps) else None


def _step(item: JsonValue) -> JsonValue:
    if isinstance(item, str):
        return {"title": item, "status": "todo"}
    if not isinstance(item, dict):
        return None
    title = next((item[name] for name in TEXTS if isinstance(item.get(name), str)), None)
    return {"title": title, "status": _status(item)} if title else None


def _status(item: Json) -> str:
    said = item.get("status", item.get("state"))
    if isinstance(said, str):
        return STATUSES.get(_folded(said), "todo")
    return "done" if item.get("done") is True or item.get("completed") is True else "todo"


def _surface(content: Json) -> tuple[str, str] | None:
    drawn = a2ui.surface(content)
    return None if drawn is None else ("surface", _dumped(drawn))


def consent(text: str) -> str | None:
    """Return what a request for consent holds, as text; None when it names no https address."""
    content = _object(text)
    found = _consent(content) if content is not None else None
    return None if found is None else found[1]


def _consent(content: Json) -> tuple[str, str] | None:
    url = next(_urls(dict(content), DEEPEST), "")
    host = _host(url)
    if not host:
        return None
    title = next((content[name] for name in ("provider", *TEXTS) if isinstance(content.get(name), str)), "")
    said = content.get("scopes")
    scopes = [scope for scope in said if isinstance(scope, str)] if isinstance(said, list) else []
    return "consent", _dumped({"url": url, "host": host, "title": title, "scopes": [*scopes]})


def _urls(value: JsonValue, depth: int) -> Iterator[str]:
    """Yield the addresses under the names agents give them, however deep they stand."""
    if not isinstance(value, dict) or not depth:
        return
    yield from (found for name in URLS if isinstance(found := value.get(name), str))
    for held in value.values():
        yield from _urls(held, depth - 1)


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    plain = parts.username is None and url.isascii() and url.isprintable() and "\\" not in url
    return parts.netloc if parts.scheme == "https" and plain else ""


_READERS: Final[Mapping[str, Callable[[Json], tuple[str, str] | None]]] = {
    **dict.fromkeys(PLANS, _plan),
    **dict.fromkeys(SURFACES, _surface),
    **dict.fromkeys(CONSENTS, _consent),
}


def _folded(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def _object(text: str) -> Json | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _dumped(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
