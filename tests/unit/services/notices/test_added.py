"""Notifiers of extensions: added once, and never the end of the post."""

import asyncio

import pytest

from chat_app.services.notices import Notice, NotSent, added
from chat_app.services.notices.added import AddedChannel
from tests.fakes import NOON

NOTICE = Notice(id="n-1", kind="asked", at=NOON, link="http://p")


class Kept:
    """Keeps what it is sent, or raises what it is told to."""

    def __init__(self, trouble: Exception | None = None, pause: float = 0.0) -> None:
        self.sent: list[Notice] = []
        self.trouble = trouble
        self.pause = pause

    async def send(self, notice: Notice) -> None:
        await asyncio.sleep(self.pause)
        if self.trouble is not None:
            raise self.trouble
        self.sent.append(notice)


@pytest.fixture
def table():
    before = dict(added._added)
    added._added.clear()
    yield added
    added._added.clear()
    added._added.update(before)


def test_a_name_is_taken_once(table):
    one = Kept()
    table.add("chat", one)
    assert table.every() == {"chat": one}
    for name in ("chat", ""):
        with pytest.raises(ValueError, match="notifier"):
            table.add(name, Kept())


async def refused(notifier: Kept, name: str = "chat") -> tuple[str, str]:
    with pytest.raises(NotSent) as trouble:
        await AddedChannel({"chat": notifier}, within=0.02).send(name, NOTICE)
    return trouble.value.outcome, trouble.value.fate


async def test_a_notice_is_handed_on():
    notifier = Kept()
    channel = AddedChannel({"chat": notifier})
    assert await channel.send("chat", NOTICE) == "taken"
    assert notifier.sent == [NOTICE]
    await channel.aclose()


async def test_whatever_goes_wrong_in_one_is_told_as_not_sent():
    assert await refused(Kept(), "gone") == ("off", "dropped")
    assert await refused(Kept(NotSent("full", fate="failed"))) == ("full", "failed")
    assert await refused(Kept(KeyError("oops"))) == ("error", "again")
    assert await refused(Kept(pause=5.0)) == ("timeout", "again")
