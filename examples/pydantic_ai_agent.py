"""An agent written with pydantic-ai, for Parley to talk to. Needs no key: its model is a small function.

Start it, then point Parley at it::

    pip install 'pydantic-ai-slim[ag-ui]' uvicorn
    python examples/pydantic_ai_agent.py --port 8001
    PARLEY_AGENT_URL=http://127.0.0.1:8001/agent make run

Ask "how many hinges are in stock?" for a tool, "order 40 hinges" for an approval, anything else for a chat.
To use a real model, put its name in the place of ``FunctionModel(...)``; everything else stays.
"""

import argparse
import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator, Sequence
from typing import Final

import uvicorn
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

STOCK: Final = {"hinges": 112, "handles": 8, "locks": 0}
HELLO: Final = (
    "I keep the stock of a small joinery, and I am written with **pydantic-ai**.\n\n"
    "- Ask *how many hinges are in stock?* and I look it up.\n"
    "- Say *order 40 hinges* and I ask you before I do.\n"
)
FRAGMENT: Final = 8


def stock_of(part: str) -> str:
    """Tell how many of a part are in stock."""
    count = STOCK.get(part)
    return f"There is no part called {part}." if count is None else f"{count} {part} in stock"


def place_order(part: str, quantity: int) -> str:
    """Order more of a part. Runs only after a person's yes."""
    return f"Ordered {quantity} {part}"


class ScriptedModel:
    """Plays the model: reads the conversation and streams text or a tool call."""

    def __init__(self, pause: float) -> None:
        """Take the seconds between two pieces."""
        self._pause = pause

    async def __call__(
        self, messages: list[ModelMessage], _info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        """Answer the newest message: a result in words, a wish with a call, the rest with a greeting."""
        results, line = newest(messages)
        call = None if results else wish(line)
        pieces = self._call(*call) if call else self._text(reply(results))
        async for piece in pieces:
            yield piece
            await asyncio.sleep(self._pause)

    async def _text(self, text: str) -> AsyncIterator[str]:
        for word in re.findall(r"\s*\S+\s?", text):
            yield word

    async def _call(self, tool: str, arguments: dict[str, str | int]) -> AsyncIterator[DeltaToolCalls]:
        call_id = f"call_{uuid.uuid4().hex}"
        yield {0: DeltaToolCall(name=tool, tool_call_id=call_id)}
        text = json.dumps(arguments)
        for start in range(0, len(text), FRAGMENT):
            yield {0: DeltaToolCall(json_args=text[start : start + FRAGMENT], tool_call_id=call_id)}


def newest(messages: Sequence[ModelMessage]) -> tuple[list[ToolReturnPart], str]:
    """Give the tool results and the person's text of the newest request."""
    last = messages[-1]
    parts = last.parts if isinstance(last, ModelRequest) else []
    lines = [
        part.content for part in parts if isinstance(part, UserPromptPart) and isinstance(part.content, str)
    ]
    return [part for part in parts if isinstance(part, ToolReturnPart)], " ".join(lines)


def wish(line: str) -> tuple[str, dict[str, str | int]] | None:
    """Find the tool call a line asks for."""
    if order := re.search(r"\border (\d+) (\w+)", line, re.IGNORECASE):
        return "place_order", {"part": order[2].lower(), "quantity": int(order[1])}
    if question := re.search(r"\bhow many (\w+)", line, re.IGNORECASE):
        return "stock_of", {"part": question[1].lower()}
    return None


def reply(results: Sequence[ToolReturnPart]) -> str:
    """Put tool results into words, or say hello when there are none."""
    if not results:
        return HELLO
    return "\n".join(in_words(result) for result in results)


def in_words(result: ToolReturnPart) -> str:
    """Say what one tool gave, or that the person did not let it run."""
    if result.outcome == "denied":
        return f"Then I leave it at that. `{result.tool_name}` did not run: {result.content}"
    return f"`{result.tool_name}` says: **{result.content}**"


def build_app(pause: float) -> Starlette:
    """Build the ASGI app: ``POST /agent`` takes a run input and answers with AG-UI events."""
    agent = Agent(
        FunctionModel(stream_function=ScriptedModel(pause), model_name="scripted"),
        output_type=[str, DeferredToolRequests],
        name="joinery",
    )
    agent.tool_plain(stock_of)
    agent.tool_plain(requires_approval=True)(place_order)

    async def run(request: Request) -> Response:
        return await AGUIAdapter.dispatch_request(request, agent=agent, include_usage=True)

    return Starlette(routes=[Route("/agent", run, methods=["POST"])])


def main() -> None:
    """Read the command line and serve until interrupted."""
    parser = argparse.ArgumentParser(description="A pydantic-ai agent that speaks AG-UI at /agent.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--pause", type=float, default=0.03, help="seconds between two pieces of an answer")
    options = parser.parse_args()
    uvicorn.run(build_app(options.pause), host=options.host, port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
