from chat_app.data import search
from chat_app.data.records import SearchEntryRecord
from tests.support.records import NOON, SECOND, stored_message, stored_thread

pytest_plugins = ("tests.support.databases",)


def entry_of(thread, message=None, **values) -> SearchEntryRecord:
    named = {"id": message.id if message else thread.id, "message": message.id if message else None}
    return SearchEntryRecord(
        **{"owner": thread.owner, "thread": thread.id, "at": NOON, "folded": "words", **named, **values}
    )


def test_a_message_is_stale_until_its_entry_is_as_new_as_it_is(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        message = stored_message(session, thread, updated=NOON)
        assert [one.id for one in search.stale(session, thread.id, limit=5)] == [message.id]
        search.put(session, [entry_of(thread, message)])
        assert search.stale(session, thread.id, limit=5) == ()
        search.put(session, [entry_of(thread, message, at=NOON - SECOND)])
        assert len(search.stale(session, thread.id, limit=5)) == 1


def test_what_was_found_comes_newest_first_and_not_from_other_ways(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        shown = stored_message(session, thread, key="shown")
        other = stored_message(session, thread, key="other", branch=1)
        search.put(session, [entry_of(thread), entry_of(thread, other, at=NOON + SECOND)])
        search.put(session, [entry_of(thread, shown, at=NOON + SECOND)])
        found = search.find(session, thread.owner, ["word"], limit=5)
        assert [one.key for one in found] == ["shown", None]
        assert search.find(session, thread.owner, ["word", "other"], limit=5) == ()
        assert search.find(session, "nobody", ["word"], limit=5) == ()
