"""A form as it stands after what a person did to it, and the value it would send. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue

from chat_app.agui import Interrupt, misfit
from chat_app.services.changes import changes
from chat_app.services.digest import fingerprint
from chat_app.services.forms.acts import act_on
from chat_app.services.forms.entries import entries_of, gives_back
from chat_app.services.forms.fields import ABSENT, Absent, Draft, Form, Trouble, Value
from chat_app.services.forms.leaves import dumped, parsed
from chat_app.services.forms.reading import Filled, read
from chat_app.services.forms.shapes import JSON, Shape, shape_of, shape_of_value, widened

MOST_FIELDS: Final = 200
LONGEST: Final = 200_000
"""Characters of JSON from which a value is not drawn as inputs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a form is made for: the schema of the value, if there is one, and the value proposed, if there is one.

    `text` is a proposal as it was written; alone it is one that could not be read.
    """

    kind: str
    schema: Mapping[str, JsonValue] | None = None
    proposed: Value = ABSENT
    text: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Filling:
    """A form and the value it would send; `ABSENT` while there is something wrong with it."""

    form: Form
    value: Value = ABSENT


def form_of(asked: Asked, draft: Draft | None = None, *, act: str = "", key: str = "") -> Filling:
    """Return the form for what is asked, as first shown or as `draft` fills it in, after `act`.

    Acts are `add` and `remove` for items of lists, `json` and `form` to go from the inputs to the JSON and back.
    """
    shape = _shape(asked)
    if draft is None:
        return _untouched(_made(asked, shape, _opened(asked, shape)))
    if act in ("json", "form"):
        draft = _turned(asked, shape, draft, act)
    else:
        draft = replace(draft, entries=act_on(draft.entries, act, key))
    return _made(asked, shape, draft)


def _made(asked: Asked, shape: Shape, draft: Draft) -> Filling:
    return _written(asked, shape, draft) if draft.raw or shape is JSON else _filled(asked, shape, draft)


def _untouched(filling: Filling) -> Filling:
    """Return a form as first shown: nobody has left anything out yet."""
    fields = [replace(one, code="") if one.code == "required" else one for one in filling.form.fields]
    code = "" if filling.form.code == "required" else filling.form.code
    return replace(filling, form=replace(filling.form, fields=fields, code=code))


def _shape(asked: Asked) -> Shape:
    """Return the shape to draw; `JSON` where inputs would lose something of the proposal, or be too many."""
    if isinstance(asked.proposed, Absent):
        return JSON if asked.schema is None or asked.text else _or_json(shape_of(dict(asked.schema)))
    if len(dumped(asked.proposed)) > LONGEST:
        return JSON
    shape = shape_of_value(asked.proposed) if asked.schema is None else shape_of(dict(asked.schema))
    shape = _or_json(widened(shape, asked.proposed))
    return shape if gives_back(shape, asked.proposed) else JSON


def _or_json(shape: Shape) -> Shape:
    """Return the shape, or `JSON` when it is no more than that, or too much to draw."""
    return JSON if shape.kind == "json" or len(read(shape, {}).fields) > MOST_FIELDS else shape


def _opened(asked: Asked, shape: Shape) -> Draft:
    if isinstance(asked.proposed, Absent):
        return Draft(raw=shape is JSON, json=asked.text)
    if shape is JSON:
        return Draft(raw=True, json=dumped(asked.proposed, indent=2))
    return Draft(entries=entries_of(shape, asked.proposed))


def _turned(asked: Asked, shape: Shape, draft: Draft, act: str) -> Draft:
    """Return the draft on the other side; the inputs cannot show what they have no place for."""
    if act == "json":
        filled = read(shape, draft.entries, asked.proposed)
        value = asked.proposed if filled.problems else filled.value
        return replace(draft, raw=True, json=dumped({} if isinstance(value, Absent) else value, indent=2))
    read_back = parsed(draft.json)
    if isinstance(read_back, Trouble) or shape is JSON:
        return replace(draft, raw=True)
    fits = widened(shape, read_back) == shape and gives_back(shape, read_back)
    return Draft(entries=entries_of(shape, read_back)) if fits else replace(draft, raw=True)


def _written(asked: Asked, shape: Shape, draft: Draft) -> Filling:
    value = parsed(draft.json) if draft.json.strip() else Trouble("required")
    form = Form(asked.kind, raw=True, only_json=shape is JSON, json=draft.json, before=asked.digest)
    if isinstance(value, Trouble):
        return Filling(replace(form, problems=1, code=value.code, limit=value.limit))
    if asked.kind == "edit" and not isinstance(value, dict):
        return Filling(replace(form, problems=1, code="object"))
    return _judged(asked, form, value)


def _filled(asked: Asked, shape: Shape, draft: Draft) -> Filling:
    filled = read(shape, draft.entries, asked.proposed)
    form = Form(
        asked.kind,
        fields=filled.fields[:MOST_FIELDS],
        problems=filled.problems,
        count=_count(filled),
        needed=sum(one.required for one in filled.fields if not one.item and one.kind != "group"),
        before=asked.digest,
    )
    return (
        Filling(form)
        if filled.problems or isinstance(filled.value, Absent)
        else _judged(asked, form, filled.value)
    )


def _count(filled: Filled) -> int:
    return sum(one.kind not in ("group", "list", "variants") for one in filled.fields)


def _judged(asked: Asked, form: Form, value: JsonValue) -> Filling:
    complaint = _complaint(asked, value)
    if complaint:
        return Filling(replace(form, problems=1, complaint=complaint))
    if isinstance(asked.proposed, Absent):
        return Filling(replace(form, ready=True), value)
    differences = changes(asked.proposed, value)
    after = fingerprint(dumped(value)) if differences else asked.digest
    return Filling(replace(form, changes=differences, after=after, ready=bool(differences)), value)


def _complaint(asked: Asked, value: JsonValue) -> str:
    if asked.schema is None:
        return ""
    return misfit(Interrupt(id="form", reason="form", response_schema=dict(asked.schema)), value)
