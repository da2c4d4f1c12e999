import re

from hypothesis import given
from hypothesis import strategies as st

from chat_app.agent.models.names import NameTable

FITTING = re.compile(r"[A-Za-z0-9_-]{1,64}")


def test_what_fits_stays_and_what_does_not_is_made_to_fit():
    table = NameTable(["db.query", "plain-name_1"])
    assert table.outward("db.query") == "db_query"
    assert table.outward("plain-name_1") == "plain-name_1"
    assert table.inward("db_query") == "db.query"


def test_names_that_would_meet_are_told_apart_whatever_their_order():
    names = ["db.query", "db query", "db_query"]
    one, other = NameTable(names), NameTable(reversed(names))
    assert one.outward("db_query") == "db_query"
    assert len({one.outward(name) for name in names}) == 3
    assert [one.outward(name) for name in names] == [other.outward(name) for name in names]


def test_a_name_a_model_invented_is_given_back_as_it_is():
    assert NameTable(["x"]).inward("ghost") == "ghost"


@given(st.lists(st.text(max_size=90), unique=True))
def test_every_table_fits_the_rule_and_can_be_read_back(names):
    table = NameTable(names)
    assert all(FITTING.fullmatch(table.outward(name)) for name in names)
    assert [table.inward(table.outward(name)) for name in names] == names
