"""A process that answers one line and stops in the middle of it, to be killed: `talking_process.py <database url>`.

Among its log it prints `thread <id>` once everything the agent has said so far is committed.
"""

import asyncio
import os
import sys

from chat_app.data import events
from chat_app.data.db import Database
from tests.fakes import until
from tests.support.world import Gate, World, called, opened, said, started, text


def half_an_answer(run):
    """Say a message, make a call, begin another message, and stay there."""
    result = {"type": "TOOL_CALL_RESULT", "messageId": "t1", "toolCallId": "c1", "content": "found"}
    yield from (started(run), *text("a1", "A whole message."), *called("c1", "{}", "look"), result)
    yield from (opened("a2"), said("a2", "Half a mess"), Gate())


def kept(world: World, thread: str) -> list[object]:
    """Return what the log of a thread holds."""
    with world.database.reading() as session:
        return [record.payload for record in events.of_thread(session, thread)]


async def main(url: str) -> None:
    """Serve until killed."""
    async with World(Database(url), new_id=lambda: os.urandom(16).hex()).running() as world:
        world.agent.scripts.append(half_an_answer)
        thread = await world.chat.send(world.ada, None, "Hello")
        await until(lambda: world.agent.waiting)
        await until(lambda: "Half a mess" in str(kept(world, thread)))
        print("thread", thread, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
