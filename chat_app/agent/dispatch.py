"""One call of a tool: may it run, who runs it, and what it gave. Trouble of any kind is an observation (A36)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from pydantic import JsonValue

from chat_app.agent.budget import Budget
from chat_app.agent.catalogue import Catalogue
from chat_app.agent.grants import Grant, permitted
from chat_app.agent.outcome import WaitingCall
from chat_app.agent.resources import RESOURCE_READ, ResourceMap, read_resource
from chat_app.agent.self_tools import Doing, Elsewhere, SelfHandler, SelfResult
from chat_app.agent.servers import CallContext, Observation, ServerFault, ToolServer
from chat_app.agent.step import Report
from chat_app.agent.transcript import ToolCall
from chat_app.agent.turn_events import ToolBlocked, ToolcallCompleted, ToolCompleted, ToolStarted

Arguments: TypeAlias = Mapping[str, JsonValue]

UNATTENDED: Final = (
    "{name} needs a person's decision, and nobody can be asked here. Leave it to who gave you the task."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatcher:
    """Sends calls to whoever runs them, and reports what becomes of each."""

    servers: Sequence[ToolServer]
    handler: SelfHandler
    resources: ResourceMap
    grants: Sequence[Grant]
    context: CallContext
    attended: bool
    report: Report

    async def dispatch(
        self, call: ToolCall, catalogue: Catalogue, *, remaining: Budget, model: str
    ) -> Observation | WaitingCall:
        """Run a call the model made, or leave it open when a person or a client has to answer it.

        The grants are asked again here, whatever the model was offered: it may invent a name, or remember one
        from a time when it could do more (A21, A22).
        """
        arguments = read_arguments(call.arguments)
        if (objection := self._objection(call, catalogue, arguments)) or arguments is None:
            return await self._refuse(call, objection)
        spec = catalogue.spec(call.name)
        if spec is not None and spec.asks:
            return await self._wait(call, decision=True)
        doing = Doing(call=call, arguments=arguments, remaining=remaining, grants=self.grants, model=model)
        await self.report(ToolStarted(call.id, call.name, arguments))
        return await self._run(doing, catalogue)

    async def perform(
        self, call: ToolCall, catalogue: Catalogue, *, edited: Arguments | None, remaining: Budget, model: str
    ) -> Observation:
        """Run a call that a person has decided on, with their arguments where they gave any.

        That the call was made is known since it was asked about, so only what it gives is reported.
        """
        arguments = read_arguments(call.arguments) if edited is None else edited
        if (objection := self._objection(call, catalogue, arguments)) or arguments is None:
            return await self._refuse(call, objection)
        doing = Doing(call=call, arguments=arguments, remaining=remaining, grants=self.grants, model=model)
        result = await self._run(doing, catalogue)
        if isinstance(result, WaitingCall):
            return Observation(f"{call.name} runs elsewhere and cannot be decided on here.", is_error=True)
        return result

    async def _run(self, doing: Doing, catalogue: Catalogue) -> Observation | WaitingCall:
        """Run a call nothing objects to."""
        call = doing.call
        try:
            result = await self._ask(doing, catalogue)
        except ServerFault as fault:
            result = Observation(str(fault), is_error=True)
        if isinstance(result, Elsewhere):
            return WaitingCall(call, decision=False)
        await self.report(ToolCompleted(call.id, result.text))
        return result

    async def _ask(self, doing: Doing, catalogue: Catalogue) -> SelfResult:
        """Ask who runs it. The catalogue lets no name belong to two kinds of owners, so the order is free (A23)."""
        call, arguments = doing.call, doing.arguments
        server = catalogue.routing.get(call.name)
        if server is not None:
            return await server.call_tool(call.name, arguments, context=self.context)
        if call.name == RESOURCE_READ:
            return await read_resource(
                arguments, self.resources, self.servers, reader=self.handler, context=self.context
            )
        return await self.handler.call(doing)

    def _objection(self, call: ToolCall, catalogue: Catalogue, arguments: Arguments | None) -> str:
        """Say why a call must not run; empty when it may."""
        if not permitted(self.grants, call.name):
            return f"You may not call {call.name}."
        spec = catalogue.spec(call.name)
        if spec is None:
            return f"There is no tool {call.name}."
        if arguments is None:
            return f"The arguments of {call.name} are not a JSON object; call it again with one."
        if spec.asks and not self.attended:
            return UNATTENDED.format(name=call.name)
        return ""

    async def _refuse(self, call: ToolCall, reason: str) -> Observation:
        await self.report(ToolBlocked(call.id, reason))
        return Observation(reason, is_error=True)

    async def _wait(self, call: ToolCall, *, decision: bool) -> WaitingCall:
        await self.report(ToolcallCompleted(call.id))
        return WaitingCall(call, decision=decision)


def read_arguments(text: str) -> Arguments | None:
    """Read a call's argument text: an empty one means no arguments; None when it is no JSON object."""
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
