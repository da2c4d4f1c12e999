"""The services of Parley in a process of their own, without the page.

A line of JSON is a click: `{"id", "do", "thread", "text"}`, with "send", "queue", "retry", "stop" or "decide" to do, or
what an admin does with agents: "add", "change", "switch", and "agents", which tells those a new chat may be with. The
answer with its id comes when it is committed.

Started by `python -m tests.support.services_process`, told what to use by settings.
"""

import asyncio
import json
import os
import sqlite3
import sys

from sqlalchemy import Engine, event

from chat_app import wiring
from chat_app.cli import logs
from chat_app.services.agent_book import Written
from chat_app.services.approvals import Answer
from chat_app.services.holder import Services
from chat_app.services.policy import Person
from chat_app.services.problems import WORDED
from chat_app.settings import load_settings

MOST_PAGES = "FAULT_MOST_PAGES"
MANAGED = frozenset({"agents", "add", "change", "switch"})


async def clicked(services: Services, person: Person, click: dict) -> str:
    if click["do"] in MANAGED:
        return await managed(services, person, click)
    if click["do"] == "send":
        return await services.chat.send(person, click["thread"], click["text"], agent=click.get("agent", ""))
    if click["do"] == "queue":
        return await services.queue.put(person, click["thread"], click["text"])
    if click["do"] == "retry":
        return await services.chat.retry(person, click["thread"])
    if click["do"] == "stop":
        return await services.chat.stop(person, click["thread"])
    return await services.approvals.decide(
        person, click["interrupt"], Answer(click["text"], note=click.get("note", ""))
    )


async def managed(services: Services, person: Person, click: dict) -> str:
    book, agent = services.agent_book, click.get("agent", "")
    if click["do"] == "agents":
        return ",".join(one.name for one in (await services.choosing.for_new(person)).choices)
    if click["do"] == "switch":
        await book.switch(person, agent, enabled=click["text"] == "on")
        return agent
    written = Written(**json.loads(click["text"]))
    if click["do"] == "add":
        return await book.add(person, written)
    await book.change(person, agent, written)
    return agent


async def answered(services: Services, person: Person, click: dict) -> None:
    try:
        said = {"id": click["id"], "thread": await clicked(services, person, click)}
    except WORDED as error:
        said = {"id": click["id"], "error": type(error).__name__, "detail": str(error)}
    print(json.dumps(said), flush=True)


def bound(connection: sqlite3.Connection, _entry: object) -> None:
    """Let the database grow to so many pages and no further: a disk that is full."""
    connection.execute(f"PRAGMA max_page_count = {int(os.environ[MOST_PAGES])}")


async def main() -> None:
    if os.environ.get(MOST_PAGES):
        event.listen(Engine, "connect", bound)
    settings = load_settings()
    logs.configure(settings)
    services = wiring.build(settings)
    await services.start()
    cookie = (await services.accounts.sign_in_local()).decode().partition(";")[0]
    person = await services.accounts.person_of(cookie)
    assert person is not None
    print(json.dumps({"id": 0, "ready": True}), flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    async with asyncio.TaskGroup() as clicks:
        while line := await reader.readline():
            clicks.create_task(answered(services, person, json.loads(line)))
    await services.stop()


if __name__ == "__main__":
    asyncio.run(main())
