"""The services of this process, as one record, and the one place that holds it.

`wiring` builds and installs them; states and routes ask for `current()`, because Reflex makes states itself and
nothing can be handed to their constructors.
"""

from dataclasses import dataclass

from chat_app.services.accounts import Accounts
from chat_app.services.agent_book import AgentBook
from chat_app.services.agents import Agents
from chat_app.services.approvals import Approvals
from chat_app.services.attachments import Attachments
from chat_app.services.auditing import Auditing
from chat_app.services.branching import Branching
from chat_app.services.bus import Bus
from chat_app.services.chat import Chat
from chat_app.services.choosing import Choosing
from chat_app.services.departures import Departures
from chat_app.services.exports import Exports
from chat_app.services.feedback import Feedback
from chat_app.services.forming import Forms
from chat_app.services.health import Health
from chat_app.services.inbox import Inbox
from chat_app.services.keeping import Keeping
from chat_app.services.notices import Mailboxes, NoticeBook, Post
from chat_app.services.oidc import Oidc
from chat_app.services.oversight import Oversight
from chat_app.services.people import People
from chat_app.services.provided import Provided
from chat_app.services.queue import Queue
from chat_app.services.relay import Relay
from chat_app.services.removal import Removal
from chat_app.services.rendering import Rendering
from chat_app.services.retention import Retention
from chat_app.services.run_details import RunDetails
from chat_app.services.search import Search
from chat_app.services.shared_state import SharedState
from chat_app.services.shelf import Shelf
from chat_app.services.supervisor import Supervisor
from chat_app.services.threads import Threads
from chat_app.services.timelines import Timelines
from chat_app.services.usage import Usage
from chat_app.services.viewing import Viewing


@dataclass(frozen=True, slots=True)
class Services:
    """Every use case of the product."""

    accounts: Accounts
    agents: Agents
    agent_book: AgentBook
    approvals: Approvals
    attachments: Attachments
    auditing: Auditing
    branching: Branching
    bus: Bus
    chat: Chat
    choosing: Choosing
    forms: Forms
    departures: Departures
    exports: Exports
    feedback: Feedback
    health: Health
    mailboxes: Mailboxes
    notices: NoticeBook
    keeping: Keeping
    oidc: Oidc
    inbox: Inbox
    oversight: Oversight
    people: People
    post: Post
    provided: Provided
    queue: Queue
    relay: Relay
    removal: Removal
    rendering: Rendering
    retention: Retention
    search: Search
    run_details: RunDetails
    shared: SharedState
    shelf: Shelf
    supervisor: Supervisor
    threads: Threads
    timelines: Timelines
    usage: Usage
    viewing: Viewing

    async def start(self) -> None:
        """Get ready: the local user, the configured agent, and what an earlier process left open."""
        await self.accounts.start()
        await self.agents.start()
        alone = await self.bus.join(self.relay.hear)
        await self.supervisor.start(alone=alone)
        await self.bus.settle()
        self.relay.start()
        await self.post.start(alone=alone)
        await self.retention.start()

    async def stop(self) -> None:
        """Let live runs end, close the others, and let go of connections."""
        await self.retention.stop()
        await self.inbox.stop()
        await self.accounts.stop()
        await self.supervisor.shutdown()
        await self.relay.stop()
        await self.post.stop()
        await self.bus.leave()
        await self.agents.stop()


_held: list[Services] = []


def install(services: Services) -> None:
    """Make `services` the current ones of this process."""
    _held[:] = [services]


def current() -> Services:
    """Return the services of this process.

    Raises:
        RuntimeError: nothing was installed; the composition root does that.
    """
    if not _held:
        raise RuntimeError("no services were installed: build them with chat_app.wiring")
    return _held[0]
