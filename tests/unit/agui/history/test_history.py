from chat_app.agui.history.entries import CallEntry, Entry
from chat_app.agui.history.history import History
from tests.support.wire import Reports


def held(*entries: Entry) -> History:
    history = History(Reports())
    for entry in entries:
        history.append(entry)
    return history


def called(history: History, call_id: str, holder: Entry) -> CallEntry:
    call = CallEntry(call_id, "n", holder, history.run)
    history.add_call(call)
    return call


def ids(history: History) -> list[str]:
    return [entry.message_id for entry in history]


def test_an_answer_stands_behind_its_call_and_the_answers_there() -> None:
    holder = Entry("a1", "assistant")
    history = held(Entry("u", "user"), holder, Entry("a2", "assistant"))
    first, second = called(history, "c1", holder), called(history, "c2", holder)
    history.insert_answer(Entry("t1", "tool", call_id="c1"))
    history.insert_answer(Entry("t2", "tool", call_id="c2"))
    assert ids(history) == ["u", "a1", "t1", "t2", "a2"]
    assert first.answered
    assert second.answered


def test_an_answer_to_a_call_nobody_made_goes_to_the_end() -> None:
    history = held(Entry("u", "user"))
    history.insert_answer(Entry("t", "tool", call_id="ghost"))
    assert ids(history) == ["u", "t"]


def test_an_answer_behind_the_last_message_is_the_last() -> None:
    holder = Entry("a", "assistant")
    history = held(holder)
    called(history, "c", holder)
    history.insert_answer(Entry("t", "tool", call_id="c"))
    assert ids(history) == ["a", "t"]


def test_the_newest_message_of_an_id_is_found() -> None:
    old, new = Entry("u", "user"), Entry("u", "user")
    history = held(old, new)
    assert history.find("u") is new
    assert history.find("ghost") is None


def test_an_appended_answer_marks_its_call() -> None:
    holder = Entry("a", "assistant")
    history = held(holder)
    call = called(history, "c", holder)
    history.append(Entry("t", "tool", call_id="c"))
    assert call.answered


def test_replacing_everything_forgets_the_rest() -> None:
    holder = Entry("a", "assistant")
    history = held(Entry("gone", "user"), holder)
    call = called(history, "c", holder)
    history.replace_all([Entry("t", "tool", call_id="c"), holder])
    assert ids(history) == ["t", "a"]
    assert history.find("gone") is None
    assert call.answered
    assert [each.call_id for each in history.calls()] == ["c"]


def test_a_message_may_become_another() -> None:
    holder = Entry("a", "assistant")
    history = held(Entry("u", "user"), holder)
    called(history, "c", holder)
    new = history.become(holder, Entry("a", "activity"))
    assert ids(history) == ["u", "a"]
    assert history.find("a") is new
    assert history.call("c") is None


def test_a_new_run_forgets_the_tally_of_the_one_before() -> None:
    holder = Entry("a", "assistant")
    history = held(holder)
    call = called(history, "c", holder)
    call.replay = ["half"]
    history.run_calls |= {"c": None, "removed": None}
    history.gone.add("x")
    history.start_run("r2")
    assert (history.run, history.run_id, history.run_calls, history.gone) == (1, "r2", {}, set())
    assert call.replay is None


def test_what_is_ignored_is_reported() -> None:
    reports = Reports()
    History(reports).warn("no-target", "nothing there", "CUSTOM")
    assert reports.codes == ["no-target"]
