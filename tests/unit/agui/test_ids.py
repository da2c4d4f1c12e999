from itertools import count

from chat_app.agui.ids import Ids


def test_ids_count_per_thread_and_kind():
    ids = Ids("t")
    assert [ids.run(), ids.message(), ids.run(), ids.message()] == [
        "t-run-1",
        "t-msg-1",
        "t-run-2",
        "t-msg-2",
    ]


def test_an_id_that_was_seen_is_never_made():
    ids = Ids("t")
    ids.seen("t-msg-1")
    ids.seen("t-run-2")
    assert [ids.message(), ids.run(), ids.run()] == ["t-msg-2", "t-run-1", "t-run-3"]
    assert ids.is_seen("t-run-3")
    assert not ids.is_seen("t-run-4")


def test_runs_that_left_no_id_are_counted_past():
    ids = Ids("t")
    ids.skip_runs(3)
    assert ids.run() == "t-run-4"


def test_a_maker_is_asked_until_it_gives_a_new_id():
    numbers = count()
    ids = Ids("t", lambda: str(next(numbers) // 2))
    assert [ids.run(), ids.message(), ids.run()] == ["0", "1", "2"]
