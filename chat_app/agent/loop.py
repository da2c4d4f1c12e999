"""The loop that thinks: a catalogue of tools, a map of resources, a transcript, and turns over them.

A loop outlives its turns. It is prepared once, asked for any number of turns, and remembers by its transcript
alone. It knows nothing of HTTP, of AG-UI or of who supervises it: what happens is reported to a callback, and
what is spent comes back from :meth:`AgentLoop.run_turn` as a delta that somebody else adds up.
"""

import logging
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from chat_app.agent.budget import Budget
from chat_app.agent.catalogue import Catalogue, Listing, ToolClass
from chat_app.agent.control import Control
from chat_app.agent.dispatch import Dispatcher
from chat_app.agent.grants import permitted
from chat_app.agent.models.interface import ModelClient, ModelFault, ModelRequest
from chat_app.agent.opening import LoopInput
from chat_app.agent.outcome import LoopAbort, Status, TurnResult, WaitingCall
from chat_app.agent.resources import ResourceMap
from chat_app.agent.self_tools import NoSelfTools, SelfHandler
from chat_app.agent.servers import CallContext, Observation, ServerFault, ToolServer, ToolSpec
from chat_app.agent.step import Report, Step
from chat_app.agent.tally import Tally
from chat_app.agent.transcript import (
    AssistantEntry,
    Attachment,
    Entry,
    ToolCall,
    ToolEntry,
    UserEntry,
    call_ids,
)
from chat_app.agent.turn_events import TurnEvent

logger = logging.getLogger(__name__)

MCP_FAULT: Final = "TOOL_SERVER_UNAVAILABLE"
UNFINISHED: Final = "The call was stopped before it gave anything."
NOTHING_LEFT: Final = Budget(max_steps=0, max_tokens=0)


async def silent(event: TurnEvent) -> None:
    """Take a report and tell nobody."""
    del event


def random_id() -> str:
    """Make an id that never repeats."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a loop is given to reach the world by.

    Attributes:
        report: Told of everything that happens, in order.
        new_id: Makes ids of calls whose own cannot be used.
        clock: Gives seconds that never run backwards.
    """

    report: Report = silent
    new_id: Callable[[], str] = random_id
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class _Offer:
    revisions: tuple[int, ...]
    listing: Listing
    resources: ResourceMap


class AgentLoop:
    """An agent's catalogue, resources and memory. Made by :meth:`prepare`."""

    def __init__(
        self,
        servers: Sequence[ToolServer],
        given: LoopInput,
        handler: SelfHandler,
        around: Around,
        offer: _Offer,
    ) -> None:
        self._servers = tuple(servers)
        self._handler = handler
        self._around = around
        self._resources = offer.resources
        self._grants = given.all_grants()
        self._revisions = offer.revisions
        self._catalogue = self._build(offer.listing)
        self._dispatcher = Dispatcher(
            servers=self._servers,
            handler=handler,
            resources=offer.resources,
            grants=self._grants,
            context=CallContext(given.thread_id),
            attended=given.attended,
            report=around.report,
        )
        self._transcript = given.opening(offer.resources.note())
        self._model = given.model

    @classmethod
    async def prepare(
        cls,
        servers: Sequence[ToolServer],
        given: LoopInput,
        handler: SelfHandler | None = None,
        *,
        around: Around | None = None,
    ) -> "AgentLoop":
        """Ask the servers what they offer and open the transcript (A2 to A8).

        Raises:
            LoopAbort: a server cannot list its tools (``mcp``).
            CatalogueClash: a tool of the loop's own is also a server's.
        """
        seen = _revisions(servers)
        offer = _Offer(seen, await _listing(servers), await ResourceMap.survey(servers))
        return cls(servers, given, handler or NoSelfTools(), around or Around(), offer)

    # -- what it may call ---------------------------------------------------------------------------------

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The catalogue: servers' tools, its own, and the reader of resources, in that order."""
        return self._catalogue.tools

    @property
    def tools_len(self) -> int:
        """How many entries the catalogue has (A16)."""
        return len(self._catalogue.tools)

    @property
    def offered(self) -> tuple[ToolSpec, ...]:
        """What a model is told: each name once."""
        return self._catalogue.offered()

    def owner(self, name: str) -> ToolServer | None:
        """Give the server that runs a tool; None for the loop's own and for unknown names."""
        return self._catalogue.routing.get(name)

    def spec(self, name: str) -> ToolSpec | None:
        """Give the description that a call by this name means; None for a name nobody offers."""
        return self._catalogue.spec(name)

    def tool_class(self, name: str) -> ToolClass:
        """Tell who runs a tool of the catalogue; means nothing for other names (A14, A15)."""
        return self._catalogue.tool_class(name)

    def tool_permitted(self, name: str) -> bool:
        """Say whether every grant admits the name (A20)."""
        return permitted(self._grants, name)

    async def refresh_tools(self) -> bool:
        """Ask the servers again and take over what they list now; for between turns (A10 to A13).

        The transcript stays, and so do the grants: a server that adds a tool widens nothing.

        Returns:
            False when a server could not say or now lists a name of the loop's own: the old catalogue stays.
        """
        seen = _revisions(self._servers)
        try:
            catalogue = self._build(await Listing.ask(self._servers))
        except (ServerFault, ValueError) as fault:
            logger.warning("The tools stay as they were: %s", fault)
            return False
        self._catalogue, self._revisions = catalogue, seen
        return True

    async def refresh_if_changed(self) -> bool:
        """Refresh when a server said that its list changed; return whether the catalogue was taken anew."""
        return _revisions(self._servers) != self._revisions and await self.refresh_tools()

    # -- what it remembers --------------------------------------------------------------------------------

    @property
    def transcript(self) -> tuple[Entry, ...]:
        """Everything the model is told with its next call, oldest first."""
        return tuple(self._transcript)

    @property
    def transcript_len(self) -> int:
        """A marker to come back to by :meth:`truncate_transcript` (A29)."""
        return len(self._transcript)

    def truncate_transcript(self, length: int) -> None:
        """Drop everything after a marker. Never grows, so a stale marker brings nothing back (A30).

        Raises:
            ValueError: the length is negative.
        """
        if length < 0:
            raise ValueError("A transcript cannot be cut to fewer than no entries.")
        del self._transcript[length:]

    def deliver(self, text: str, attachments: tuple[Attachment, ...] = ()) -> None:
        """Append the next line to work on (A24)."""
        self._transcript.append(UserEntry(text, attachments))

    def recall(self, entries: Sequence[Entry]) -> None:
        """Append what was said elsewhere meanwhile."""
        self._transcript += entries

    def answer(self, call: ToolCall, observation: Observation) -> None:
        """Append what a call gave that was waiting for somebody else."""
        self._transcript.append(ToolEntry(call.id, call.name, observation.text, observation.is_error))

    # -- what it thinks with ------------------------------------------------------------------------------

    @property
    def model(self) -> str:
        """The model of the next turn (A28)."""
        return self._model

    def set_model(self, model: str) -> None:
        """Let the next turn be worked by another model. A turn under way keeps its own (A26, A27)."""
        self._model = model

    # -- turns --------------------------------------------------------------------------------------------

    async def run_turn(
        self, client: ModelClient, budget: Budget, control: Control | None = None
    ) -> TurnResult:
        """Think, act and observe until the turn is over (A31).

        Everything said and observed is in the transcript afterwards, whatever the end (A37).

        Args:
            client: Reaches the model.
            budget: Looked at before each model call, after ``control``.
            control: Pauses and cancels at the same boundary.

        Raises:
            LoopAbort: the model failed (``intel``); it says what was spent.
        """
        tally = Tally(self._model, budget.open(self._around.clock))
        while True:
            if (status := await _forbidden(tally, control)) is not None:
                return tally.cut(status)
            entry = await self._think(client, tally)
            if tally.refused or not entry.calls:
                return tally.ended()
            if waiting := await self._act(entry.calls, tally):
                return tally.suspended(waiting)

    async def perform(self, call: ToolCall, edited: Mapping[str, JsonValue] | None = None) -> Observation:
        """Run a call that waited for a decision, answer it in the transcript and return what it gave.

        Args:
            call: As the model made it.
            edited: What a person put in place of its arguments, whole; None for the model's own.
        """
        observation = await self._dispatcher.perform(
            call, self._catalogue, edited=edited, remaining=NOTHING_LEFT, model=self._model
        )
        self.answer(call, observation)
        return observation

    async def _think(self, client: ModelClient, tally: Tally) -> AssistantEntry:
        step = Step(self._around.report, taken=call_ids(self._transcript), new_id=self._around.new_id)
        request = ModelRequest(model=tally.model, entries=self.transcript, tools=self.offered)
        try:
            await step.run(client, request)
            tally.count(step.text, step.done)
        except ModelFault as fault:
            raise _abort(fault, tally) from fault
        finally:
            entry = step.entry()
            if entry.text or entry.calls:
                self._transcript.append(entry)
        return entry

    async def _act(self, calls: Sequence[ToolCall], tally: Tally) -> list[WaitingCall]:
        """Run the calls of a batch in order; those that somebody else answers stay open and are returned."""
        waiting: list[WaitingCall] = []
        not_reached = list(calls)
        try:
            for call in calls:
                result = await self._dispatcher.dispatch(
                    call, self._catalogue, remaining=tally.meter.remaining(), model=tally.model
                )
                not_reached.remove(call)
                if isinstance(result, WaitingCall):
                    waiting.append(result)
                else:
                    self.answer(call, result)
                    tally.observe(call, result)
        finally:
            # Providers refuse a transcript with a call that nothing answers.
            for call in not_reached:
                self.answer(call, Observation(UNFINISHED, is_error=True))
        tally.close_batch()
        return waiting

    def _build(self, listing: Listing) -> Catalogue:
        readable = bool(self._resources) or self._handler.has_resources
        return Catalogue.build(listing, self._handler.tools(), readable=readable, grants=self._grants)


def _revisions(servers: Sequence[ToolServer]) -> tuple[int, ...]:
    return tuple(server.revision for server in servers)


async def _listing(servers: Sequence[ToolServer]) -> Listing:
    try:
        return await Listing.ask(servers)
    except ServerFault as fault:
        raise LoopAbort("mcp", str(fault), code=MCP_FAULT) from fault


async def _forbidden(tally: Tally, control: Control | None) -> Status | None:
    """Name what ends the turn at this boundary: a cancel first, then the budget, then going in circles."""
    if control is not None and await control.at_boundary():
        return Status.CANCELLED
    return tally.meter.exceeded() or (Status.LOOP_DETECTED if tally.goes_in_circles else None)


def _abort(fault: ModelFault, tally: Tally) -> LoopAbort:
    return LoopAbort(
        "intel", fault.message, code=fault.code, usage=tally.usage, retry_after=fault.retry_after
    )
