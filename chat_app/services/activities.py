"""Activities that have a view of their own, brought into one form each; any other stays what the agent sent. Pure.

A plan is `{"steps": [{"title", "status"}]}`, a surface what `a2ui` makes of one.
"""

import json
from collections.abc import Callable, Mapping
from typing import Final

from pydantic import JsonValue

from chat_app.services import a2ui

PLANS: Final = frozenset({"plan", "run_plan", "task_plan", "todo", "todos"})
SURFACES: Final = frozenset({"a2ui", "a2ui_surface", "a2ui_message"})
TEXTS: Final = ("title", "description", "content", "text", "name", "step")
LISTS: Final = ("steps", "items", "tasks", "todos", "plan")
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


_READERS: Final[Mapping[str, Callable[[Json], tuple[str, str] | None]]] = {
    **dict.fromkeys(PLANS, _plan),
    **dict.fromkeys(SURFACES, _surface),
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
