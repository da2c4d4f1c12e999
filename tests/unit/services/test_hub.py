import asyncio
import json
import threading
from contextlib import aclosing

import pytest
from pydantic import JsonValue

from chat_app.services.hub import STREAMS_PER_WINDOW, Channel, LiveHub, UserFeed
from chat_app.services.live import LiveThread
from chat_app.services.panels import Held, Panels, PanelSpec, Shared
from chat_app.services.rows import Part, Row, Run, View
from chat_app.services.tail import Seen
from tests.fakes import Browser, counting_ids, next_frame, until, within


def row(key: str = "a", text: str = "", position: int = 1) -> Row:
    return Row(key, "turn", position, head=True, parts=[Part("p", "text", text)])


class Store:
    """A thread in SQL: what a read gives, how often it was read, and a gate that holds a read up."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.reads = 0
        self.open = threading.Event()
        self.open.set()

    def look(self, _thread_id: str, _tail: object, _whole: bool) -> Seen:
        seen = self.view
        self.reads += 1
        assert self.open.wait(5)
        return Seen(seen)


def hub_of(store: Store, window: float = 0.0, window_max: float = 0.0) -> LiveHub:
    return LiveHub(store.look, window=window, window_max=window_max, new_epoch=counting_ids("epoch"))


def channel_of(*rows: Row, window: float = 0.0) -> Channel:
    return Channel(LiveThread("t", "e", View(list(rows))), lambda: window)


def say(channel: Channel, text: str) -> None:
    channel.live.append("a", "p", text)
    channel.changed()


# ---------------------------------------------------------------- channel


async def test_a_newcomer_gets_a_snapshot_and_then_what_changes():
    channel = channel_of(row())
    async with aclosing(channel.follow("")) as frames:
        assert (await next_frame(frames))["snapshot"]["cursor"] == "e:0"
        say(channel, "Hi")
        assert await next_frame(frames) == {"e": "e", "n": 1, "ops": [["@", "a", "p"], ["+", "Hi"]]}


async def test_a_returning_follower_goes_on_where_it_was():
    channel = channel_of(row())
    for word in ("a", "b"):
        say(channel, word)
        channel.live.publish()
    async with aclosing(channel.follow("e:1")) as frames:
        assert (await next_frame(frames))["ops"] == [["+", "b"]]


async def test_a_follower_that_is_up_to_date_waits():
    channel = channel_of(row())
    async with aclosing(channel.follow("e:0")) as frames:
        waiting = asyncio.ensure_future(anext(frames))
        await asyncio.sleep(0)
        assert not waiting.done()
        say(channel, "x")
        assert json.loads(await within(waiting))["n"] == 1


async def test_everyone_who_follows_is_woken():
    channel = channel_of(row())
    async with aclosing(channel.follow("")) as one, aclosing(channel.follow("")) as other:
        await next_frame(one)
        await next_frame(other)
        say(channel, "x")
        assert await next_frame(one) == await next_frame(other)


async def test_a_newcomers_snapshot_gives_the_others_what_waited():
    channel = channel_of(row(), window=60)
    channel._published = asyncio.get_running_loop().time()
    async with aclosing(channel.follow("")) as one:
        await next_frame(one)
        say(channel, "x")
        async with aclosing(channel.follow("")) as newcomer:
            assert (await next_frame(newcomer))["snapshot"]["rows"][0]["parts"][0]["text"] == "x"
            assert (await next_frame(one))["n"] == 1


async def test_a_follower_left_too_far_behind_gets_a_snapshot():
    channel = channel_of(row())
    browser = Browser()
    async with aclosing(channel.follow("")) as frames:
        browser.receive(await within(anext(frames)))
        for _ in range(2_001):
            channel.live.append("a", "p", "x")
            channel.live.publish()
        channel._wake_all()
        frame = await within(anext(frames))
        assert "snapshot" in frame
        browser.receive(frame)
    assert browser.shown()[0]["parts"][0]["text"] == "x" * 2_001


async def test_the_first_change_goes_out_at_once_and_the_next_after_the_window():
    channel = channel_of(row(), window=0.05)
    loop = asyncio.get_running_loop()
    async with aclosing(channel.follow("")) as frames:
        await next_frame(frames)
        begun = loop.time()
        say(channel, "a")
        await next_frame(frames)
        first = loop.time() - begun
        say(channel, "b")
        say(channel, "c")
        assert (await next_frame(frames))["ops"] == [["+", "bc"]]
        assert first < 0.05 <= loop.time() - begun


async def test_a_state_is_shown_at_once_and_the_next_when_people_can_tell_them_apart():
    live = LiveThread("t", "e", View(), Panels([PanelSpec("state")], Held(({"n": 0},), Shared(seen=True))))
    channel = Channel(live, lambda: 0.0)
    async with aclosing(channel.follow("")) as frames:
        await next_frame(frames)
        for n in (1, 2, 3):
            live.panels.hear({"n": n}, "")
            channel.changed()
            if n == 1:
                assert (await next_frame(frames))["ops"][0][2][0]["value"] == 1
        shown = (await next_frame(frames))["ops"]
    assert [op[2][0]["value"] for op in shown] == [3]


async def test_a_thread_opened_anew_recalls_a_state_that_fits():
    asked = []

    def recall(thread_id: str) -> list[tuple[JsonValue, str]]:
        asked.append(thread_id)
        return [({"app": 1}, "then")]

    store = Store(View(held=Held(({},), Shared(seen=True))))
    hub = LiveHub(
        store.look,
        window=0.0,
        window_max=0.0,
        new_epoch=counting_ids("epoch"),
        panels=[PanelSpec("app", "/app")],
        recall=recall,
    )
    async with hub.use("t") as channel:
        assert channel.live.panels.snapshot()["views"]["app"]["view"] == 1
    assert asked == ["t"]


async def test_no_change_publishes_nothing():
    channel = channel_of(row())
    channel.changed()
    assert not channel.streaming
    say(channel, "x")
    assert channel.streaming
    await until(lambda: channel.live.number == 1)
    assert not channel.streaming


async def test_a_channel_knows_how_many_follow_it():
    channel = channel_of(row())
    async with aclosing(channel.follow("")) as frames:
        await next_frame(frames)
        assert channel.followers == 1
    assert channel.followers == 0


# ---------------------------------------------------------------- hub


async def test_a_thread_is_read_once_for_all_who_use_it():
    store = Store(View([row()]))
    hub = hub_of(store)
    async with hub.use("t") as one, hub.use("t") as other:
        assert one is other
        assert hub.channel("t") is one
    assert store.reads == 1
    assert hub.channel("t") is None


async def test_two_who_come_at_once_share_one_reading():
    store = Store(View([row()]))
    hub = hub_of(store)
    store.open.clear()
    together = asyncio.Barrier(2)

    async def hold() -> Channel:
        async with hub.use("t") as channel:
            await together.wait()
            return channel

    both = asyncio.gather(hold(), hold())
    await until(lambda: store.reads == 1)
    store.open.set()
    one, other = await within(both)
    assert one is other
    assert (store.reads, one.users, hub.channel("t")) == (1, 0, None)


async def test_a_thread_used_again_has_another_epoch():
    hub = hub_of(Store(View([row()])))
    epochs = []
    for _ in range(2):
        async with hub.use("t") as channel:
            epochs.append(channel.live.epoch)
    assert len(set(epochs)) == 2


async def test_who_gives_up_while_a_thread_is_read_leaves_nothing_behind():
    store = Store(View([row()]))
    hub = hub_of(store)
    store.open.clear()

    async def hold() -> None:
        async with hub.use("t"):
            pass

    task = asyncio.ensure_future(hold())
    await until(lambda: store.reads == 1)
    task.cancel()
    store.open.set()
    with pytest.raises(asyncio.CancelledError):
        await within(task)
    assert hub.channel("t") is None
    assert not hub._reading


async def test_a_refresh_shows_what_sql_holds_now():
    store = Store(View([row()]))
    hub = hub_of(store)
    async with hub.use("t") as channel, aclosing(channel.follow("")) as frames:
        await next_frame(frames)
        store.view = View([row(text="new")], run=Run("running", "r"))
        await within(hub.refresh("t"))
        kinds = [op[0] for op in (await next_frame(frames))["ops"]]
        assert kinds == ["part", "run"]


async def test_a_refresh_of_a_thread_nobody_uses_reads_nothing():
    store = Store(View())
    await within(hub_of(store).refresh("t"))
    assert store.reads == 0


async def test_what_was_read_before_a_run_let_go_is_never_shown_over_what_it_wrote():
    store = Store(View([row()]))
    hub = hub_of(store)
    async with hub.use("t") as channel:
        channel.live.writing.add("a")
        channel.live.append("a", "p", "written by the run")
        store.open.clear()
        stale = asyncio.ensure_future(hub.refresh("t"))  # has read the empty row, and is slow to tell
        await until(lambda: store.reads == 2)
        store.view = View([row(text="written by the run")])
        settled = asyncio.ensure_future(hub.settle("t"))
        await asyncio.sleep(0)
        store.open.set()
        await within(stale)
        assert channel.live.rows()[0].parts[0].text == "written by the run"
        await within(settled)
        await within(hub.refresh("t"))
        assert channel.live.rows()[0].parts[0].text == "written by the run"
        assert channel.live.writing == set()


async def test_settling_a_thread_nobody_uses_is_no_trouble():
    await within(hub_of(Store(View())).settle("t"))


async def test_many_streams_share_the_wire_by_waiting_longer():
    store = Store(View([row()]))
    hub = hub_of(store, window=0.01, window_max=0.025)
    assert hub._window() == 0.01
    for at in range(3 * STREAMS_PER_WINDOW):
        channel = channel_of(row(), window=60)
        channel._published = asyncio.get_running_loop().time()
        hub._channels[str(at)] = channel
    for at, expected in ((0, 0.01), (1, 0.02), (2, 0.025)):
        for which in range(at * STREAMS_PER_WINDOW):
            say(hub._channels[str(which)], "x")
        assert hub._window() == expected
    for channel in hub._channels.values():
        if channel._due is not None:
            channel._due.cancel()


# ---------------------------------------------------------------- feeds


async def test_a_feed_sends_the_newest_of_each_thread():
    feed = UserFeed()
    feed.push("t1", "one")
    feed.push("t2", "two")
    feed.push("t1", "one, later")
    async with aclosing(feed.frames()) as frames:
        assert [await within(anext(frames)) for _ in range(2)] == ["two", "one, later"]
        waiting = asyncio.ensure_future(anext(frames))
        await asyncio.sleep(0)
        assert not waiting.done()
        feed.push("t3", "three")
        assert await within(waiting) == "three"


async def test_every_open_tab_of_a_person_is_told_and_nobody_else():
    hub = hub_of(Store(View()))
    with hub.feed("ada") as one, hub.feed("ada") as other, hub.feed("bob") as foreign:
        hub.push("ada", "t", "news")
        for feed in (one, other):
            async with aclosing(feed.frames()) as frames:
                assert await within(anext(frames)) == "news"
        assert not foreign._frames
    assert hub._feeds == {}


async def test_news_for_who_is_not_here_is_dropped():
    hub_of(Store(View())).push("ada", "t", "news")


async def test_it_is_known_what_is_followed_and_whose_list_is_open():
    hub = hub_of(Store(View()))
    async with hub.use("t") as channel, hub.use("written"):
        assert hub.followed() == []
        async with aclosing(channel.follow("")) as frames:
            await next_frame(frames)
            assert hub.followed() == ["t"]
    with hub.feed("ada"):
        assert hub.listed() == ["ada"]
    assert (hub.followed(), hub.listed()) == ([], [])
