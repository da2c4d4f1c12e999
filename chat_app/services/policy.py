"""Who may do what: the one object that answers, asked by every use case, route and socket topic.

`GRANTS` is the whole answer for things and places; an agent's own rules say who may use it and who decides what it
asks (`rules.py`). A thing that is not there and a thing of somebody else get the same answer, so ids from a browser
reveal nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from chat_app.services.rules import AgentRules, Deciders, stricter


class Action(StrEnum):
    """What a person can ask for."""

    READ_THREAD = "read_thread"
    """Its rows, live frames, files and exports, as the one it belongs to."""
    WRITE_THREAD = "write_thread"
    """Send, edit, stop, rename, delete, upload, decide as the requester."""
    DECIDE = "decide"
    """Answer a question of one's own; for those of others see `Policy.may_decide`."""
    OPEN_INBOX = "open_inbox"
    """List the questions one may decide."""
    KEEP_ACCOUNT = "keep_account"
    """See and end one's own sign-ins, change one's password."""
    READ_ANY_THREAD = "read_any_thread"
    """Open a thread of somebody else in the history, with a reason, and read only."""
    READ_AUDIT = "read_audit"
    """See and export the audit."""
    SEE_USAGE = "see_usage"
    """See what was used by whom."""
    MANAGE_PEOPLE = "manage_people"
    """Invite, disable, give roles, end sign-ins, erase."""
    MANAGE_AGENTS = "manage_agents"
    """Add and change agents and their policies."""
    MANAGE_NOTICES = "manage_notices"
    """Say where notices are sent to, and see what became of them."""
    MANAGE_RETENTION = "manage_retention"
    """See and change how long chats are kept, and erase now what is over."""
    SEE_SETTINGS = "see_settings"
    """See the settings in force."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Which roles may do an action to a thing of their own, and which to a thing of anybody or of nobody."""

    own: frozenset[str] = frozenset()
    any: frozenset[str] = frozenset()


ALL = frozenset({"user", "approver", "auditor", "admin"})
USER = frozenset({"user"})
ADMIN = frozenset({"admin"})
READERS = frozenset({"auditor", "admin"})

GRANTS: Mapping[Action, Grant] = {
    Action.READ_THREAD: Grant(own=ALL),
    Action.WRITE_THREAD: Grant(own=USER),
    Action.DECIDE: Grant(own=USER),
    Action.OPEN_INBOX: Grant(any=frozenset({"user", "approver", "admin"})),
    Action.KEEP_ACCOUNT: Grant(own=ALL),
    Action.READ_ANY_THREAD: Grant(any=READERS),
    Action.READ_AUDIT: Grant(any=READERS),
    Action.SEE_USAGE: Grant(any=READERS),
    Action.MANAGE_PEOPLE: Grant(any=ADMIN),
    Action.MANAGE_AGENTS: Grant(any=ADMIN),
    Action.MANAGE_NOTICES: Grant(any=ADMIN),
    Action.MANAGE_RETENTION: Grant(any=ADMIN),
    Action.SEE_SETTINGS: Grant(any=ADMIN),
}
NOBODYS = ""
"""The owner of what belongs to the installation: the audit, the list of people, the agents."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: the id from a verified session, and the roles it was given."""

    id: str
    name: str
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question as far as rights go: whose thread it is in, the agent's rules, the tool and its arguments.

    `edited` are the arguments of an answer that changes them; they are judged as well. `raised` are the roles that may
    decide it too, because it waited so long that it was escalated to them.
    """

    owner: str
    rules: AgentRules
    tool: str = ""
    arguments: JsonValue = None
    edited: JsonValue = None
    raised: frozenset[str] = frozenset()


class Refused(Exception):  # noqa: N818 - it reads as what happened
    """There is no such thing for this person."""


LONGEST_ID = 64
"""Characters of the longest id that anything here has."""


def claimed(key: str) -> str:
    """Return an id that a browser named, as one that a database can be asked about.

    Raises:
        Refused: nothing can have this id.
    """
    if not key or len(key) > LONGEST_ID or not key.isascii() or not key.isprintable():
        raise Refused
    return key


class Policy:
    """Decide by role, action and owner, and by the rules of the agent in question."""

    def may(self, person: Person, action: Action, *, owner: str | None = NOBODYS) -> bool:
        """Return whether `person` may do `action` to a thing of `owner` (None: there is no such thing)."""
        if owner is None:
            return False
        grant = GRANTS[action]
        own = owner != NOBODYS and owner == person.id and not grant.own.isdisjoint(person.roles)
        return own or not grant.any.isdisjoint(person.roles)

    def require(self, person: Person, action: Action, *, owner: str | None = NOBODYS) -> None:
        """Return when allowed.

        Raises:
            Refused: not allowed, or there is no such thing; the two look the same.
        """
        if not self.may(person, action, owner=owner):
            raise Refused

    def may_use(self, person: Person, rules: AgentRules) -> bool:
        """Return whether `person` may talk to an agent with these rules."""
        named = person.id in rules.use.people
        return "user" in person.roles and (named or not set(rules.use.roles).isdisjoint(person.roles))

    def require_use(self, person: Person, rules: AgentRules) -> None:
        """Return when `person` may talk to the agent.

        Raises:
            Refused: not allowed.
        """
        if not self.may_use(person, rules):
            raise Refused

    def deciders(self, ask: Ask) -> Deciders:
        """Return who decides a question; an answer that changes the arguments falls under the stricter rule."""
        proposed = ask.rules.deciders(ask.tool, ask.arguments)
        return (
            proposed if ask.edited is None else stricter(proposed, ask.rules.deciders(ask.tool, ask.edited))
        )

    def may_decide(self, person: Person, ask: Ask) -> bool:
        """Return whether an answer of `person` counts for a question; where two are needed, as one of the two."""
        deciders = self.deciders(ask)
        mine = ask.owner == person.id
        raised = not ask.raised.isdisjoint(person.roles)
        has_role = raised or not deciders.roles.isdisjoint(person.roles)
        if deciders.by == "requester":
            return raised or self.may(person, Action.DECIDE, owner=ask.owner)
        if deciders.by == "nobody":
            return False
        return has_role and not (mine and deciders.by == "other")

    def require_decide(self, person: Person, ask: Ask) -> Deciders:
        """Return who decides a question that `person` may decide.

        Raises:
            Refused: not allowed.
        """
        if not self.may_decide(person, ask):
            raise Refused
        return self.deciders(ask)
