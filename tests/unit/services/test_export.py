import json
from datetime import UTC, datetime

import pytest

from chat_app.data.records import EventRecord
from chat_app.services.export import (
    NotExported,
    Taken,
    as_events,
    as_json,
    as_markdown,
    read_events,
    replayed,
)
from chat_app.services.rows import Change, Fact, Part, Row

AT = datetime(2026, 11, 30, 14, 4, tzinfo=UTC)


def entry(seq: int, type_: str, /, **payload: object) -> EventRecord:
    return EventRecord(thread="t", seq=seq, type=type_, payload=payload, at=AT)


LOG = [
    entry(1, "user_message", id="u1", role="user", content="Hello"),
    entry(3, "RUN_STARTED", type="RUN_STARTED", threadId="t", runId="r"),
    entry(4, "TEXT_MESSAGE_START", type="TEXT_MESSAGE_START", messageId="m", role="assistant"),
    entry(6, "TEXT_MESSAGE_CONTENT", type="TEXT_MESSAGE_CONTENT", messageId="m", delta="Good day"),
    entry(7, "TEXT_MESSAGE_END", type="TEXT_MESSAGE_END", messageId="m"),
    entry(8, "decision", kind="approve", interrupt="i"),
    entry(9, "RUN_FINISHED", type="RUN_FINISHED", threadId="t", runId="r"),
]


def taken(*rows: Row) -> Taken:
    return Taken("t", "Pumps", "Order desk", "Mira", "2026-11-30", "2026-12-01", list(rows))


def markdown(*rows: Row) -> str:
    return "".join(as_markdown(taken(*rows)))


def test_every_line_is_an_event_of_the_protocol_with_its_time():
    lines = [json.loads(line) for line in as_events(LOG)]
    assert {line["type"] for line in lines} >= {"CUSTOM", "RUN_STARTED", "RUN_FINISHED"}
    assert {line["timestamp"] for line in lines} == {round(AT.timestamp() * 1000)}
    assert lines[0] == {
        "timestamp": lines[0]["timestamp"],
        "type": "CUSTOM",
        "name": "parley.user_message",
        "value": {"id": "u1", "role": "user", "content": "Hello"},
    }


def test_the_time_an_agent_gave_is_kept():
    (line,) = as_events([entry(1, "RUN_STARTED", type="RUN_STARTED", threadId="t", runId="r", timestamp=5)])
    assert json.loads(line)["timestamp"] == 5


def test_what_was_exported_folds_to_the_same_rows():
    assert replayed(read_events([*as_events(LOG), "\n"])) == replayed(LOG)
    rows = replayed(LOG)
    assert [(row.kind, row.parts[0].text) for row in rows] == [("user", "Hello"), ("turn", "Good day")]


def test_a_custom_event_of_an_agent_stays_one():
    for name in ("user_message", "parley.colour", 7):
        (read,) = read_events(as_events([entry(1, "CUSTOM", type="CUSTOM", name=name, value=1)]))
        assert read.type == "CUSTOM"


@pytest.mark.parametrize("line", ["no json", "[]", '{"name": "x"}', '{"type": 7}'])
def test_a_line_that_is_no_event_is_named(line):
    with pytest.raises(NotExported, match="Line 2"):
        list(read_events(['{"type": "RAW"}', line]))


def test_an_event_nobody_knows_ends_the_replay_with_a_sentence():
    with pytest.raises(NotExported, match="cannot be folded"):
        replayed(read_events(['{"type": "RUN_STARTED"}']))


def test_json_holds_every_row():
    rows = [Row("a", "user", 1), Row("b", "turn", 2)]
    told = json.loads("".join(as_json(taken(*rows))))
    assert told["thread"]["title"] == "Pumps"
    assert [row["key"] for row in told["rows"]] == ["a", "b"]
    assert json.loads("".join(as_json(taken())))["rows"] == []


def test_markdown_names_who_said_what():
    said = markdown(
        Row("a", "user", 1, at="10:00", parts=[Part("p", "text", "Why?")]),
        Row("b", "turn", 2, at="10:01", head=True, parts=[Part("p", "reasoning", "Hm\nwell")]),
        Row("c", "turn", 3, parts=[Part("p", "text", "Because **so**.")]),
    )
    assert "# Pumps" in said
    assert "## Mira, 10:00\n\nWhy?" in said
    assert "## Order desk, 10:01" in said
    assert "> Reasoning:\n> Hm\n> well" in said
    assert said.count("## Order desk") == 1
    assert said.endswith("Because **so**.\n")


def test_no_text_of_a_call_ends_its_fence():
    said = markdown(
        Row("b", "turn", 2, parts=[Part("p", "tool", "{}", name="run", status="done", result="a ```` b")])
    )
    assert "**Tool `run`**: done" in said
    assert "\n`````\na ```` b\n`````\n" in said
    assert "```json\n{}\n```" in said


def test_files_and_activities_are_named():
    said = markdown(
        Row("b", "turn", 2, parts=[Part("p", "file", name="a.png"), Part("q", "activity", "{}", name="plan")])
    )
    assert "**a.png**" in said
    assert "**plan**\n\n```json" in said


def test_a_decision_is_told_with_every_value():
    said = markdown(
        Row(
            "q",
            "approval",
            3,
            message="Refund €12?",
            arguments=[Fact("amount", "12", raw=True)],
            changes=[Change("amount", "12", "10", was=True, now=True)],
            answer=[Fact("why", "late")],
            decision="edit",
            decided_by="Tomás",
            decided_at="10:05",
            note="Less.",
        ),
        Row("r", "approval", 4, tool="issue_refund", status="pending"),
        Row("s", "approval", 5, status="expired"),
    )
    assert "### Refund €12?" in said
    assert "Approved with changes by Tomás, 10:05." in said
    assert "- amount: `12`" in said
    assert "- changed amount: `12` to `10`" in said
    assert "- answered why: `late`" in said
    assert "> Less." in said
    assert "### issue_refund" in said
    assert "Pending." in said
    assert "### Question" in said
    assert "Expired." in said


def test_how_a_run_ended_is_told():
    said = markdown(
        Row("n", "note", 1, code="CANCELLED"), Row("m", "note", 2, code="BOOM", detail="It broke.")
    )
    assert "Stopped." in said
    assert "Error BOOM. It broke." in said


def test_a_thread_without_a_title_has_one_in_the_file():
    assert "".join(as_markdown(Taken("t", "", "A", "B", "", ""))).startswith("# Untitled\n")
