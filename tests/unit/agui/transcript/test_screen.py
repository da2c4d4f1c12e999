from chat_app.agui.growing import GrowingText
from chat_app.agui.transcript.live import LiveActivity, LiveCall, LiveText
from chat_app.agui.transcript.model import ToolCallStatus
from chat_app.agui.transcript.screen import Screen
from chat_app.agui.updates import Appended, Removed, Touched
from tests.support.wire import Reports


def screen(reports: Reports | None = None) -> Screen:
    return Screen(reports if reports is not None else Reports(), frozenset())


def test_keys_are_unique_on_screen_and_number_on() -> None:
    drawn = screen()
    keys = [drawn.open_row("user", "u", None).key for _ in range(3)]
    assert keys == ["u", "u#2", "u#3"]
    assert drawn.open_row("user", "u#4", None).key == "u#4"
    assert drawn.open_row("user", "u", None).key == "u#5"


def test_parts_of_one_owner_join_one_turn() -> None:
    drawn = screen()
    turn = drawn.turn("a", None)
    assert drawn.turn("b", None) is turn
    other = drawn.turn("c", "sub")
    assert other is not turn
    assert drawn.turn("d", "sub") is other


def test_a_turn_ends_with_another_row_another_run_or_its_own_removal() -> None:
    drawn = screen()
    first = drawn.turn("a", None)
    drawn.open_row("user", "u", None)
    second = drawn.turn("b", None)
    drawn.run_id = "r2"
    third = drawn.turn("c", None)
    drawn.end_turn()
    fourth = drawn.turn("d", None)
    assert drawn.drop_row(fourth) == Removed("d")
    assert len({id(row) for row in (first, second, third, fourth, drawn.turn("e", None))}) == 5
    assert drawn.drop_row(first) == Removed("a")


def test_the_key_of_a_row_that_is_gone_is_not_used_again() -> None:
    drawn = screen()
    drawn.drop_row(drawn.open_row("user", "u", None))
    assert drawn.open_row("user", "u", None).key == "u#2"


def test_text_grows_without_being_joined() -> None:
    drawn = screen()
    row = drawn.turn("m", None)
    part = drawn.add_text(row, "m", "a", streaming=True)
    before = row.freeze()
    assert drawn.append(row, part, "b") == (Appended("m", "m", "b"),)
    assert drawn.append(row, part, "") == ()
    assert part.pieces == ["a", "b"]
    assert row.freeze() != before


def test_a_call_grows_in_its_arguments() -> None:
    drawn = screen()
    row = drawn.turn("c", None)
    call = LiveCall("", "c", "search", None, None, GrowingText(text=""))
    drawn.add_call(row, call)
    assert drawn.append(row, call, "{") == (Appended("c", "c", "{"),)
    assert call.args.read() == "{"
    assert drawn.streaming == {call: row}


def test_the_last_part_takes_its_row_along() -> None:
    drawn = screen()
    row = drawn.turn("m", None)
    first = drawn.add_text(row, "m", streaming=True)
    second = drawn.add_text(row, "n")
    assert drawn.drop_part(row, first) == Touched("m")
    assert drawn.streaming == {}
    assert drawn.drop_part(row, second) == Removed("m")
    assert drawn.rows == {}


def test_a_part_that_never_streams_can_be_dropped() -> None:
    drawn = screen()
    row = drawn.turn("m", None)
    part = LiveText("m", "m")
    row.parts.append(part)
    assert drawn.drop_part(row, part) == Removed("m")


def test_what_is_not_drawn_is_reported() -> None:
    reports = Reports()
    screen(reports).warn("no-target", "nothing there", "CUSTOM")
    assert reports.codes == ["no-target"]


def test_nothing_reaches_a_part_that_is_forgotten() -> None:
    drawn = screen()
    row = drawn.turn("m", None)
    part = drawn.add_text(row, "m", streaming=True)
    other = drawn.add_text(row, "m")
    call = LiveCall("", "c", "search", None, None, GrowingText(text=""))
    drawn.add_call(row, call)
    finished = LiveCall("", "d", "search", None, None, GrowingText(), ToolCallStatus.COMPLETE)
    drawn.add_call(row, finished)
    drawn.awaiting.append((row, call))
    drawn.forget(part)
    assert drawn.texts == {"m": (row, other)}
    drawn.forget(LiveActivity("a", "a", "web", {}))
    drawn.drop_row(row)
    assert (drawn.texts, drawn.calls, drawn.streaming, drawn.awaiting) == ({}, {}, {}, [])
