from contextlib import aclosing

import pytest
from ag_ui.core import RunAgentInput, UserMessage

from chat_app.agui.errors import BadEvent
from chat_app.agui.profiles import CURRENT
from chat_app.agui.remote import RemoteAgent
from chat_app.agui.transport.replay import ReplayTransport
from tests.support.scripts import RUN_STARTED

REQUEST = RunAgentInput(thread_id="t", run_id="r", messages=[UserMessage(id="u", role="user", content="hi")])


def agent(*frames, **options):
    return RemoteAgent(ReplayTransport(frames), new_id=lambda: "made", **options)


async def test_events_come_as_they_were_sent_chunks_and_all():
    chunk = {"type": "TEXT_MESSAGE_CHUNK", "delta": "no id, no matter"}
    events = [event async for event in agent(chunk, RUN_STARTED).run(REQUEST)]
    assert [event.type.value for event in events] == ["TEXT_MESSAGE_CHUNK", "RUN_STARTED"]


async def test_retired_shapes_are_upgraded_and_unknown_ones_dropped():
    found = []
    events = [
        event
        async for event in agent({"type": "THINKING_START"}, {"type": "FANCY"}, report=found.append).run(
            REQUEST
        )
    ]
    assert [event.message_id for event in events] == ["made"]
    assert [diagnostic.code for diagnostic in found] == ["retired-event", "unknown-event"]


async def test_trouble_is_raised_and_the_peer_is_read_by_its_profile():
    nameless = {"type": "TEXT_MESSAGE_START", "messageId": "m", "name": None}
    assert len([event async for event in agent(nameless).run(REQUEST)]) == 1
    async with aclosing(agent(nameless, profile=CURRENT).run(REQUEST)) as events:
        with pytest.raises(BadEvent):
            await anext(events)
