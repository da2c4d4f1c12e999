"""What is typed into the filters of the audit, as the database is asked."""

from datetime import UTC, datetime

import pytest

from chat_app.data import audit, users
from chat_app.services.audit_asked import Asked, place_of, sought_of
from tests.support.records import a_user

pytest_plugins = ("tests.support.databases",)


def test_days_are_whole_and_people_are_found_by_the_name_they_sign_in_with(database):
    with database.transaction() as session:
        users.create(session, a_user(id="u1", name="ada"))
        sought = sought_of(
            session,
            Asked(person=" ADA ", kind="question", outcome="failed", since="2026-11-01", until="2026-11-30"),
        )
        assert sought_of(session, Asked()) == audit.Sought()
    assert (sought.actor, sought.actions) == ("u1", ("question.fail",))
    assert (sought.since, sought.until) == (
        datetime(2026, 11, 1, tzinfo=UTC),
        datetime(2026, 12, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(("after", "before"), [("", audit.END), ("7", 7), ("9" * 40, audit.END)])
def test_a_page_begins_below_a_number(after, before):
    assert place_of(after) == before
