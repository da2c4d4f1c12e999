import pytest

from chat_app.agent.resources import NOTE_LIMIT, RESOURCE_READ, ResourceMap, read_resource
from chat_app.agent.servers import CallContext, ResourceSpec, ServerFault
from tests.support.agent_parts import FakeServer, OwnTools

A = FakeServer("a", resources=[ResourceSpec(uri="x://1", name="one")], texts={"x://1": "ONE"})
B = FakeServer(
    "b",
    resources=[ResourceSpec(uri="x://1", name="other"), ResourceSpec(uri="x://2")],
    texts={"x://1": "OTHER", "x://2": "TWO", "x://unlisted": "FOUND"},
)


async def read(uri, *servers, reader=None):
    resources = await ResourceMap.survey(servers)
    arguments = {} if uri is None else {"uri": uri}
    return await read_resource(
        arguments, resources, servers, reader=reader or OwnTools(), context=CallContext("t")
    )


async def test_the_note_names_each_resource_once_with_its_first_owners_label():
    resources = await ResourceMap.survey([A, B])
    assert resources.note() == (f"These resources can be read with {RESOURCE_READ}:\n- x://1: one\n- x://2")
    assert resources.owner("x://1") is A
    assert len(resources) == 2


async def test_a_long_note_is_cut_and_says_so():
    many = [ResourceSpec(uri=f"x://{n}") for n in range(NOTE_LIMIT + 3)]
    note = (await ResourceMap.survey([FakeServer(resources=many)])).note()
    assert len(note.splitlines()) == NOTE_LIMIT + 2
    assert note.endswith("… and 3 more that are not listed here")


async def test_a_server_that_cannot_list_its_resources_is_skipped():
    resources = await ResourceMap.survey([FakeServer(resources=ServerFault("no")), A])
    assert [resource.uri for resource, _server in resources.owned] == ["x://1"]


@pytest.mark.parametrize("uri", [None, "", 7])
async def test_reading_without_a_uri_is_an_error_the_model_can_mend(uri):
    observation = await read(uri, A)
    assert observation.is_error
    assert "uri" in observation.text


async def test_the_owner_is_asked_and_for_what_nobody_lists_everyone_in_turn():
    assert (await read("x://1", A, B)).text == "ONE"
    assert (await read("x://unlisted", A, B)).text == "FOUND"


async def test_what_nobody_can_read_is_an_error_with_the_last_reason():
    observation = await read("x://nowhere", A, B)
    assert observation.is_error
    assert observation.text == "Nobody can read the resource x://nowhere. b has no x://nowhere."
    assert (await read("x://nowhere")).text == "Nobody can read the resource x://nowhere."


async def test_the_loops_own_resources_come_first():
    reader = OwnTools(texts={"own://1": "MINE", "own://2": "broken"})
    assert (await read("own://1", A, reader=reader)).text == "MINE"
    assert (await read("own://2", A, reader=reader)).is_error
