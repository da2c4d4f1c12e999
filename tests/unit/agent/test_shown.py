from chat_app.agent.grants import Grant
from chat_app.agent.servers import CallContext, Observation, ResourceSpec
from chat_app.agent.shown import ShownServer
from tests.support.agent_parts import FakeServer, specs


async def test_a_server_is_itself_but_for_who_decides_and_what_is_seen():
    seen = []

    async def show(name, state):
        seen.append((name, state))

    resource = ResourceSpec(uri="x://1")
    inner = FakeServer(
        tools=specs("read", "write", "drop", asks=["drop"]),
        results={"write": Observation("ok", state=[1])},
        resources=[resource],
        texts={"x://1": "ONE"},
        revision=7,
    )
    shown = ShownServer(inner, Grant(("wri*",)), show)
    context = CallContext("t")

    assert (shown.name, shown.revision) == ("s", 7)
    assert {tool.name for tool in await shown.list_tools() if tool.asks} == {"write", "drop"}
    assert await shown.list_resources() == [resource]
    assert await shown.read_resource("x://1", context=context) == "ONE"
    assert (await shown.call_tool("read", {}, context=context)).text == "ok"
    assert (await shown.call_tool("write", {}, context=context)).text == "ok"
    assert seen == [("s", [1])]
