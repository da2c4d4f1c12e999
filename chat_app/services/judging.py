"""Who decides a question, as the inbox keeps it beside the question, so that lists need not ask every rule again."""

import json
from collections.abc import Iterable, Sequence

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import agents, inbox
from chat_app.data.inbox import Looker
from chat_app.data.records import AgentRecord, InboxItemRecord, InterruptRecord
from chat_app.services.digest import fingerprint, read
from chat_app.services.policy import Action, Person, Policy
from chat_app.services.rules import EVERY_ROLE, AgentRules, rules_of
from chat_app.services.waiting import Waiting, waiting_of

AT_ONCE = 500
"""How many questions are judged in one transaction."""


def bits(roles: Iterable[str]) -> int:
    """Return roles as bits; what is no role has none."""
    named = set(roles)
    return sum(1 << place for place, role in enumerate(EVERY_ROLE) if role in named)


def roles_in(number: int) -> frozenset[str]:
    """Return the roles that bits stand for."""
    return frozenset(role for place, role in enumerate(EVERY_ROLE) if number >> place & 1)


def looker(policy: Policy, person: Person) -> Looker:
    """Return a person as lists see them."""
    asks = policy.may(person, Action.DECIDE, owner=person.id)
    return Looker(id=person.id, roles=bits(person.roles), asks=asks)


def place(session: Session, asked: Sequence[InterruptRecord]) -> None:
    """Put questions into the inbox, under the rules that their agents have now."""
    if not asked:
        return
    judges = {agent.id: _Judge(agent) for agent in agents.every(session)}
    origins = inbox.origins(session, {question.thread for question in asked})
    lying = [(question, *origins[question.thread]) for question in asked if question.thread in origins]
    inbox.put(session, [judges[agent].item(question, owner) for question, owner, agent in lying])


def is_stale(session: Session) -> bool:
    """Return whether a waiting question lies nowhere, or was judged by rules that hold no more."""
    if inbox.unjudged(session, limit=1):
        return True
    return any(
        inbox.judged_by_others(session, agent.id, print_of(agent.policy), limit=1)
        for agent in agents.every(session)
    )


def judge_anew(session: Session) -> int:
    """Judge waiting questions that lie nowhere, or were judged by rules that hold no more; return how many.

    More may be left: call it again until it returns 0.
    """
    found = [*inbox.unjudged(session, limit=AT_ONCE)]
    for agent in agents.every(session):
        rules = print_of(agent.policy)
        found += inbox.judged_by_others(session, agent.id, rules, limit=AT_ONCE)
    place(session, found)
    return len(found)


def print_of(policy: JsonValue) -> str:
    """Return the fingerprint of a policy, by which it is known whether a question was judged by it."""
    return fingerprint(json.dumps(policy))


class _Judge:
    """An agent's policy, read once for many questions."""

    def __init__(self, agent: AgentRecord) -> None:
        self._agent = agent
        self._rules: AgentRules = rules_of(agent.policy)
        self._waiting: Waiting = waiting_of(agent.policy)
        self._print = print_of(agent.policy)

    def item(self, asked: InterruptRecord, owner: str) -> InboxItemRecord:
        deciders = self._rules.deciders(asked.tool_name or "", read(asked.args or ""))
        return InboxItemRecord(
            interrupt=asked.id,
            owner=owner,
            agent=self._agent.id,
            by=deciders.by,
            roles=bits(deciders.roles),
            rules=self._print,
            remind_at=self._waiting.remind_at(asked.expires_at),
            escalate_at=self._waiting.escalate_at(asked.created),
        )
