import json
from dataclasses import asdict, replace

import pytest

from chat_app.services.live import KEPT_FRAMES, KEPT_ROWS, LiveThread
from chat_app.services.panels import Held, Panels, PanelSpec, Shared
from chat_app.services.rows import Part, Row, Run, View
from tests.fakes import Browser


def text_part(text: str, key: str = "p1", *, streaming: bool = True) -> Part:
    return Part(key=key, kind="text", text=text, streaming=streaming)


def turn(key: str, position: int, *parts: Part) -> Row:
    return Row(key=key, kind="turn", position=position, parts=list(parts))


def line(key: str, position: int, text: str = "hello") -> Row:
    return Row(key=key, kind="user", position=position, parts=[text_part(text, streaming=False)])


def thread(*rows: Row, older: bool = False, run: Run | None = None) -> LiveThread:
    return LiveThread("t1", "e1", View(list(rows), older=older, run=run or Run()))


def ops(live: LiveThread, since: int = 0) -> list[list]:
    live.publish()
    step = live.since(since)
    return json.loads(step[1])["ops"] if step else []


# ---------------------------------------------------------------- snapshot


def test_a_snapshot_holds_rows_run_cursor_and_target():
    live = thread(line("u", 1), turn("a", 2, text_part("He")), older=True, run=Run("running", "r1"))
    live.append("a", "p1", "llo")
    number, text = live.snapshot()
    assert number == 1
    assert json.loads(text) == {
        "t": "t1",
        "snapshot": {
            "rows": [asdict(line("u", 1)), asdict(turn("a", 2, text_part("Hello")))],
            "older": True,
            "run": asdict(Run("running", "r1")),
            "cursor": "e1:1",
            "at": ["a", "p1"],
            "panels": {"shared": asdict(Shared()), "views": {}},
        },
    }


def test_a_snapshot_of_an_untouched_thread_has_no_target():
    assert json.loads(thread().snapshot()[1])["snapshot"]["at"] is None


def test_a_snapshot_leaves_nothing_waiting():
    live = thread(turn("a", 1, text_part("")))
    live.append("a", "p1", "x")
    assert live.dirty
    live.snapshot()
    assert not live.dirty


def test_rows_come_in_the_order_of_position_then_key():
    live = thread(turn("b", 2), turn("c", 1), turn("a", 2))
    assert [row.key for row in live.rows()] == ["c", "a", "b"]


# ---------------------------------------------------------------- growing


def test_growing_text_names_its_target_once():
    live = thread(turn("a", 1, text_part("")))
    live.append("a", "p1", "one ")
    live.append("a", "p1", "two")
    assert ops(live) == [["@", "a", "p1"], ["+", "one two"]]
    live.append("a", "p1", "!")
    assert ops(live, since=1) == [["+", "!"]]


def test_growing_another_part_names_it():
    live = thread(turn("a", 1, text_part("", "p1"), text_part("", "p2")))
    live.append("a", "p1", "x")
    live.append("a", "p2", "y")
    live.append("a", "p1", "z")
    assert ops(live) == [
        ["@", "a", "p1"],
        ["+", "x"],
        ["@", "a", "p2"],
        ["+", "y"],
        ["@", "a", "p1"],
        ["+", "z"],
    ]
    assert [part.text for part in live.rows()[0].parts] == ["xz", "y"]


@pytest.mark.parametrize(
    ("row", "part", "text"), [("nobody", "p1", "x"), ("a", "nothing", "x"), ("a", "p1", "")]
)
def test_growing_what_nobody_was_told_of_is_no_change(row, part, text):
    live = thread(turn("a", 1, text_part("")))
    live.append(row, part, text)
    assert not live.dirty


def test_a_part_that_was_taken_away_grows_no_more():
    live = thread(turn("a", 1, text_part("", "p1"), text_part("", "p2")))
    live.append("a", "p1", "x")
    live.upsert(turn("a", 1, text_part("", "p2")))
    live.publish()
    live.append("a", "p1", "y")
    assert not live.dirty


# ---------------------------------------------------------------- rows


def test_a_new_row_travels_whole():
    live = thread()
    live.upsert(turn("a", 1, text_part("Hi")))
    assert ops(live) == [["row", asdict(replace(turn("a", 1, text_part("Hi")), head=True))]]


def test_an_equal_row_is_no_change():
    live = thread(turn("a", 1, text_part("Hi")))
    live.upsert(turn("a", 1, text_part("Hi")))
    assert not live.dirty


def test_a_changed_part_travels_without_the_text_that_is_held():
    live = thread(turn("a", 1, text_part("Hel")))
    live.append("a", "p1", "lo")
    live.upsert(turn("a", 1, text_part("Hello", streaming=False)))
    expected = asdict(text_part("Hello", streaming=False))
    del expected["text"]
    assert ops(live)[-1] == ["part", "a", expected]


def test_a_part_whose_text_was_replaced_brings_it():
    live = thread(turn("a", 1, text_part("Hello")))
    live.upsert(turn("a", 1, text_part("Bye")))
    assert ops(live) == [["part", "a", asdict(text_part("Bye"))]]


def test_only_the_parts_that_changed_travel():
    live = thread(turn("a", 1, text_part("one", "p1")))
    live.upsert(turn("a", 1, text_part("one", "p1"), text_part("two", "p2")))
    assert ops(live) == [["part", "a", asdict(text_part("two", "p2"))]]


def test_parts_in_another_order_send_the_row_without_held_texts():
    live = thread(turn("a", 1, text_part("one", "p1"), text_part("two", "p2")))
    live.upsert(turn("a", 1, text_part("two", "p2"), text_part("one", "p1")))
    ((kind, row),) = ops(live)
    assert kind == "row"
    assert [part["key"] for part in row["parts"]] == ["p2", "p1"]
    assert not any("text" in part for part in row["parts"])


def test_a_row_whose_fields_changed_is_sent_without_held_texts():
    live = thread(turn("a", 1, text_part("one")))
    live.upsert(replace(turn("a", 1, text_part("one")), note="so be it"))
    ((kind, row),) = ops(live)
    assert (kind, row["note"]) == ("row", "so be it")
    assert "text" not in row["parts"][0]


def test_a_row_that_moves_is_shown_at_its_new_place_and_can_be_dropped():
    live = thread(turn("a", 1), turn("b", 2))
    live.upsert(turn("a", 3))
    assert [row.key for row in live.rows()] == ["b", "a"]
    live.drop("a")
    assert [row.key for row in live.rows()] == ["b"]


def test_a_dropped_row_is_gone():
    live = thread(turn("a", 1))
    live.drop("a")
    assert ops(live) == [["drop", "a"]]
    assert live.rows() == []


def test_dropping_an_unknown_row_of_a_whole_thread_is_no_change():
    live = thread(turn("a", 1))
    live.drop("b")
    assert not live.dirty


def test_a_row_before_those_held_is_dropped_for_who_paged_back():
    live = thread(turn("b", 9), older=True)
    live.drop("a")
    assert ops(live) == [["drop", "a"]]


def test_a_row_before_those_held_is_left_to_the_pages():
    live = thread(turn("b", 9), older=True)
    live.upsert(turn("a", 3, text_part("old")))
    assert not live.dirty
    assert [row.key for row in live.rows()] == ["b"]


# ---------------------------------------------------------------- heads


def test_the_first_turn_after_a_line_is_a_head():
    live = thread(line("u", 1))
    live.upsert(turn("a", 2))
    live.upsert(turn("b", 3))
    assert [row.head for row in live.rows()] == [False, True, False]


def test_a_turn_put_between_others_is_judged_by_what_is_before_it():
    live = thread(line("u", 1), turn("b", 3))
    live.upsert(turn("a", 2))
    assert {row.key: row.head for row in live.rows()}["a"] is True


def test_a_note_between_a_line_and_its_answer_takes_no_head_away():
    live = thread(line("u", 1), Row(key="n", kind="note", position=2))
    live.upsert(turn("a", 3))
    assert live.rows()[-1].head


def test_a_row_keeps_its_head_when_it_changes():
    live = thread(line("u", 1))
    live.upsert(turn("a", 2))
    live.upsert(turn("a", 2, text_part("more")))
    assert live.rows()[-1].head


# ---------------------------------------------------------------- show


def test_a_view_adds_changes_and_takes_away():
    live = thread(line("u", 1), turn("a", 2), turn("b", 3))
    live.show(View([line("u", 1), turn("a", 2, text_part("new")), turn("c", 4)]))
    assert [row.key for row in live.rows()] == ["u", "a", "c"]
    assert live.rows()[1].parts[0].text == "new"


def test_a_view_leaves_rows_that_are_being_written():
    live = thread(line("u", 1))
    live.upsert(turn("a", 2, text_part("ahead of SQL")))
    live.writing.add("a")
    live.publish()
    live.show(View([line("u", 1), turn("a", 2, text_part("ahead"))]))
    live.show(View([line("u", 1)]))
    assert not live.dirty
    assert live.rows()[-1].parts[0].text == "ahead of SQL"


def test_a_view_says_nothing_of_rows_before_its_first():
    live = thread(line("u", 1), turn("a", 2))
    live.show(View([turn("a", 2)], older=True))
    assert [row.key for row in live.rows()] == ["u", "a"]


def test_an_empty_view_empties_the_thread():
    live = thread(line("u", 1))
    live.show(View())
    assert live.rows() == []


def test_another_branch_of_a_long_thread_is_a_snapshot_for_everybody():
    live = thread(line("b", 9), older=True)
    live.show(View([line("c", 3)], branch=1))
    assert live.dirty
    live.publish()
    with pytest.raises(KeyError):
        live.since(0)
    assert live.number_of("e1:0") is None
    assert ([row.key for row in live.rows()], live.older) == (["c"], False)
    live.upsert(turn("d", 4))
    assert [op[0] for op in ops(live, live.number)] == ["row"]


def test_another_branch_leaves_rows_that_are_being_written():
    live = thread(line("b", 9), older=True)
    live.upsert(turn("w", 10, text_part("He")))
    live.append("w", "p1", "llo")
    live.writing = {"w"}
    live.show(View([line("c", 3), turn("w", 10, text_part(""))], branch=1))
    assert [(row.key, row.parts[0].text) for row in live.rows()] == [("c", "hello"), ("w", "Hello")]


def test_another_branch_of_a_thread_that_is_held_whole_drops_its_rows_by_name():
    live = thread(line("a", 1), line("b", 2))
    live.show(View([line("a", 1), line("c", 3)], branch=1))
    assert [op[0] for op in ops(live)] == ["drop", "row"]


def test_how_the_thread_stands_is_told_once():
    live = thread()
    live.set_run(Run("running", "r1"))
    live.set_run(Run("running", "r1"))
    assert ops(live) == [["run", asdict(Run("running", "r1"))]]


# ---------------------------------------------------------------- frames


def test_nothing_waiting_publishes_no_frame():
    live = thread()
    live.publish()
    assert live.number == 0
    assert live.since(0) is None


def test_a_follower_one_behind_gets_the_encoded_frame_itself():
    live = thread(turn("a", 1, text_part("")))
    live.append("a", "p1", "x")
    live.publish()
    assert live.since(0) == live.since(0)
    assert live.since(0)[1] is live.since(0)[1]


def test_a_frame_is_known_by_the_end_of_its_epoch_and_adds_little_to_its_text():
    live = LiveThread("a" * 36, "0190c0de-0000-7000-8000-00000000beef", View([turn("a", 1, text_part(""))]))
    live.append("a", "p1", "so")
    live.publish()
    live.append("a", "p1", "on")
    live.publish()
    assert live.since(1)[1] == '{"e":"beef","n":2,"ops":[["+","on"]]}'


def test_a_slow_follower_gets_its_frames_in_one():
    live = thread(turn("a", 1, text_part("")))
    for word in ("a", "b", "c"):
        live.append("a", "p1", word)
        live.publish()
    number, text = live.since(0)
    assert (number, json.loads(text)["n"]) == (3, 3)
    assert json.loads(text)["ops"] == [["@", "a", "p1"], ["+", "abc"]]
    assert json.loads(live.since(1)[1])["ops"] == [["+", "bc"]]  # merging changes no kept frame


def test_a_number_that_is_not_kept_needs_a_snapshot():
    live = thread(turn("a", 1, text_part("")))
    for _ in range(KEPT_FRAMES + 1):
        live.append("a", "p1", "x")
        live.publish()
    with pytest.raises(KeyError):
        live.since(0)
    with pytest.raises(KeyError):
        live.since(live.number + 1)
    assert live.since(1)[0] == live.number


@pytest.mark.parametrize(
    ("cursor", "number"),
    [
        ("e1:2", 2),
        ("e1:0", 0),
        ("e1:3", None),
        ("e2:2", None),
        ("", None),
        ("e1:", None),
        ("e1:-1", None),
        ("e1:²", None),
    ],
)
def test_a_cursor_is_good_for_its_epoch_and_for_kept_frames(cursor, number):
    live = thread(turn("a", 1, text_part("")))
    for _ in range(2):
        live.append("a", "p1", "x")
        live.publish()
    assert live.number_of(cursor) == number


def test_a_cursor_before_the_kept_frames_is_not_good():
    live = thread(turn("a", 1, text_part("")))
    for _ in range(KEPT_FRAMES + 5):
        live.append("a", "p1", "x")
        live.publish()
    assert live.number_of("e1:4") is None
    assert live.number_of("e1:5") == 5


def test_a_long_thread_is_held_as_a_window():
    live = thread()
    for position in range(4 * KEPT_ROWS + 1):
        live.upsert(turn(f"r{position:04}", position))
    assert not live.older
    live.publish()
    assert live.older
    assert [row.position for row in live.rows()] == list(range(2 * KEPT_ROWS + 1, 4 * KEPT_ROWS + 1))


def test_who_followed_all_the_while_notices_no_window():
    live, browser = thread(), Browser()
    browser.receive(live.snapshot()[1])
    for position in range(4 * KEPT_ROWS + 1):
        live.upsert(turn(f"r{position:04}", position))
    live.publish()
    browser.receive(live.since(0)[1])
    assert len(browser.rows) == 4 * KEPT_ROWS + 1


def test_a_refresh_in_mid_run_keeps_the_step_and_the_tool():
    live = thread(run=Run("running", "r1", step="Check the stand", tool="book"))
    live.show(View(run=Run("running", "r1")))
    assert (live.run.step, live.run.tool) == ("Check the stand", "book")
    live.show(View(run=Run("idle")))
    assert live.run.step == ""


def test_the_state_is_shown_from_sql_unless_a_live_run_is_ahead():
    live = LiveThread("t1", "e1", View(), Panels([PanelSpec("state")]))
    live.panels.hear({"n": 2}, "2026-01-01T00:00:00+00:00")
    live.show(View(held=Held(({"n": 1},), Shared(seen=True))))
    live.show_panels()
    live.publish()
    assert '"view":{"n":2}' in live.since(0)[1]


def test_a_line_of_another_branch_goes_though_it_stands_before_what_is_shown():
    live = thread(line("u", 1, "one"), turn("a", 2, text_part("1")))
    live.show(View([line("v", 5, "two"), turn("b", 6, text_part("2"))]))
    assert [row.key for row in live.rows()] == ["v", "b"]
    assert ["drop", "u"] in ops(live)


def test_rows_before_the_newest_ones_stay_while_there_are_older_ones():
    live = thread(line("u", 1), turn("a", 2, text_part("1")))
    live.show(View([turn("a", 2, text_part("1"))], older=True))
    assert [row.key for row in live.rows()] == ["u", "a"]


def test_a_row_that_grows_keeps_its_ways_and_what_is_thought_of_it():
    known = replace(turn("a", 1, text_part("1")), ways=[0, 1], way=1, verdict="good", comment="so")
    live = thread(known)
    live.upsert(turn("a", 1, text_part("2")))
    (row,) = live.rows()
    assert (row.ways, row.way, row.verdict, row.comment) == ([0, 1], 1, "good", "so")
    live.show(View([turn("a", 1, text_part("2"))]))
    assert (live.rows()[0].ways, live.rows()[0].verdict) == ([], "")
