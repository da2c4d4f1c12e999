"""What the embedded agent says it can do. The stream stays authoritative (spec: capabilities)."""

from collections.abc import Sequence
from typing import Final

from ag_ui.core import (
    AgentCapabilities,
    ExecutionCapabilities,
    HumanInTheLoopCapabilities,
    IdentityCapabilities,
    MultiAgentCapabilities,
    MultimodalCapabilities,
    MultimodalInputCapabilities,
    MultimodalOutputCapabilities,
    OutputCapabilities,
    ReasoningCapabilities,
    StateCapabilities,
    SubagentInfo,
    Tool,
    ToolsCapabilities,
    TransportCapabilities,
)

from chat_app.agent.scenarios import draft, experts, lookup, refund, report, results, stock, trip

_ORDER: Final = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
_NOTHING: Final = {"type": "object", "properties": {}}

_TOOLS: Final = (
    Tool(name=lookup.TOOL, description="Tells where an order is.", parameters=_ORDER),
    Tool(
        name=refund.TOOL.name,
        description="Pays a refund, after a person's yes.",
        parameters=refund.Refund.model_json_schema(),
    ),
    Tool(
        name=draft.TOOL,
        description="Puts a text into the shared state.",
        parameters={
            "type": "object",
            "properties": {draft.ARGUMENT: {"type": "string"}},
            "required": [draft.ARGUMENT],
        },
    ),
    Tool(
        name=report.TOOL,
        description="Files a report of any length.",
        parameters={
            "type": "object",
            "properties": {"title": {"type": "string"}, "text": {"type": "string"}},
            "required": ["title", "text"],
        },
    ),
    *(Tool(name=name, description=text, parameters=_NOTHING) for name, text in results.TOOLS.items()),
    Tool(name=stock.START, description="Begins to count the stock.", parameters=_NOTHING),
    Tool(name=stock.LOOK, description="Tells how far the count is.", parameters=_NOTHING),
)
_SUBAGENTS: Final = tuple(
    SubagentInfo(name=name, description=description)
    for name, description in (*experts.SUBAGENTS.items(), *trip.SUBAGENTS.items())
)

CAPABILITIES: Final = AgentCapabilities(
    identity=IdentityCapabilities(
        name="Parley demo agent",
        type="parley-scripted",
        description="The agent that comes with Parley: scripted, deterministic, needs no key.",
        provider="Parley",
    ),
    transport=TransportCapabilities(
        streaming=True, websocket=False, http_binary=False, push_notifications=False, resumable=False
    ),
    tools=ToolsCapabilities(supported=True, parallel_calls=True, client_provided=True, items=list(_TOOLS)),
    output=OutputCapabilities(structured_output=False, supported_mime_types=["text/markdown"]),
    state=StateCapabilities(snapshots=True, deltas=True, memory=True, persistent_state=True),
    multi_agent=MultiAgentCapabilities(
        supported=True, delegation=True, handoffs=False, subagents=list(_SUBAGENTS)
    ),
    reasoning=ReasoningCapabilities(supported=True, streaming=True, encrypted=False),
    multimodal=MultimodalCapabilities(
        input=MultimodalInputCapabilities(image=True, audio=True, video=True, pdf=True, file=True),
        output=MultimodalOutputCapabilities(image=False, audio=False),
    ),
    execution=ExecutionCapabilities(code_execution=False, sandboxed=False),
    human_in_the_loop=HumanInTheLoopCapabilities(
        supported=True,
        approvals=True,
        interventions=False,
        feedback=False,
        interrupts=True,
        approve_with_edits=True,
    ),
)
"""What the demo agent can do."""


def with_model(model: str, models: Sequence[str] = ()) -> AgentCapabilities:
    """Say what the agent can do with a language model behind it, and which others may be asked for.

    What the model itself takes is not known here and stays undeclared: it reads pictures or it does not. The tools
    are those of servers that come and go, so they are not listed either.
    """
    identity = IdentityCapabilities(
        name="Parley agent",
        type="parley-model",
        description="The agent that comes with Parley: a language model with tools.",
        provider="Parley",
        metadata={"model": model, **({"models": list(models)} if len(models) > 1 else {})},
    )
    changed = {
        "identity": identity,
        "tools": ToolsCapabilities(supported=True, parallel_calls=True, client_provided=True),
        "multi_agent": MultiAgentCapabilities(supported=True, delegation=True, handoffs=False),
        "reasoning": None,
        "multimodal": None,
    }
    return CAPABILITIES.model_copy(update=changed)
