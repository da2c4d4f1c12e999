"""Whatever happens to a thread, whoever follows it by the live channel ends with exactly its rows."""

from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from chat_app.services.live import LiveThread
from chat_app.services.rows import Part, Row, Run, View
from tests.fakes import Browser

KEYS = st.sampled_from(["a", "b", "c", "d"])
PARTS = st.sampled_from(["p", "q", "r"])
WORDS = st.text(max_size=3)

parts = st.lists(
    st.builds(Part, key=PARTS, kind=st.sampled_from(["text", "tool"]), text=WORDS, streaming=st.booleans()),
    max_size=3,
    unique_by=lambda part: part.key,
)
rows = st.builds(
    Row,
    key=KEYS,
    kind=st.sampled_from(["user", "turn", "note", "approval"]),
    position=st.integers(0, 5),
    parts=parts,
    note=st.sampled_from(["", "so"]),
)
views = st.builds(
    View,
    rows=st.lists(rows, max_size=4, unique_by=lambda row: row.key).map(
        lambda some: sorted(some, key=lambda row: (row.position, row.key))
    ),
    older=st.booleans(),
    run=st.builds(Run, status=st.sampled_from(["idle", "running"])),
)


class Audience:
    """A thread and those who follow it, each in its own way."""

    def __init__(self, view: View) -> None:
        self.live = LiveThread("t", "e", view)
        self.browsers: list[Browser] = []

    def join(self) -> None:
        self.browsers.append(Browser())

    def catch_up(self, which: int) -> None:
        """Let one follower read as the hub does: from its cursor on, or from a snapshot."""
        if not self.browsers:
            return
        browser = self.browsers[which % len(self.browsers)]
        number = self.live.number_of(browser.cursor)
        try:
            step = self.live.snapshot() if number is None else self.live.since(number)
        except KeyError:
            step = self.live.snapshot()
        if step is not None:
            browser.receive(step[1])

    def rewind(self, which: int) -> None:
        """Send one follower, up to date, its last frame again: a repeated frame changes nothing."""
        if self.browsers and (browser := self.browsers[which % len(self.browsers)]).number:
            step = self.live.since(browser.number - 1) if browser.number == self.live.number else None
            if step is not None:
                browser.receive(step[1])


CHANGES = st.one_of(
    st.tuples(st.just("append"), KEYS, PARTS, WORDS),
    st.tuples(st.just("upsert"), rows),
    st.tuples(st.just("drop"), KEYS),
    st.tuples(st.just("show"), views),
    st.tuples(st.just("publish")),
)
READINGS = st.one_of(
    st.tuples(st.just("join")),
    st.tuples(st.just("catch_up"), st.integers(0, 3)),
    st.tuples(st.just("rewind"), st.integers(0, 3)),
)


def play(start: View, script: list[tuple]) -> Audience:
    audience = Audience(start)
    audience.join()
    for name, *arguments in script:
        doer = audience if hasattr(audience, name) else audience.live
        getattr(doer, name)(*arguments)
    audience.live.publish()
    for which in range(len(audience.browsers)):
        audience.catch_up(which)
    return audience


@given(views, st.lists(CHANGES | READINGS, max_size=40))
def test_every_follower_ends_with_exactly_the_rows_of_the_thread(start, script):
    audience = play(start, script)
    for browser in audience.browsers:
        assert browser.shown() == [asdict(row) for row in audience.live.rows()]
        assert browser.run == asdict(audience.live.run)
        assert browser.number == audience.live.number


@given(views, st.lists(CHANGES, max_size=30))
def test_a_follower_of_every_frame_holds_what_one_of_the_merged_frame_holds(start, script):
    audience = Audience(start)
    quick, slow = Browser(), Browser()
    for browser in (quick, slow):
        browser.receive(audience.live.snapshot()[1])
    for name, *arguments in script:
        getattr(audience.live, name)(*arguments)
        audience.live.publish()
        if step := audience.live.since(quick.number):
            quick.receive(step[1])
    if step := audience.live.since(slow.number):
        slow.receive(step[1])
    assert slow.shown() == quick.shown()
    assert slow.run == quick.run


@given(views, st.lists(CHANGES, max_size=30))
def test_rows_stay_in_order_whatever_is_done_to_them(start, script):
    live = play(start, script).live
    places = [(row.position, row.key) for row in live.rows()]
    assert places == sorted(set(places))
