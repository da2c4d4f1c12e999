"""What is typed into the filters of everybody's threads, as the database is asked."""

from datetime import UTC, datetime

import pytest

from chat_app.data import users
from chat_app.data.oversight import Wanted
from chat_app.data.threads import Place
from chat_app.services.policy import Refused
from chat_app.services.thread_filters import Asked, day, day_after, place_of, wanted_of
from tests.support.records import a_user

pytest_plugins = ("tests.support.databases",)


def test_what_is_typed_is_read_once(database):
    with database.transaction() as session:
        users.create(session, a_user(id="u1", name="ada"))
        asked = Asked(
            user=" ADA ", status="idle", words=" x ", text="Größe ETÉ", tool=" t ", until="2026-11-30"
        )
        wanted = wanted_of(session, asked)
        assert wanted_of(session, Asked()) == Wanted()
    assert (wanted.owner, wanted.mark, wanted.words, wanted.tool) == ("u1", "", "x", "t")
    assert wanted.texts == ("grosse", "ete")
    assert wanted.until == datetime(2026, 12, 1, tzinfo=UTC)


def test_a_state_that_is_none_is_refused(database):
    with database.reading() as session, pytest.raises(Refused):
        wanted_of(session, Asked(status="odd"))


@pytest.mark.parametrize("text", ["soon", "2026-13-01"])
def test_what_is_no_day_is_told(text):
    with pytest.raises(ValueError, match=text):
        day(text)


def test_no_day_comes_after_the_last_one():
    with pytest.raises(ValueError, match="9999-12-31"):
        day_after("9999-12-31")


def test_a_page_begins_behind_a_thread():
    assert place_of("") is None
    assert place_of("2026-11-30T12:00:00+00:00~t1") == Place(datetime(2026, 11, 30, 12, tzinfo=UTC), "t1")
