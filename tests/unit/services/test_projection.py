from dataclasses import replace
from datetime import timedelta

import pytest

from chat_app.data.records import DecisionRecord, InterruptRecord, MessageRecord, RunRecord
from chat_app.services.projection import (
    Context,
    Question,
    approval_row,
    by_call,
    call_status,
    in_batches,
    message_row,
    note_code,
    note_row,
    with_heads,
)
from chat_app.services.rows import Change, Fact, File, Part, Row
from tests.fakes import NOON


def run(status: str = "success", key: str = "r1", **fields) -> RunRecord:
    ended = None if status == "running" else NOON
    base = {"exchange": "x", "thread": "t", "wire_run_id": key, "started": NOON, "ended": ended}
    return RunRecord(id=key, status=status, **{**base, **fields})


def interrupt(status: str = "pending", key: str = "q1", **fields) -> InterruptRecord:
    base = {
        "thread": "t",
        "run": "r1",
        "wire_id": key,
        "position": 4,
        "reason": "tool_call",
        "args_digest": "",
    }
    return InterruptRecord(id=key, status=status, **{**base, "created": NOON, **fields})


def decision(kind: str = "approve", **fields) -> DecisionRecord:
    return DecisionRecord(id="d1", interrupt="q1", by="ada", kind=kind, digest="", at=NOON, **fields)


def message(*content, role: str = "assistant", **fields) -> MessageRecord:
    base = {"thread": "t", "position": 3, "key": "m1", "wire_id": "w1", "run": "r1"}
    times = {"created": NOON, "updated": NOON}
    return MessageRecord(id="row-1", role=role, content=list(content), **{**base, **times, **fields})


def tool(status: str, call: str = "c1", **fields) -> dict:
    return {"kind": "tool", "key": "p", "call": call, "name": "add", "text": "{}", "status": status, **fields}


# ---------------------------------------------------------------- messages


def test_a_persons_line_is_a_user_row():
    row = message_row(message({"kind": "text", "key": "p", "text": "Hi"}, role="user"), Context())
    assert row == Row(
        key="m1",
        kind="user",
        position=3,
        at=NOON.isoformat(),
        run="r1",
        parts=[Part(key="p", kind="text", text="Hi")],
    )


@pytest.mark.parametrize("role", ["assistant", "reasoning", "activity", "system", "developer", "tool"])
def test_everything_else_is_a_turn(role):
    row = message_row(message(role=role, run=None), Context())
    assert (row.kind, row.run) == ("turn", "")


def test_a_part_keeps_what_was_stored_and_leaves_empty_what_was_not():
    stored = tool("complete", result=None, started="1", ended="2")
    (part,) = message_row(message(stored), Context()).parts
    assert part == Part("p", "tool", "{}", name="add", status="done", result="", started="1", ended="2")


def test_only_calls_have_a_status():
    (part,) = message_row(
        message({"kind": "text", "key": "p", "text": "x", "status": "complete"}), Context()
    ).parts
    assert part.status == ""


@pytest.mark.parametrize(
    ("context", "status"),
    [
        (Context(live_run="r1"), "running"),
        (Context(runs={"r1": run("failed")}), "failed"),
        (Context(live_run="r2", runs={"r1": run("failed")}), "failed"),
        (Context(questions={"c1": Question(interrupt())}), "waiting"),
        (
            Context(
                questions={"c1": Question(interrupt("answered"), decision(resume_run="r2"))}, live_run="r2"
            ),
            "running",
        ),
    ],
)
def test_a_call_stands_by_its_run_its_question_and_the_live_run(context, status):
    (part,) = message_row(message(tool("awaiting_result")), context).parts
    assert part.status == status


# ---------------------------------------------------------------- calls


@pytest.mark.parametrize(
    ("stored", "live", "word"),
    [
        ("streaming_arguments", True, "preparing"),
        ("awaiting_result", True, "running"),
        ("awaiting_approval", True, "running"),
        ("complete", True, "done"),
        ("failed", True, "failed"),
        ("complete", False, "done"),
    ],
)
def test_a_call_without_a_question(stored, live, word):
    assert call_status(stored, None, run("running"), live=live) == word


@pytest.mark.parametrize(
    ("stored", "ended", "word"),
    [
        ("awaiting_result", run("success"), "done"),
        ("awaiting_result", run("interrupted"), "done"),
        ("awaiting_result", None, "done"),
        ("streaming_arguments", run("success"), "failed"),
        ("failed", run("success"), "failed"),
        ("awaiting_result", run("failed"), "failed"),
        ("awaiting_result", run("failed", error_code="cancelled"), "cancelled"),
        ("awaiting_result", run("cancelled"), "cancelled"),
    ],
)
def test_a_call_whose_run_is_over(stored, ended, word):
    assert call_status(stored, None, ended, live=False) == word


@pytest.mark.parametrize(
    ("question", "word"),
    [
        (Question(interrupt()), "waiting"),
        (Question(interrupt("answered"), decision(), owed=True), "waiting"),
        (Question(interrupt("answered"), decision("reject"), owed=True), "denied"),
        (Question(interrupt("cancelled"), decision("cancel"), owed=True), "cancelled"),
        (Question(interrupt("expired")), "expired"),
        (Question(interrupt("cancelled")), "cancelled"),
        (Question(interrupt("superseded")), "cancelled"),
        (Question(interrupt("withdrawn")), "cancelled"),
        (Question(interrupt("answered"), decision("reject")), "denied"),
        (Question(interrupt("answered"), decision("cancel")), "cancelled"),
        (Question(interrupt("answered"), decision("approve")), "running"),
        (Question(interrupt("answered")), "running"),
    ],
)
def test_a_call_that_was_asked_about(question, word):
    assert call_status("awaiting_approval", question, run("running"), live=True) == word


def test_an_approved_call_with_a_result_is_done():
    assert call_status("complete", Question(interrupt("answered"), decision()), None, live=False) == "done"


def test_the_newest_question_about_a_call_counts():
    old, new = interrupt("answered", "q1", tool_call="c1"), interrupt("pending", "q2", tool_call="c1")
    found = by_call([Question(old), Question(new), Question(interrupt(key="q3"))])
    assert found == {"c1": Question(new)}


# ---------------------------------------------------------------- approvals


def test_an_open_question_is_a_card_with_everything_it_covers():
    asked = interrupt(
        message="May I?",
        tool_name="send",
        args='{"to":"a@b.c","copies":2}',
        args_digest="abc",
        expires_at=NOON + timedelta(minutes=5),
    )
    assert approval_row(Question(asked)) == Row(
        key="ask:q1",
        kind="approval",
        position=4,
        at=NOON.isoformat(),
        run="r1",
        interrupt_id="q1",
        reason="tool_call",
        message="May I?",
        tool="send",
        arguments=[Fact("to", "a@b.c"), Fact("copies", "2", raw=True)],
        digest="abc",
        expires_at=(NOON + timedelta(minutes=5)).isoformat(),
        status="pending",
        actions=["approve", "reject", "cancel"],
    )


def test_a_decided_question_names_who_and_what_and_offers_nothing():
    row = approval_row(Question(interrupt("answered"), decision("reject", note="no"), "Ada", owed=True))
    assert (row.status, row.decision, row.decided_by, row.note, row.owed) == (
        "answered",
        "reject",
        "Ada",
        "no",
        True,
    )
    assert row.decided_at == NOON.isoformat()
    assert row.actions == []


# ---------------------------------------------------------------- notes


def test_a_note_says_how_a_run_ended_and_whether_to_try_again():
    failed = run("failed", error_code="quota", error_message="No credit", note_position=9)
    assert note_row(failed, newest=True) == Row(
        key="note:r1",
        kind="note",
        position=9,
        at=NOON.isoformat(),
        run="r1",
        code="quota",
        detail="No credit",
        retry=True,
    )
    assert not note_row(failed, newest=False).retry


@pytest.mark.parametrize(
    ("ended", "code"),
    [
        (run("cancelled"), "CANCELLED"),
        (run("failed", error_code="CANCELLED"), "CANCELLED"),
        (run("failed", error_code="Cancelled"), "CANCELLED"),
        (run("failed", error_code="SERVER_RESTART"), "SERVER_RESTART"),
        (run("failed", error_code="CLIENT_ERROR", diagnostics={"problem": "agent_silent"}), "agent_silent"),
        (run("failed", error_code="quota", diagnostics={"problem": None, "counts": {"x": 1}}), "quota"),
        (run("failed", diagnostics=["odd"]), "agent_error"),
        (run("failed"), "agent_error"),
    ],
)
def test_a_note_carries_the_kind_of_the_end(ended, code):
    assert note_code(ended) == code


# ---------------------------------------------------------------- heads


def test_the_first_turn_after_each_line_is_a_head():
    kinds = ["turn", "turn", "user", "note", "turn", "approval", "turn", "user", "turn"]
    rows = with_heads([Row(str(at), kind, at) for at, kind in enumerate(kinds)])
    assert [at for at, row in enumerate(rows) if row.head] == [0, 4, 8]
    assert with_heads([]) == []


def test_a_card_says_what_is_at_stake_in_the_agents_words():
    row = approval_row(Question(interrupt(metadata={"risk": "high", "riskReason": "Moves \ud800"})))
    assert (row.risk, row.risk_reason) == ("high", "Moves \\ud800")
    assert approval_row(Question(interrupt(metadata={"risk": 3}))).risk == ""
    assert approval_row(Question(interrupt(metadata="high"))).risk == ""


@pytest.mark.parametrize(
    ("schema", "form"), [(None, False), ({}, False), ({"type": "string"}, False), ({"type": "integer"}, True)]
)
def test_an_answer_that_is_more_than_a_text_has_a_form(schema, form):
    assert approval_row(Question(interrupt(response_schema=schema))).form is form


def test_a_decided_card_keeps_what_was_changed_and_what_was_answered():
    asked = interrupt("answered", args='{"n": 3, "to": "x"}')
    row = approval_row(Question(asked, decision("edit", edited_args={"n": 5, "to": "x"})))
    assert row.changes == [Change("n", "3", "5", was=True, now=True)]
    assert len(row.sealed) == 64
    assert row.answer == []
    row = approval_row(Question(asked, decision("respond", payload={"year": 2026}), carrier=run()))
    assert row.answer == [Fact("year", "2026", raw=True)]
    assert (row.changes, row.sealed) == ([], "")
    assert row.resumed == row.finished == NOON.isoformat()


def test_questions_that_are_answered_together_know_their_places():
    first, second = (Question(interrupt(key=key), holds=True) for key in ("q1", "q2"))
    decided, alone = replace(second, decision=decision()), Question(interrupt(key="q3", run="r2"), holds=True)
    over = Question(interrupt("answered", key="q4"), decision())
    places = [(q.batch, q.place, q.answered) for q in in_batches([first, decided, alone, over])]
    assert places == [(2, 1, 1), (2, 2, 1), (0, 0, 0), (0, 0, 0)]


def test_a_call_shows_the_files_it_was_answered_with():
    stored = {
        "kind": "tool",
        "key": "c",
        "files": [
            {"name": "a.png", "mime": "image/png", "source": "data:x"},
            {"name": "b.pdf", "mime": "application/pdf", "source": "", "link": "https://files.example/b.pdf"},
        ],
    }
    message = MessageRecord(
        id="m",
        thread="t",
        position=1,
        key="m",
        wire_id="m",
        role="assistant",
        content=[stored],
        created=NOON,
        updated=NOON,
    )
    assert message_row(message, Context()).parts[0].files == [
        File("a.png", "image/png", "data:x"),
        File("b.pdf", "application/pdf", link="https://files.example/b.pdf"),
    ]


def test_a_subagent_is_a_lane_and_its_rows_stand_in_it():
    stored = {"kind": "lane", "key": "s", "name": "mechanic", "status": "running"}
    lane = message_row(replace(message(stored), role="subagent"), Context())
    assert (lane.kind, lane.lane, lane.parts[0].status) == ("lane", "", "running")
    inner = message_row(message({"kind": "text", "key": "p", "text": "x", "lane": "s"}), Context())
    assert (inner.kind, inner.lane) == ("turn", "s")


def test_what_stands_in_a_lane_neither_begins_a_turn_nor_goes_on_with_one():
    rows = [
        Row("u", "user", 1),
        Row("lane:s", "lane", 2),
        Row("m", "turn", 3, lane="s"),
        Row("a", "turn", 4),
    ]
    assert [row.key for row in with_heads(rows) if row.head] == ["lane:s"]


def test_a_plan_is_read_and_any_other_activity_left_as_it_is():
    plan = {"kind": "activity", "key": "p", "name": "plan", "text": '{"steps": ["Read"]}'}
    other = {**plan, "name": "weather"}
    kinds = [message_row(message(stored), Context()).parts[0].kind for stored in (plan, other)]
    assert kinds == ["plan", "activity"]


def test_a_call_that_asks_for_consent_shows_where():
    call = {
        "kind": "tool",
        "key": "c",
        "call": "c",
        "name": "adk_request_credential",
        "text": '{"authUri": "https://login.test/"}',
        "status": "complete",
    }
    assert [part.kind for part in message_row(message(call), Context()).parts] == ["tool", "consent"]
