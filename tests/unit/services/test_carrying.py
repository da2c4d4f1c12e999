from base64 import b64encode

import pytest
from ag_ui.core import RunAgentInput

from chat_app.services.carrying import Carrier
from tests.support.world import PlayedAgent, World, finished, started

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite, tmp_path):
    return World(sqlite, files=tmp_path)


def asked(content: object) -> RunAgentInput:
    message = {"id": "m1", "role": "user", "content": content}
    body = {"threadId": "t", "runId": "r", "messages": [message], "tools": [], "context": [], "state": {}}
    return RunAgentInput.model_validate({**body, "forwardedProps": {}})


async def carried(world, content: object) -> object:
    agent = PlayedAgent(lambda run: [started(run), finished(run)])
    carrier = Carrier(agent, world.database, world.vault)
    assert len([frame async for frame in carrier.run(asked(content))]) == 2
    return agent.requests[0].model_dump(mode="json", by_alias=True, exclude_none=True)["messages"][0][
        "content"
    ]


def picture(address: str) -> dict:
    source = {"type": "url", "value": address, "mimeType": "image/gif"}
    return {"type": "image", "source": source, "metadata": {"filename": "a.gif"}}


async def test_our_own_files_travel_with_their_bytes(world):
    file = await world.attachments.bring(world.ada, "a.gif", b"GIF89a", accepted=("image",))
    words = {"type": "text", "text": "Look"}
    content = await carried(world, [words, picture(f"/api/files/{file.id}")])
    assert content[0] == words
    assert content[1]["source"] == {
        "type": "data",
        "value": b64encode(b"GIF89a").decode(),
        "mimeType": "image/gif",
    }


async def test_what_is_not_ours_travels_as_it_is(world):
    other = picture("https://example.test/a.gif")
    assert await carried(world, [other]) == [other]
    assert await carried(world, "plain") == "plain"


async def test_a_file_that_is_lost_is_told_of_in_words(world):
    content = await carried(world, [picture("/api/files/nothing")])
    assert content == [{"type": "text", "text": "[The file a.gif is not kept any more.]"}]


async def test_messages_without_files_travel_as_they_are_beside_others(world):
    agent = PlayedAgent(lambda run: [started(run), finished(run)])
    plain = {"id": "m0", "role": "user", "content": "plain"}
    run = asked([picture("/api/files/nothing")])
    both = [RunAgentInput.model_validate({**run.model_dump(by_alias=True), "messages": [plain]}).messages[0]]
    run = run.model_copy(update={"messages": [*both, *run.messages]})
    async for _ in Carrier(agent, world.database, world.vault).run(run):
        pass
    sent, lost = agent.requests[0].messages
    assert sent.content == "plain"
    assert lost.content[0].text == "[The file a.gif is not kept any more.]"
