"""What an agent's policy says about people: who may use it, and who decides what it asks, by tool and by argument.

The policy is JSON that an admin wrote, kept with the agent:

    {"use": {"roles": ["user"], "people": []},
     "decide": [{"tool": "refund", "where": [{"at": "/amount", "is": ">", "value": 1000}], "by": "two",
                 "roles": ["approver"]},
                {"tool": "delete_*", "by": "other", "roles": ["approver", "admin"]}]}

The first rule that fits a question says who decides it; without one its requester does. A condition that cannot be
judged (no such argument, a word where a number belongs) may fit: the strictest of the rules that may fit holds then.
A policy that is not of this form lets nobody in and nobody decide; `read_rules` says what is wrong with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

Role = Literal["user", "approver", "auditor", "admin"]
EVERY_ROLE: tuple[Role, ...] = ("user", "approver", "auditor", "admin")

By = Literal["requester", "role", "other", "two", "nobody"]
STRICTNESS: Mapping[By, int] = {"requester": 0, "role": 1, "other": 2, "two": 3, "nobody": 4}
"""The requester alone, anybody with a role, one who is not the requester, two distinct people, nobody."""

Comparison = Literal["=", "!=", "<", "<=", ">", ">=", "in", "like"]
Words = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class RulesBroken(ValueError):  # noqa: N818 - it reads as what happened
    """An agent's policy is not of the form this version knows; the message says where and why."""


class _Read(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Condition(_Read):
    """Something an argument must be: `at` is a JSON Pointer into the arguments."""

    at: Annotated[str, StringConstraints(pattern=r"^(/.*)?$", max_length=500)]
    comparison: Comparison = Field(alias="is")
    value: JsonValue


class Rule(_Read):
    """Who decides calls of the tools that `tool` fits (`*` is any text), when every condition holds."""

    tool: Words = "*"
    where: list[Condition] = []
    by: By
    roles: list[Role] = ["approver"]


class Use(_Read):
    """Who may talk to the agent: people with one of these roles, and these people."""

    roles: list[Role] = ["user"]
    people: list[str] = []


class _Policy(BaseModel):
    """The two parts of an agent's policy that speak of people; what else it says is not judged here."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)
    use: Use = Use()
    decide: list[Rule] = []


@dataclass(frozen=True, slots=True)
class Deciders:
    """Who decides a question, and which roles count for it (none are asked of the requester)."""

    by: By
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AgentRules:
    """An agent's policy, read."""

    use: Use = field(default_factory=Use)
    decide: tuple[Rule, ...] = ()

    def deciders(self, tool: str, arguments: JsonValue) -> Deciders:
        """Return who decides a call of `tool` with `arguments` (None: they are unknown)."""
        held = list(_may_fit(self.decide, tool, arguments))
        return max(held, key=lambda one: STRICTNESS[one.by])


SHUT = AgentRules(Use(roles=[], people=[]), (Rule(by="nobody"),))
"""The rules of an agent whose policy cannot be read."""

REQUESTER = Deciders("requester")


def read_rules(policy: JsonValue) -> AgentRules:
    """Return what a policy says about people; without one everybody with the role `user` may use the agent.

    Raises:
        RulesBroken: it is not of the form above.
    """
    try:
        read = _Policy.model_validate(policy or {})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = "/".join(map(str, first["loc"])) or "the policy"
        raise RulesBroken(f"{place}: {first['msg']}") from error
    return AgentRules(read.use, tuple(read.decide))


def rules_of(policy: JsonValue) -> AgentRules:
    """Return the rules in force: those of the policy, or `SHUT` when it cannot be read."""
    try:
        return read_rules(policy)
    except RulesBroken:
        return SHUT


def stricter(one: Deciders, other: Deciders) -> Deciders:
    """Return the stricter of two; of equals, what the roles of both allow."""
    if STRICTNESS[one.by] != STRICTNESS[other.by]:
        return max(one, other, key=lambda each: STRICTNESS[each.by])
    return Deciders(one.by, one.roles & other.roles)


def _may_fit(rules: Sequence[Rule], tool: str, arguments: JsonValue) -> Iterator[Deciders]:
    """Yield the deciders of each rule that may fit, up to the first that certainly does."""
    for rule in rules:
        if not fnmatchcase(tool, rule.tool):
            continue
        verdicts = [_holds(condition, arguments) for condition in rule.where]
        if False in verdicts:
            continue
        yield Deciders(rule.by, frozenset(rule.roles))
        if None not in verdicts:
            return
    yield REQUESTER


def _holds(condition: Condition, arguments: JsonValue) -> bool | None:
    """Return whether a condition holds; None when that cannot be told."""
    found = _found(arguments, condition.at)
    if found is None:
        return None
    return _compared(found[0], condition.comparison, condition.value)


def _found(document: JsonValue, pointer: str) -> tuple[JsonValue] | None:
    """Return what a JSON Pointer (RFC 6901) names, in a tuple; None when there is nothing."""
    for raw in pointer.split("/")[1:]:
        name = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and name in document:
            document = document[name]
        elif isinstance(document, list) and name.isascii() and name.isdigit() and int(name) < len(document):
            document = document[int(name)]
        else:
            return None
    return None if document is None else (document,)


def _compared(found: JsonValue, comparison: Comparison, value: JsonValue) -> bool | None:
    if comparison in ("=", "!="):
        return _same(found, value) is (comparison == "=")
    if comparison == "in":
        return any(_same(found, one) for one in value) if isinstance(value, list) else None
    if comparison == "like":
        return fnmatchcase(found, value) if isinstance(found, str) and isinstance(value, str) else None
    if not (_is_number(found) and _is_number(value)):
        return None
    return _ordered(found, comparison, value)


def _ordered(found: object, comparison: str, value: object) -> bool:
    assert isinstance(found, int | float)
    assert isinstance(value, int | float)
    if comparison in ("<", ">"):
        return found < value if comparison == "<" else found > value
    return found <= value if comparison == "<=" else found >= value


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value  # noqa: PLR0124 - NaN


def _same(one: JsonValue, other: JsonValue) -> bool:
    """Compare as JSON does: true is not 1."""
    return isinstance(one, bool) is isinstance(other, bool) and one == other
