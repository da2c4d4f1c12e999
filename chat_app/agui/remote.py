"""The agent without a session: its events as it sent them, judged by shape but not assembled or folded.

What proxies, recorders and bridges need. Chunks stay chunks, the order is not checked, nothing is
remembered between runs, and trouble is raised instead of becoming a failed run.
"""

from collections.abc import AsyncGenerator, Callable

from ag_ui.core import RunAgentInput

from chat_app.agui.boundary import Boundary
from chat_app.agui.enforcement import Enforcer
from chat_app.agui.events import WireEvent
from chat_app.agui.profiles import TOLERANT, Profile
from chat_app.agui.requests import gate
from chat_app.agui.surrogates import scrub_frame
from chat_app.agui.transport.base import Transport, closing
from chat_app.agui.updates import Diagnostic


class RemoteAgent:
    """One agent behind a transport.

    ``new_id`` makes the ids that retired event types lack; ``report`` hears what was converted or left out.

    >>> import asyncio
    >>> from chat_app.agui import ReplayTransport
    >>> chunk = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "a", "delta": "Hi"}
    >>> agent = RemoteAgent(ReplayTransport([chunk]), new_id=lambda: "new")
    >>> async def heard(request):
    ...     return [event.type.value async for event in agent.run(request)]
    >>> asyncio.run(heard(RunAgentInput(thread_id="t", run_id="r", messages=[])))
    ['TEXT_MESSAGE_CHUNK']
    """

    def __init__(
        self,
        transport: Transport,
        profile: Profile = TOLERANT,
        *,
        new_id: Callable[[], str],
        report: Callable[[Diagnostic], None] = lambda _: None,
    ) -> None:
        self._transport = transport
        self._profile = profile
        self._new_id = new_id
        self._report = report

    async def run(self, request: RunAgentInput) -> AsyncGenerator[WireEvent, None]:
        """Send a request and yield the agent's events in arrival order.

        Raises:
            TransportError: The connection failed.
            ProtocolError: A frame or an event is malformed.
        """
        lenient = self._profile.reading.lenient_shapes
        boundary = Boundary(self._new_id, self._report, role_shim=lenient)
        enforcer = Enforcer(self._report, drop_nulls=lenient)
        async with closing(self._transport.run(gate(request, self._profile, self._report))) as frames:
            async for frame in frames:
                event = enforcer.enforce(boundary.upgrade(scrub_frame(frame)))
                if event is not None:
                    yield event
