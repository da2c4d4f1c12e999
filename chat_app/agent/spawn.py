"""Subagents: a tool that hands a task to a nested loop, which may call no more than the loop around it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, get_args

from pydantic import JsonValue

from chat_app.agent.budget import Budget
from chat_app.agent.control import Control
from chat_app.agent.grants import Grant
from chat_app.agent.loop import AgentLoop, Around
from chat_app.agent.models.interface import ModelClient
from chat_app.agent.opening import LoopInput
from chat_app.agent.outcome import LoopAbort, Status, TurnResult
from chat_app.agent.runner import AgentRunner
from chat_app.agent.self_tools import Doing, NoSelfTools, SelfResult
from chat_app.agent.servers import Observation, ServerFault, ToolServer, ToolSpec
from chat_app.agent.step import Report
from chat_app.agent.turn_events import (
    Content,
    SubagentFailed,
    SubagentFinished,
    SubagentReported,
    SubagentStarted,
    TurnEvent,
)
from chat_app.agent.usage import Account

SPAWN: Final = "subagent.spawn"
CONTENT: Final = get_args(Content)
SYSTEM: Final = (
    "You are a subagent. Do the one task you are given with the tools you have, then answer with the result alone."
    " Nobody can be asked; say so when something is missing."
)
TOOL: Final = ToolSpec(
    name=SPAWN,
    description="Hand one self-contained task to a subagent and get its result. It sees nothing of this conversation.",
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Two or three words for what it does."},
            "task": {"type": "string", "description": "Everything it needs to know."},
            "tools": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Names of the tools it may call, `prefix*` allowed; left out: all of yours.",
            },
        },
        "required": ["name", "task"],
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """What nested loops are made with.

    Attributes:
        budget: The most a nested turn may take; what is left of the turn around it may be less.
        depth: How many loops may still stand inside each other.
        invocation: The subagent that spawns; None for the agent itself.
    """

    servers: Sequence[ToolServer]
    client: ModelClient
    account: Account
    control: Control
    budget: Budget
    around: Around
    thread_id: str
    depth: int = 2
    invocation: str | None = None


class SubagentTools(NoSelfTools):
    """Offers :data:`SPAWN` while there is depth left."""

    def __init__(self, nest: Nest) -> None:
        self._nest = nest

    def tools(self) -> Sequence[ToolSpec]:
        """Give the tool; nothing in the innermost loop."""
        return (TOOL,) if self._nest.depth > 0 else ()

    async def call(self, doing: Doing) -> SelfResult:
        """Work the task in a loop of its own.

        Raises:
            ServerFault: no task was given, or the subagent could not finish; the turn around it goes on.
        """
        task, name = _text(doing.arguments, "task"), _text(doing.arguments, "name") or "subagent"
        if not task:
            raise ServerFault(f"{SPAWN} needs a task.")
        key = self._nest.around.new_id()
        report = self._nest.around.report
        await report(
            SubagentStarted(
                id=key, name=name, description=task, parent_id=self._nest.invocation, call_id=doing.call.id
            )
        )
        try:
            result = await self._work(doing, key, task)
        except LoopAbort as abort:
            await report(SubagentFailed(key, abort.message, abort.code))
            raise ServerFault(f"The subagent failed: {abort.message}") from abort
        return await _concluded(result, key, report)

    async def _work(self, doing: Doing, key: str, task: str) -> TurnResult:
        inner = replace(
            self._nest, depth=self._nest.depth - 1, account=self._nest.account.inner(key), invocation=key
        )
        around = replace(self._nest.around, report=_relay(self._nest.around.report, key))
        given = LoopInput(
            instruction=task,
            system=SYSTEM,
            grants=(*doing.grants, *_narrowing(doing.arguments)),
            thread_id=self._nest.thread_id,
            model=doing.model,
            attended=False,
        )
        loop = await AgentLoop.prepare(self._nest.servers, given, SubagentTools(inner), around=around)
        budget = self._nest.budget.narrowed(doing.remaining)
        runner = AgentRunner(
            loop,
            self._nest.client,
            budget=lambda: budget,
            account=inner.account,
            control=self._nest.control,
        )
        return await runner.work()


def _relay(report: Report, key: str) -> Report:
    """Pass on what a nested loop reports: what it says and does under its id, all else as it is."""

    async def relay(event: TurnEvent) -> None:
        await report(SubagentReported(key, event) if isinstance(event, CONTENT) else event)

    return relay


async def _concluded(result: TurnResult, key: str, report: Report) -> Observation:
    """Say how the subagent ended: with what it has, or without anything."""
    outcome, tokens = result.outcome, result.usage.tokens
    if not outcome.result or outcome.status is Status.CANCELLED:
        await report(
            SubagentFailed(key, f"It ended without a result ({outcome.status}).", outcome.status.upper())
        )
        return Observation(
            f"The subagent ended without a result ({outcome.status}).", is_error=True, tokens=tokens
        )
    await report(SubagentFinished(key, outcome.result))
    cut = f"\n\n(It was cut short: {outcome.status}.)" if outcome.partial else ""
    return Observation(outcome.result + cut, tokens=tokens)


def _narrowing(arguments: Mapping[str, JsonValue]) -> tuple[Grant, ...]:
    """Read what the task may call; what cannot be read narrows to nothing."""
    return (Grant.read(arguments["tools"]),) if "tools" in arguments else ()


def _text(arguments: Mapping[str, JsonValue], key: str) -> str:
    value = arguments.get(key)
    return value.strip() if isinstance(value, str) else ""
