"""A llama-index agent for the tests, which speaks in chunks: a scripted model, a tool of its own, a prompt."""

import asyncio
import sys

import uvicorn
from fastapi import FastAPI
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.protocols.ag_ui.router import get_ag_ui_workflow_router

STOCK = {"hinges": 112, "locks": 0}
PAUSE = 0.01  # chunks that are written at once arrive in one piece


def stock_of(part: str) -> str:
    """Tell how many of a part are in stock."""
    return f"{STOCK[part]} {part} in stock"


def reply(messages):
    """Return the next message of the agent; what it was told first and heard last are in it."""
    last = messages[-1]
    asked = last.content or ""
    if is_answer(last):
        return f"Heard: {asked}", []
    if "stock" in asked:
        return "Looking.", [call("stock_of", part="hinges", number=len(messages))]
    if "time" in asked:
        return "", [call("local_time", zone="UTC", number=len(messages))]
    prompts = [message.content for message in messages if message.role == MessageRole.SYSTEM]
    lines = sum(message.role == MessageRole.USER and not is_answer(message) for message in messages)
    return f"Line {lines} after {prompts}.", []


def is_answer(message):
    """Tell whether this answers a call; llama-index makes user messages of those a client sends."""
    return message.role == MessageRole.TOOL or "tool_call_id" in message.additional_kwargs


def call(name, *, number, **arguments):
    return ToolCallBlock(tool_call_id=f"call-{name}-{number}", tool_name=name, tool_kwargs=arguments)


class ScriptedModel(MockFunctionCallingLLM):
    """Streams its reply character by character."""

    async def astream_chat(self, messages, **_options):
        return self._stream(*reply(messages))

    async def _stream(self, text, calls):
        for end in range(1, len(text) + 1):
            yield response(text[:end], [], delta=text[end - 1])
            await asyncio.sleep(PAUSE)
        yield response(text, calls, delta="")


def response(text, calls, delta):
    message = ChatMessage(role=MessageRole.ASSISTANT, content=text)
    message.blocks.extend(calls)
    return ChatResponse(message=message, delta=delta)


def application():
    app = FastAPI()
    router = get_ag_ui_workflow_router(
        llm=ScriptedModel(), backend_tools=[stock_of], system_prompt="You keep the joinery's store."
    )
    app.include_router(router, prefix="/agent")
    return app


if __name__ == "__main__":
    uvicorn.run(application(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
