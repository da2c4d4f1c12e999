"""A question as rights see it: whose it is, under which rules it falls, who may see it and who may decide it."""

from collections.abc import Mapping

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import agents, inbox, interrupts, threads, users
from chat_app.data.records import InterruptRecord, ThreadRecord, UserRecord
from chat_app.services.digest import read
from chat_app.services.judging import roles_in
from chat_app.services.policy import Action, Ask, Person, Policy, Refused, claimed
from chat_app.services.rules import rules_of


def ask_of(
    session: Session,
    asked: InterruptRecord,
    thread: ThreadRecord,
    *,
    edited: Mapping[str, JsonValue] | None = None,
) -> Ask:
    """Return a question as the policy judges it: under the rules its agent has now."""
    agent = agents.get(session, thread.agent)
    lies = inbox.get(session, asked.id)
    return Ask(
        owner=thread.owner,
        rules=rules_of(agent.policy if agent is not None else None),
        tool=asked.tool_name or "",
        arguments=read(asked.args or ""),
        edited=None if edited is None else dict(edited),
        raised=roles_in(lies.raised) if lies is not None else frozenset(),
    )


def visible(
    session: Session, policy: Policy, person: Person, interrupt_id: str
) -> tuple[InterruptRecord, ThreadRecord]:
    """Return a question with its thread, when the person asked for it or may decide it.

    Raises:
        Refused: there is no such question for this person.
    """
    asked = interrupts.get(session, claimed(interrupt_id))
    thread = threads.get(session, asked.thread) if asked else None
    if asked is None or thread is None:
        raise Refused
    owns = policy.may(person, Action.DECIDE, owner=thread.owner)
    if not (owns or policy.may_decide(person, ask_of(session, asked, thread))):
        raise Refused
    return asked, thread


def able(session: Session, policy: Policy, ask: Ask) -> list[UserRecord]:
    """Return the people who may decide a question, by name."""
    alone = policy.deciders(ask).by == "requester" and not ask.raised
    # most questions are decided by who asked: everybody is not read for each of them
    found = [users.get(session, ask.owner)] if alone else users.every(session)
    active = (one for one in found if one is not None and one.active)
    return [one for one in active if policy.may_decide(Person(one.id, one.display_name, one.roles), ask)]
