"""What the embedded agent says it can do. The stream stays authoritative (spec: capabilities)."""

from typing import Final

from ag_ui.core import (
    AgentCapabilities,
    ExecutionCapabilities,
    HumanInTheLoopCapabilities,
    IdentityCapabilities,
    MultiAgentCapabilities,
    ReasoningCapabilities,
    StateCapabilities,
    Tool,
    ToolsCapabilities,
    TransportCapabilities,
)

from chat_app.agent.scenarios import lookup, refund

CAPABILITIES: Final = AgentCapabilities(
    identity=IdentityCapabilities(
        name="Parley demo agent",
        type="parley-scripted",
        description="The agent that comes with Parley: scripted, deterministic, needs no key.",
        provider="Parley",
    ),
    transport=TransportCapabilities(streaming=True, websocket=False, http_binary=False, resumable=False),
    tools=ToolsCapabilities(
        supported=True,
        parallel_calls=True,
        client_provided=False,
        items=[
            Tool(
                name=lookup.TOOL,
                description="Tells where an order is.",
                parameters={
                    "type": "object",
                    "properties": {"order": {"type": "string"}},
                    "required": ["order"],
                },
            ),
            Tool(
                name=refund.TOOL.name,
                description="Pays a refund, after a person's yes.",
                parameters=refund.Refund.model_json_schema(),
            ),
        ],
    ),
    state=StateCapabilities(snapshots=True, deltas=False, memory=False, persistent_state=False),
    multi_agent=MultiAgentCapabilities(supported=False),
    reasoning=ReasoningCapabilities(supported=True, streaming=True, encrypted=False),
    execution=ExecutionCapabilities(code_execution=False),
    human_in_the_loop=HumanInTheLoopCapabilities(
        supported=True, approvals=True, interrupts=True, approve_with_edits=True
    ),
)
