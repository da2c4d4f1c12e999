"""A pydantic-ai agent for the tests: calls a tool of the client, then says what it heard."""

import sys

import uvicorn
from pydantic_ai import Agent
from pydantic_ai.messages import ToolReturnPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.routing import Route


async def model(messages, info):
    heard = [part.content for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if heard:
        yield f"Heard: {'; '.join(heard)}"
        return
    for index, tool in enumerate(info.function_tools):
        yield {
            index: DeltaToolCall(
                name=tool.name, json_args='{"zone": "UTC"}', tool_call_id=f"call-{tool.name}"
            )
        }


AGENT = Agent(FunctionModel(stream_function=model))


async def run(request):
    return await AGUIAdapter.dispatch_request(request, agent=AGENT)


if __name__ == "__main__":
    app = Starlette(routes=[Route("/agent", run, methods=["POST"])])
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
