"""Worlds whose notices go to a receiver in the test, and what they look like there."""

import asyncio
import json
from collections.abc import Sequence

import httpx

from chat_app.data import deliveries, mail_addresses, users
from chat_app.data.records import DeliveryRecord, MailAddressRecord
from chat_app.services.notices import Plan, WrittenHook
from chat_app.services.policy import Person
from tests.fakes import until
from tests.support.world import World

URL = "http://localhost:3000"


class Receiver(httpx.AsyncBaseTransport):
    """Answers as it is told to, and keeps what it was sent."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.posts: list[httpx.Request] = []
        self.open = asyncio.Event()
        self.open.set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.posts.append(request)
        await self.open.wait()
        answer = self.answers.pop(0) if self.answers else httpx.Response(204)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def told(self) -> list[dict]:
        return [json.loads(post.content) for post in self.posts]


def plan(receiver: httpx.AsyncBaseTransport, **values) -> Plan:
    return Plan(**{"url": URL, "private": True, "transport": receiver, "tick": 60.0} | values)


def boss(world: World) -> Person:
    return world.person("boss", "Boss", "admin")


async def hooked(world: World, *kinds: str, name: str = "chat") -> tuple[str, str]:
    """Add a webhook; returns its id and its secret."""
    secret = await world.notices.add(boss(world), WrittenHook(name, f"https://{name}.example/in?s=1", kinds))
    hooks = (await world.notices.overview(boss(world))).hooks
    return next(one.id for one in hooks if one.name == name), secret


def mailbox(world: World, person: Person, *, wanted: bool = True) -> None:
    record = MailAddressRecord(
        user=person.id, address=f"{person.name.lower()}@example.org", wanted=wanted, changed=world.clock()
    )
    with world.database.transaction() as session:
        mail_addresses.put(session, record)


def on_their_way(world: World) -> Sequence[DeliveryRecord]:
    """Return all deliveries, the oldest first."""
    with world.database.reading() as session:
        return deliveries.newest(session, limit=500)[::-1]


def kinds(world: World) -> list[tuple[str, str]]:
    """Return the kind and channel of all deliveries, the oldest first."""
    return [(one.kind, one.channel) for one in on_their_way(world)]


def keep_out(world: World, person: Person) -> None:
    with world.database.transaction() as session:
        users.set_active(session, person.id, active=False)


async def delivered(world: World) -> None:
    """Send what is due now, and wait until that is over."""
    while await world.post.look():
        await until(lambda: not world.post._sending)
