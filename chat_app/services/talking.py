"""Who may talk to which agent: asked when a chat begins, for every line, and when a waiting line has its turn."""

from sqlalchemy.orm import Session

from chat_app.data import agents, users
from chat_app.data.records import AgentRecord
from chat_app.services.policy import Person, Policy, Refused, claimed
from chat_app.services.problems import AgentClosed
from chat_app.services.rules import rules_of


def open_to(session: Session, policy: Policy, person: Person) -> tuple[AgentRecord, ...]:
    """Return the agents a person may talk to, those of the settings first, then by name."""
    return tuple(one for one in agents.enabled(session) if policy.may_use(person, rules_of(one.policy)))


def required(session: Session, policy: Policy, person: Person, agent_id: str) -> AgentRecord:
    """Return an agent that a person may talk to.

    Raises:
        AgentClosed: it is not open to this person, is off, or is not there; they look the same.
    """
    try:
        agent = agents.get(session, claimed(agent_id))
    except Refused:
        agent = None
    if agent is None or not agent.open or not policy.may_use(person, rules_of(agent.policy)):
        raise AgentClosed
    return agent


def is_open(session: Session, policy: Policy, *, agent: str, to: str) -> bool:
    """Return whether an agent is open to the person with the id `to`, as they are now."""
    user = users.get(session, to)
    if user is None or not user.active:
        return False
    try:
        required(session, policy, Person(user.id, user.display_name, user.roles), agent)
    except AgentClosed:
        return False
    return True
