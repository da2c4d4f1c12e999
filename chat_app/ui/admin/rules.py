"""An agent's rules in words: who may use it, and who decides what it asks."""

import json

from pydantic import JsonValue

from chat_app.services.rules import AgentRules, Rule, RulesBroken, read_rules
from chat_app.ui.gate import Html, Say, h


def rules(policy: JsonValue, say: Say) -> Html:
    """Draw what a policy says of people, the rules in the order in which they are tried."""
    try:
        found = read_rules(policy)
    except RulesBroken:
        return h("p", say("admin.rules.broken"), class_="err")
    decided = (_fact(_subject(rule), _deciders(rule, say)) for rule in found.decide)
    rest = _fact(say("admin.rules.rest"), say("admin.by.requester"))
    return h("dl", _fact(say("admin.rules.use"), _users(found, say)), *decided, rest, class_="facts")


def _fact(name: str, value: str) -> Html:
    return h("div", h("dt", name), h("dd", value))


def _users(found: AgentRules, say: Say) -> str:
    """Return who may use an agent: roles by their words, people by their ids."""
    return ", ".join([*(say(f"admin.role.{role}") for role in found.use.roles), *found.use.people]) or say(
        "admin.by.nobody"
    )


def _subject(rule: Rule) -> Html:
    """Draw which calls a rule is for: the tool, and what has to be true of its arguments."""
    asked = [f"{one.at} {one.comparison} {json.dumps(one.value, ensure_ascii=False)}" for one in rule.where]
    return h("bdi", ", ".join([rule.tool, *asked]), class_="mono")


def _deciders(rule: Rule, say: Say) -> str:
    return say(f"admin.by.{rule.by}", roles=", ".join(say(f"admin.role.{role}") for role in rule.roles))
