"""RFC 6902 on shared documents: a patch applies whole or changes nothing, and old versions stay valid.

jsonpatch applies each operation in place, on copies of the containers along the operation's path and
of nothing else. What a patch does not touch is shared between the versions, so no version is ever
edited: whoever kept one may go on reading it. ``1`` and ``true`` are different values.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, cast

import jsonpatch
from ag_ui._generated.models import (
    AddOperation,
    CopyOperation,
    MoveOperation,
    RemoveOperation,
    ReplaceOperation,
    TestOperation,
)
from jsonpointer import JsonPointer, JsonPointerException
from pydantic import JsonValue

from chat_app.agui.errors import PatchFailed
from chat_app.agui.nesting import DEPTH_CAP, to_text, too_deep

Operation: TypeAlias = (
    AddOperation | RemoveOperation | ReplaceOperation | MoveOperation | CopyOperation | TestOperation
)

VALUE_CAP: Final = 10 * 2**20
"""Characters of JSON one operation may put into a document: as many as a frame may have."""

_FAILURES = (jsonpatch.JsonPatchException, JsonPointerException, RecursionError, ValueError)


def apply_patch(document: JsonValue, operations: Sequence[Operation]) -> JsonValue:
    """Return the patched document; ``document`` itself is never edited.

    Raises:
        PatchFailed: an operation does not apply, or a test in the patch fails.
    """
    owned: dict[int, JsonValue] = {}
    for index, operation in enumerate(operations):
        try:
            document = _apply(document, operation, owned)
        except _FAILURES as error:
            reason = str(error) or type(error).__name__
            raise PatchFailed(reason, index=index, op=operation.op, pointer=operation.path) from error
    return document


def patch_object(content: dict[str, JsonValue], operations: Sequence[Operation]) -> dict[str, JsonValue]:
    """Return the patched object.

    Raises:
        PatchFailed: the patch does not apply, or leaves something that is no object.
    """
    patched = apply_patch(content, operations)
    if isinstance(patched, dict):
        return patched
    last = operations[-1]
    reason = "what is left is no object"
    raise PatchFailed(reason, index=len(operations) - 1, op=last.op, pointer=last.path)


def _apply(document: JsonValue, operation: Operation, owned: dict[int, JsonValue]) -> JsonValue:
    plain: dict[str, Any] = {"op": operation.op, "path": operation.path}
    match operation:
        case MoveOperation():
            plain["from"] = operation.from_
            _check_bounds(JsonPointer(operation.from_).resolve(document), operation.path)
            document = _own(document, operation.from_, owned)
            document = _own(document, operation.path, owned)
        case CopyOperation():
            plain["from"] = operation.from_
            _check_bounds(JsonPointer(operation.from_).resolve(document), operation.path)
            document = _own(document, operation.path, owned)
        case RemoveOperation():
            document = _own(document, operation.path, owned)
        case TestOperation():
            plain["value"] = operation.value
        case _:
            plain["value"] = operation.value
            _check_bounds(operation.value, operation.path)
            document = _own(document, operation.path, owned)
    return cast("JsonValue", jsonpatch.apply_patch(document, [plain], in_place=True))


def _check_bounds(value: JsonValue, path: str) -> None:
    """Refuse a value too large or too deep for its new place: copies of copies grow without end.

    Raises:
        ValueError: it is.
    """
    if not isinstance(value, dict | list):
        return
    text = to_text(value)
    if len(text) > VALUE_CAP:
        raise ValueError(f"the value is larger than {VALUE_CAP} characters")
    if too_deep(value, text, above=path.count("/")):
        raise ValueError(f"the document would nest deeper than {DEPTH_CAP} levels")


def _own(document: JsonValue, path: str, owned: dict[int, JsonValue]) -> JsonValue:
    """Return the document with the containers that lead to ``path`` copied, each once per patch.

    A path that leads nowhere is left for jsonpatch to complain of.
    """
    steps = JsonPointer(path).parts
    if not steps:
        return document
    node = document = _copied(document, owned)
    for step in steps[:-1]:
        key = _key(node, step)
        if key is None:
            break
        child = _copied(node[key], owned)  # type: ignore[index] # the key fits the container
        node[key] = child  # type: ignore[index]
        node = child
    return document


def _copied(value: JsonValue, owned: dict[int, JsonValue]) -> JsonValue:
    """Return a shallow copy of a container that this patch does not own yet; anything else as it is."""
    if id(value) in owned or not isinstance(value, dict | list):
        return value
    copy = value.copy()
    owned[id(copy)] = copy  # kept, so that no other container can take its id
    return copy


def _key(node: JsonValue, step: str) -> str | int | None:
    """Return what ``step`` means to the container, or None when it leads nowhere."""
    if isinstance(node, dict):
        return step if step in node else None
    is_index = (
        isinstance(node, list)
        and step.isascii()
        and step.isdigit()
        and len(step) < 20
        and int(step) < len(node)
    )
    return int(step) if is_index else None
