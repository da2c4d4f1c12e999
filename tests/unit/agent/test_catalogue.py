import pytest

from chat_app.agent.catalogue import Catalogue, CatalogueClash, Listing, ToolClass
from chat_app.agent.grants import Grant
from chat_app.agent.servers import ServerFault, ToolSpec
from tests.support.agent_parts import FakeServer, specs


async def build(*servers, own=(), readable=False, grants=()):
    return Catalogue.build(await Listing.ask(servers), specs(*own), readable=readable, grants=grants)


async def test_a_name_listed_twice_is_offered_once_as_its_owner_describes_it():
    one = FakeServer("s1", [ToolSpec(name="shared", description="first")])
    two = FakeServer("s2", [ToolSpec(name="shared", description="second")])
    catalogue = await build(one, two)
    assert [tool.description for tool in catalogue.tools] == ["first", "second"]
    assert [tool.description for tool in catalogue.offered()] == ["first"]
    assert catalogue.routing["shared"] is one
    assert catalogue.spec("shared").description == "first"
    assert catalogue.spec("other") is None


async def test_classes_follow_the_routing_and_unknown_names_count_as_own():
    catalogue = await build(FakeServer(tools=specs("x")), own=["spawn"], readable=True)
    assert [catalogue.tool_class(name) for name in ("x", "spawn", "resource.read", "ghost")] == [
        ToolClass.MCP,
        *[ToolClass.SELF_CONTROL] * 3,
    ]


@pytest.mark.parametrize(("own", "readable", "name"), [(["x"], False, "x"), ([], True, "resource.read")])
async def test_a_name_of_the_loop_and_of_a_server_is_refused_naming_both(own, readable, name):
    with pytest.raises(CatalogueClash, match=f"{name} is offered by the server s and by the agent itself"):
        await build(FakeServer(tools=specs("x", "resource.read")), own=own, readable=readable)


async def test_grants_narrow_list_and_routing_last_of_all():
    server = FakeServer(tools=specs("alpha", "beta"))
    catalogue = await build(server, own=["spawn"], readable=True, grants=[Grant(("alpha",))])
    assert [tool.name for tool in catalogue.tools] == ["alpha"]
    assert set(catalogue.routing) == {"alpha"}


async def test_a_server_that_cannot_say_what_it_offers_is_a_fault():
    with pytest.raises(ServerFault):
        await Listing.ask([FakeServer(tools=ServerFault("down"))])
