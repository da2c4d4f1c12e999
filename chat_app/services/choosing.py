"""Which agent a chat is with: the one of its thread, or for a new chat the one that a person chooses."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from chat_app.data import agents as agent_rows
from chat_app.data import attachments, threads
from chat_app.data.db import Database
from chat_app.data.records import AgentRecord
from chat_app.services import talking
from chat_app.services.agents import Agents
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import FileRefused
from chat_app.services.rows import Suggestion
from chat_app.services.rules import rules_of
from chat_app.services.sniffing import modality
from chat_app.services.viewing import Viewing


@dataclass(frozen=True, slots=True)
class Choice:
    """An agent as a page names it."""

    id: str = ""
    name: str = ""


NOBODY = Choice()
"""No agent."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The agent that a page talks to, what it is known to understand, and the others that could be chosen instead.

    `agent` is `NOBODY` where there is no such thread, or no agent is open to the person. It is `shut` where the person
    may not talk to it, or to any.
    """

    agent: Choice = NOBODY
    suggestions: list[Suggestion] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    shut: bool = False


class Choosing:
    """Reads agents for the chat page."""

    def __init__(self, database: Database, policy: Policy, agents: Agents, viewing: Viewing) -> None:
        """Read from `database`; what is open for reading to others than its owner says `viewing`."""
        self._database = database
        self._policy = policy
        self._agents = agents
        self._viewing = viewing

    async def for_new(self, person: Person, preferred: str = "") -> Chosen:
        """Return the agents a new chat may be with: `preferred` is chosen where it is among them, else the first."""
        found = await asyncio.to_thread(self._open_to, person)
        if not found:
            return Chosen(shut=True)
        one = next((each for each in found if each.id == preferred), found[0])
        return Chosen(_choice(one), list(self._agents.suggestions_of(one)), [_choice(each) for each in found])

    async def for_thread(self, person: Person, thread_id: str) -> Chosen:
        """Return the agent that a thread is with; one that is not there for the person is with nobody."""
        agent = await asyncio.to_thread(self._of_thread, person, thread_id)
        if agent is None:
            return Chosen()
        return Chosen(
            _choice(agent), shut=not agent.open or not self._policy.may_use(person, rules_of(agent.policy))
        )

    async def take(self, person: Person, agent_id: str) -> Chosen:
        """Return what a new chat is like with an agent.

        Raises:
            AgentClosed: it is not open to this person, is off, or is not there; they look the same.
        """
        await asyncio.to_thread(self._required, person, agent_id)
        return await self.for_new(person, agent_id)

    async def accepted(self, person: Person, *, thread: str, agent: str) -> tuple[str, ...]:
        """Return the kinds of files that the agent of a thread takes; without a thread, the `agent` of a new chat."""
        reading = self._of_thread if thread else self._of_choice
        found = await asyncio.to_thread(reading, person, thread or agent)
        return await self._agents.accepted(found) if found is not None else ()

    async def require_kinds(self, person: Person, files: Sequence[str], *, agent: str) -> None:
        """Return when the agent chosen for a new chat takes files of these ids, which came in for whatever agent.

        Raises:
            FileRefused: it does not take the kind of one of them.
        """
        kinds = await asyncio.to_thread(self._kinds, person, files)
        if not kinds <= set(await self.accepted(person, thread="", agent=agent)):
            raise FileRefused

    def _kinds(self, person: Person, files: Sequence[str]) -> set[str]:
        with self._database.reading() as session:
            found = attachments.some(session, files)
        return {modality(one.media_type) for one in found.values() if one.by == person.id}

    def _open_to(self, person: Person) -> list[AgentRecord]:
        with self._database.reading() as session:
            found = talking.open_to(session, self._policy, person)
        first = self._agents.default_id
        return sorted(found, key=lambda one: one.id != first)

    def _required(self, person: Person, agent_id: str) -> AgentRecord:
        with self._database.reading() as session:
            return talking.required(session, self._policy, person, agent_id)

    def _of_choice(self, person: Person, agent_id: str) -> AgentRecord | None:
        """Return an agent that is open to the person; the first where none is named."""
        return next((one for one in self._open_to(person) if agent_id in ("", one.id)), None)

    def _of_thread(self, person: Person, thread_id: str) -> AgentRecord | None:
        with self._database.reading() as session:
            try:
                return self._read(session, person, claimed(thread_id))
            except Refused:
                return None

    def _read(self, session: Session, person: Person, thread_id: str) -> AgentRecord | None:
        thread = threads.get(session, thread_id)
        owner = thread.owner if thread is not None else None
        mine = self._policy.may(person, Action.READ_THREAD, owner=owner)
        if thread is None or not (mine or self._viewing.may_read(session, person, thread)):
            return None
        return agent_rows.get(session, thread.agent)


def _choice(agent: AgentRecord) -> Choice:
    return Choice(agent.id, agent.name)
