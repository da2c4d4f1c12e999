"""An MCP server of the year 2025 over stdio, written by hand: pages, notices unasked, no resources."""

import json
import sys


def say(message: dict) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def result_of(method: str, params: dict) -> dict | None:
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "old", "version": "1"},
        }
    if method == "tools/list":
        page = int(params.get("cursor") or 1)
        tool = {"name": f"tool_{page}", "title": f"Tool {page}", "inputSchema": {"type": "object"}}
        more = {} if page == 3 else {"nextCursor": str(page + 1)}
        return {"tools": [tool], **more}
    if method == "tools/call" and params["name"] == "tool_1":
        say({"method": "notifications/tools/list_changed"})
        return {"content": [{"type": "text", "text": "ok"}]}
    if method == "tools/call" and params["name"] == "tool_2":
        return {"content": "this is no list"}
    return None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    result = result_of(request["method"], request.get("params") or {})
    if result is None:
        say({"id": request["id"], "error": {"code": -32601, "message": "no such method"}})
    else:
        say({"id": request["id"], "result": result})
