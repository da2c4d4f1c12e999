from ag_ui.core import AssistantMessage, ToolMessage, UserMessage

from chat_app.agui.conversation import Conversation
from chat_app.agui.events import Interrupt, LocalMessage, ResumeEntry, parse_stored
from chat_app.agui.updates import Failed, Interrupted, ResultArrived, Success
from tests.support.scripts import call, failed, finished, interrupted, result, run, started, text


def conversation(*entries, messages=()):
    made = Conversation(messages, waits=lambda _: False, report=lambda _: None)
    fold(made, *entries)
    return made


def fold(made, *entries):
    for entry in entries:
        for one in entry if isinstance(entry, list) else [entry]:
            made.fold(parse_stored(one) if isinstance(one, dict) else one)


def answer(call_id, content="x"):
    return LocalMessage(ToolMessage(id=f"t-{call_id}", role="tool", tool_call_id=call_id, content=content))


def line(message_id, content="hi"):
    return LocalMessage(UserMessage(id=message_id, role="user", content=content))


def ids(made):
    return [message.id for message in made.applier.messages]


def drawn(made):
    return [row.key for row in made.reducer.snapshot().messages]


def test_seeds_are_history_and_drawn():
    seeds = [
        UserMessage(id="u", role="user", content="a"),
        AssistantMessage(id="a", role="assistant", content="b"),
    ]
    made = conversation(messages=seeds)
    assert ids(made) == drawn(made) == ["u", "a"]
    assert made.end is None


def test_an_answer_is_drawn_at_once_and_joins_the_history_with_the_next_request():
    made = conversation(started(), call("c1", "echo"))
    assert made.fold(answer("c1")).updates == (ResultArrived("t-c1", "c1"),)
    [row] = made.reducer.snapshot().messages
    assert (row.parts[0].status, row.parts[0].result) == ("complete", "x")
    assert ids(made) == ["c1"]
    assert made.is_answered("c1")
    made.send_answers()
    assert ids(made) == ["c1", "t-c1"]
    assert made.is_answered("c1")
    assert not made.is_answered("c2")


def test_an_answer_that_was_sent_already_joins_the_history_at_once():
    made = conversation(run(call("c1", "echo")))
    folded = made.add_sent(answer("c1").message)
    assert ids(made) == ["c1", "t-c1"]
    assert made.unsent == {}
    assert len(folded.rows) == 1


def test_a_snapshot_that_does_not_know_an_unsent_answer_does_not_lose_it():
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "u", "role": "user", "content": "hi"}]}
    made = conversation(line("u"), started(), call("c1", "echo"), answer("c1"), snapshot, finished())
    made.send_answers()
    assert ids(made) == ["u", "t-c1"]


def test_the_next_run_or_line_in_a_log_means_the_answer_was_sent():
    assert ids(conversation(run(call("c1", "echo")), answer("c1"), started("r2"))) == ["c1", "t-c1"]
    assert ids(conversation(run(call("c1", "echo")), answer("c1"), line("u"))) == ["c1", "t-c1", "u"]


def test_a_result_from_the_stream_takes_the_place_of_an_unsent_answer():
    made = conversation(started(), call("c1", "echo"), answer("c1"), result("c1", "theirs", "m1"))
    assert made.unsent == {}
    assert ids(made) == ["c1", "m1"]


def test_a_run_that_finishes_replaces_the_questions_and_takes_the_answers():
    made = conversation(started(), interrupted({"id": "i1", "reason": "x"}))
    assert [one.id for one in made.pending] == ["i1"]
    assert isinstance(made.end, Interrupted)
    made.owed = (ResumeEntry(interrupt_id="i1", status="cancelled"),)
    fold(made, started("r2"), failed())
    assert [one.id for one in made.pending] == ["i1"]
    assert len(made.owed) == 1
    assert isinstance(made.end, Failed)
    fold(made, run(run_id="r3"))
    assert (made.pending, made.owed) == ((), ())
    assert made.end == Success("r3")


def test_what_an_application_knows_of_open_questions_is_taken_over():
    made = conversation(started(), call("c1", "pay"), finished())
    asked = Interrupt(id="i", reason="x", tool_call_id="c1")
    made.reopen([asked], [ResumeEntry(interrupt_id="i", status="cancelled")])
    assert made.pending == (asked,)
    assert len(made.owed) == 1


def test_updates_and_rows_of_one_entry_come_together():
    made = conversation(started(), text("m", "a")[0])
    folded = made.fold(parse_stored(text("m", "a")[1]))
    assert [change.delta for change in folded.rows] == ["a"]
    assert [update.delta for update in folded.updates] == ["a"]
