"""The basics of A2UI: a surface's operations become one tree of what the page can draw. Pure.

Text, headings, rows, columns, cards, lists, images and buttons; a component nobody knows stands as its name, so that
its absence is seen. The tree holds texts and https addresses only; nothing in it is run.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, cast
from urllib.parse import urlsplit

from pydantic import JsonValue

Json = Mapping[str, JsonValue]

DEEPEST: Final = 12
MOST: Final = 400
"""Nodes drawn of one surface."""
BOXES: Final = {"Row": "row", "Column": "column", "List": "list", "Card": "card"}
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
VALUES: Final = ("valueString", "valueNumber", "valueBoolean", "string", "number", "boolean")
SPOKEN: Final = ("literalString", "literal", "literalNumber", "literalBoolean")


@dataclass(slots=True)
class _Surface:
    """What the operations have said so far: the components by id, the data, and where the tree begins."""

    components: dict[str, Json] = field(default_factory=dict)
    data: JsonValue = field(default_factory=dict)
    root: str = "root"
    left: int = MOST

    def take(self, operation: Json) -> None:
        for name, act in (
            ("surfaceUpdate", self._components),
            ("updateComponents", self._components),
            ("dataModelUpdate", self._data),
            ("updateDataModel", self._data),
            ("beginRendering", self._begin),
            ("createSurface", self._begin),
        ):
            body = operation.get(name)
            if isinstance(body, dict):
                act(body)

    def _components(self, body: Json) -> None:
        for one in _objects(body.get("components")):
            if isinstance(one.get("id"), str):
                self.components[str(one["id"])] = one

    def _begin(self, body: Json) -> None:
        root = body.get("root")
        self.root = root if isinstance(root, str) else self.root

    def _data(self, body: Json) -> None:
        said = body.get("contents", body.get("value"))
        value = _model(said) if isinstance(said, list) else said
        path = body.get("path")
        names = _names(path) if isinstance(path, str) else []
        self.data = _put(self.data, names, value)

    # ------------------------------------------------------------ drawing

    def draw(self, key: JsonValue, depth: int = 0, at: JsonValue = None) -> JsonValue:
        component = self.components.get(key) if isinstance(key, str) else None
        if component is None or depth > DEEPEST or self.left <= 0:
            return None
        self.left -= 1
        kind, told = _kind(component)
        leaf = self._leaf(kind, told, depth, at)
        if leaf is not None:
            return leaf
        named: Json = {"kind": BOXES[kind]} if kind in BOXES else {"kind": "unknown", "text": kind}
        return {**named, "children": list(self._children(told, depth, at))}

    def _leaf(self, kind: str, told: Json, depth: int, at: JsonValue) -> JsonValue:
        match kind:
            case "Text" | "Heading":
                head = kind == "Heading" or _is_heading(told)
                return {"kind": "heading" if head else "text", "text": self.text(told.get("text"), at)}
            case "Button":
                return {"kind": "button", "text": self._label(told, depth, at)}
            case "Image":
                url = self.text(told.get("url", told.get("src")), at)
                alt = self.text(told.get("alt"), at)
                return {"kind": "image", "url": url if _is_safe(url) else "", "text": alt}
            case "Divider":
                return {"kind": "divider"}
            case _:
                return None

    def _children(self, told: Json, depth: int, at: JsonValue) -> Iterator[JsonValue]:
        children = told.get("children", told.get("child"))
        listed = children.get("explicitList") if isinstance(children, dict) else children
        for key in [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else ():
            drawn = self.draw(key, depth + 1, at)
            if drawn is not None:
                yield drawn
        template = children.get("template") if isinstance(children, dict) else None
        if isinstance(template, dict):
            yield from self._repeated(template, depth, at)

    def _repeated(self, template: Json, depth: int, at: JsonValue) -> Iterator[JsonValue]:
        found = self._bound(template.get("dataBinding"), at)
        items = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        for item in items:
            drawn = self.draw(template.get("componentId"), depth + 1, item)
            if drawn is not None:
                yield drawn

    def _label(self, told: Json, depth: int, at: JsonValue) -> str:
        label = told.get("label", told.get("text"))
        if label is not None:
            return self.text(label, at)
        child = self.draw(told.get("child"), depth + 1, at)
        said = child.get("text") if isinstance(child, dict) else None
        return said if isinstance(said, str) else ""

    def text(self, value: JsonValue, at: JsonValue) -> str:
        """Return a value as text: said outright, or bound to a place of the data."""
        if isinstance(value, dict):
            spoken = next((value[name] for name in SPOKEN if name in value), None)
            value = spoken if spoken is not None else self._bound(value.get("path"), at)
        if value is None or isinstance(value, dict | list):
            return ""
        return (
            value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
        )

    def _bound(self, path: JsonValue, at: JsonValue) -> JsonValue:
        if not isinstance(path, str):
            return None
        held = self.data if path.startswith("/") or at is None else at
        for name in _names(path):
            if isinstance(held, list) and name.isdecimal() and int(name) < len(held):
                held = held[int(name)]
            else:
                held = held.get(name) if isinstance(held, dict) else None
        return held


def surface(content: Json) -> JsonValue:
    """Return what an activity describes as a tree of nodes; None when it describes nothing that can be drawn."""
    operations = content.get("operations", content.get("a2ui_operations", content.get("messages")))
    read = _Surface()
    for operation in _objects(operations) or [content]:
        read.take(operation)
    return read.draw(read.root)


def _kind(component: Json) -> tuple[str, Json]:
    """Return the name and the properties of a component, written as A2UI 0.8 or 0.9 does."""
    named = component.get("component")
    if isinstance(named, str):
        return named, component
    if isinstance(named, dict) and len(named) == 1:
        name, told = next(iter(named.items()))
        return name, told if isinstance(told, dict) else {}
    return "", {}


def _is_heading(told: Json) -> bool:
    return told.get("usageHint", told.get("variant")) in HEADINGS


def _is_safe(url: str) -> bool:
    try:
        return urlsplit(url).scheme == "https"
    except ValueError:
        return False


def _model(contents: list[JsonValue]) -> JsonValue:
    """Return A2UI's list of typed entries as plain data."""
    return {str(entry["key"]): _plain(entry) for entry in _objects(contents) if "key" in entry}


def _plain(entry: Json) -> JsonValue:
    if isinstance(entry.get("valueMap"), list):
        return _model(cast("list[JsonValue]", entry["valueMap"]))
    return next((entry[name] for name in VALUES if name in entry), None)


def _put(data: JsonValue, names: list[str], value: JsonValue) -> JsonValue:
    if not names:
        both = isinstance(data, dict) and isinstance(value, dict)
        return {**cast("Json", data), **cast("Json", value)} if both else value
    held = dict(data) if isinstance(data, dict) else {}
    held[names[0]] = _put(held.get(names[0]), names[1:], value)
    return held


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name]


def _objects(value: JsonValue) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
