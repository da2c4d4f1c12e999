import json
from dataclasses import asdict
from datetime import UTC, datetime

from chat_app.services.rows import Fact, Part, Row, Run, Thread, View, iso
from tests.fakes import NOON


def test_a_time_is_iso_in_utc_and_no_time_is_empty():
    assert iso(NOON) == "2030-05-01T12:00:00+00:00"
    assert iso(datetime(2030, 5, 1, 12, 0, 0, 5, tzinfo=UTC)) == "2030-05-01T12:00:00.000005+00:00"
    assert iso(None) == ""


def test_every_record_is_json_as_it_is():
    row = Row(key="a", kind="turn", position=1, parts=[Part("p", "text")], arguments=[Fact("n", "v")])
    records = [row, Run(), Thread("t", "Title"), View([row])]
    assert [json.loads(json.dumps(asdict(record))) for record in records] == [asdict(r) for r in records]


def test_rows_share_no_lists():
    one, other = Row("a", "turn", 1), Row("b", "turn", 2)
    one.parts.append(Part("p", "text"))
    assert other.parts == []
