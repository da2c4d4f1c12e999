"""An MCP server that does what a test asks of it: over stdio, or over HTTP when a port is given."""

import asyncio
import os
import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import (
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)

server = MCPServer("test", log_level="ERROR")


@server.tool()
async def echo(text: str, ctx: Context) -> str:
    """Say it back, and for whom."""
    meta = ctx.request_context.meta or {}
    return f"{text} for {meta.get('parley/thread')}"


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
async def fail() -> str:
    """Fail."""
    raise RuntimeError("boom")


@server.tool()
async def slow(seconds: float) -> str:
    """Take a while."""
    await asyncio.sleep(seconds)
    return "done"


@server.tool()
async def crash() -> str:
    """Take the whole server down."""
    os._exit(3)


@server.tool()
async def many() -> CallToolResult:
    """Answer with a piece of every kind."""
    text = TextResourceContents(uri="x://text", text="inside")
    blob = BlobResourceContents(uri="x://blob", blob="AAAA", mime_type="application/pdf")
    return CallToolResult(
        content=[
            TextContent(text="text"),
            ImageContent(data="AAAA", mime_type="image/png"),
            EmbeddedResource(resource=text),
            EmbeddedResource(resource=blob),
            ResourceLink(uri="x://link", name="link"),
        ],
        _meta={"parley/state": {"n": 1}},
    )


@server.tool()
async def structured() -> CallToolResult:
    """Answer with data alone."""
    return CallToolResult(content=[], structured_content={"ä": 1})


@server.tool()
async def grow(ctx: Context) -> str:
    """Offer one tool more and say so."""
    server.add_tool(lambda: "new", name="grown", description="New.")
    await ctx.notify_tools_changed()
    return "grown"


@server.resource("note://inbox", title="Inbox")
def inbox() -> str:
    """Hold a note."""
    return "a note"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
