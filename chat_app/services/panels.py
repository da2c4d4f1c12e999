"""The agent's state as panels show it: projected by each panel's model, and sent as small changes. Pure.

A panel sees one place of the state. What stands there is read by the panel's model and projected to a flat view; what
does not fit leaves the last good view in place and says where it does not. A panel whose model never fitted is not
shown at all, so a thread has the panels its agent speaks to, and the generic one.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, assert_never, cast

import jsonpatch
import jsonpointer
from pydantic import BaseModel, JsonValue, ValidationError

PATCHED_UP_TO = 64 * 1024
"""Characters of a panel's JSON up to which a change travels as a patch; above, comparing costs more than sending."""
ANY_BELOW = "**"
ANY = "*"

Op = list[object]
Json = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """What the server knows of a panel: the place it shows, how that is read and projected, what may be edited.

    Without a `model` it shows the value as it is. `edits` are JSON Pointers; `*` stands for one name, `**` at the end
    for anything below.
    """

    id: str
    pointer: str = ""
    model: type[BaseModel] | None = None
    view: Callable[[Any], object] | None = None
    edits: tuple[str, ...] = ()

    def allows(self, pointer: str) -> bool:
        """Return whether a person may change what stands at `pointer`."""
        return any(_matches(pattern.split("/"), pointer.split("/")) for pattern in self.edits)


@dataclass(frozen=True, slots=True)
class Fit:
    """A state that a panel can show."""

    view: JsonValue


@dataclass(frozen=True, slots=True)
class Misfit:
    """A state that a panel cannot show, and where in it the first reason stands: `tasks[2].due`."""

    where: str


@dataclass(frozen=True, slots=True)
class Shared:
    """The state of a thread beside its content: how many versions are kept, who made the newest, what is unsent.

    `by` is the name of the person who made the newest version, or empty for the agent. `yours` are the pointers a
    person changed since the agent last had the state. `mine` are the numbers of the versions people made.
    """

    seen: bool = False
    count: int = 0
    at: str = ""
    by: str = ""
    yours: list[str] = field(default_factory=list)
    mine: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Held:
    """A state with what is known about it; `state` is None while the agent never spoke of one."""

    state: tuple[JsonValue] | None = None
    shared: Shared = field(default_factory=Shared)


class Panels:
    """The panels of one thread as its followers hold them. `writing`: a live run here is ahead of SQL."""

    def __init__(self, specs: Sequence[PanelSpec] = (), held: Held | None = None) -> None:
        """Show what is `held`, as a first follower is shown it."""
        self.writing = False
        self._specs = specs
        self._held = Held()
        self._sent = self._held.shared
        self._records: dict[str, Json] = {}
        self._good: dict[str, str] = {}
        self._at = ""
        self._dirty = False
        if held is not None:
            self.hold(held)
            self.ops()

    @property
    def dirty(self) -> bool:
        """Whether something waits for `ops`."""
        return self._dirty

    @property
    def unread(self) -> bool:
        """Whether a panel shows nothing though there is a state: an earlier one may fit it."""
        return self._held.state is not None and any(spec.id not in self._records for spec in self._specs)

    def hold(self, held: Held) -> None:
        """Take in a newer state."""
        if held.shared != self._held.shared or not _same(held.state, self._held.state):
            self._at = held.shared.at if not self.writing else self._at
            self._held = held
            self._dirty = True

    def hear(self, state: JsonValue, at: str) -> None:
        """Take in what the agent of a live run says the state is; with it, it has what people changed."""
        self.writing = True
        before = self._held.shared
        self._at = at
        self.hold(Held((state,), replace(before, seen=True, by="", yours=[])))

    def recall(self, earlier: Iterable[tuple[JsonValue, str]]) -> None:
        """Fill panels that show nothing with the newest earlier state that fits them, marked stale.

        States come newest first, each with its time.
        """
        for state, at in earlier:
            for name, record in views_of(self._specs, state).items():
                if name not in self._records:
                    self._records[name], self._good[name] = record, at
        self.ops()

    def ops(self) -> list[Op]:
        """Return what changed for followers since the last call."""
        self._dirty = False
        found = [op for spec in self._specs for op in self._change(spec)]
        if self._sent != self._held.shared:
            self._sent = self._held.shared
            found.append(["shared", asdict(self._sent)])
        return found

    def snapshot(self) -> dict[str, object]:
        """Return all panels as a snapshot holds them."""
        return {"shared": asdict(self._sent), "views": self._records}

    def _change(self, spec: PanelSpec) -> list[Op]:
        before = self._records.get(spec.id)
        after = self._record(spec, before)
        if after is None or _same(after, before):
            return []
        self._records[spec.id] = after
        return [_op(spec.id, before, after)]

    def _record(self, spec: PanelSpec, before: Json | None) -> Json | None:
        if self._held.state is None:
            return None
        match project(spec, self._held.state[0]):
            case Fit(view):
                self._good[spec.id] = self._at
                return _fresh(view)
            case Misfit(where):
                stale: Json = {"status": "stale", "at": self._good.get(spec.id, ""), "where": where}
                return None if before is None else {**before, **stale}
            case unknown:
                assert_never(unknown)


def project(spec: PanelSpec, state: JsonValue) -> Fit | Misfit:
    """Return what a panel shows of a state, or where the state does not fit it."""
    try:
        value = cast("JsonValue", jsonpointer.resolve_pointer(state, spec.pointer))
    except jsonpointer.JsonPointerException:
        return Misfit(spec.pointer)
    if spec.model is None or spec.view is None:
        return Fit(value)
    try:
        return Fit(cast("JsonValue", asdict(cast("Any", spec.view(spec.model.model_validate(value))))))
    except ValidationError as error:
        return Misfit(_place(error.errors()[0]["loc"]))


def views_of(specs: Iterable[PanelSpec], state: JsonValue) -> dict[str, Json]:
    """Return the panels that can show a state, as followers hold them."""
    fits = {spec.id: project(spec, state) for spec in specs}
    return {name: _fresh(fit.view) for name, fit in fits.items() if isinstance(fit, Fit)}


def _fresh(view: JsonValue) -> Json:
    return {"status": "fresh", "at": "", "where": "", "view": view}


def _op(name: str, before: Json | None, after: Json) -> Op:
    whole = _dumped(after)
    if before is None or len(whole) > PATCHED_UP_TO:
        return ["panel", name, after]
    patch = jsonpatch.make_patch(before, after).patch
    # a number may change its kind without changing its value, which a comparison does not see
    complete = _dumped(jsonpatch.apply_patch(before, patch)) == whole
    return ["patch", name, patch] if complete and len(_dumped(patch)) < len(whole) else ["panel", name, after]


def _same(one: object, other: object) -> bool:
    return one == other and _dumped(one) == _dumped(other)


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _place(path: Sequence[int | str]) -> str:
    names = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(names).removeprefix(".")


def _matches(pattern: Sequence[str], path: Sequence[str]) -> bool:
    if pattern and pattern[-1] == ANY_BELOW:
        above = pattern[:-1]
        return len(path) >= len(above) and _matches(above, path[: len(above)])
    return len(pattern) == len(path) and all(
        one in {ANY, name} for one, name in zip(pattern, path, strict=True)
    )


def changed_paths(before: JsonValue, after: JsonValue) -> list[str]:
    """Return the pointers at which two states differ."""
    operations = cast("list[Mapping[str, str]]", jsonpatch.make_patch(before, after).patch)
    return [operation["path"] for operation in operations]
