"""The audit as files, and whether it is whole."""

import csv
import json

import pytest

from chat_app.data import audit
from chat_app.services.trail import Trail, safe
from tests.support.records import NOON

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def trail(sqlite):
    acts = [
        audit.Act(
            action="question.approve", object="interrupt:i1", actor="u1", at=NOON, detail={"digest": "d"}
        ),
        audit.Act(action="thread.view", object="thread:t1", actor="u2", at=NOON, reason="=cmd|' /C calc'!A0"),
        audit.Act(action="question.expire", object="interrupt:i2", actor=None, at=NOON),
    ]
    with sqlite.transaction() as session:
        for act in acts:
            audit.append(session, act)
    return Trail(sqlite)


def test_every_entry_is_a_line_of_json(trail):
    lines = [json.loads(line) for line in trail.lines("jsonl")]
    assert [line["seq"] for line in lines] == [1, 2, 3]
    assert lines[0]["detail"] == {"digest": "d"}
    assert lines[1]["previous"] == lines[0]["hash"]


def test_no_cell_is_a_formula(trail):
    rows = list(csv.DictReader(trail.lines("csv")))
    assert rows[1]["reason"] == "'=cmd|' /C calc'!A0"
    assert [row["actor"] for row in rows] == ["u1", "u2", ""]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "＝1"])  # noqa: RUF001
def test_what_a_spreadsheet_would_run_is_text(text):
    assert safe(text) == f"'{text}"


def test_an_ordinary_text_stays_as_it_is():
    assert safe("a=1") == "a=1"


@pytest.mark.parametrize(
    ("filters", "found"),
    [({"action": "question."}, [1, 3]), ({"actor": "u2"}, [2]), ({"thing": "interrupt:i1"}, [1])],
)
def test_only_what_is_asked_for_is_written(trail, filters, found):
    assert [json.loads(line)["seq"] for line in trail.lines("jsonl", **filters)] == found


def test_the_first_entry_that_was_changed_is_named(trail, sqlite):
    assert (trail.check().count, trail.check().broken) == (3, None)
    with sqlite.transaction() as session:
        session.connection().exec_driver_sql("DROP TRIGGER audit_is_kept_UPDATE")
        session.connection().exec_driver_sql("UPDATE audit SET reason = 'no' WHERE seq = 2")
    assert trail.check().broken == 2
