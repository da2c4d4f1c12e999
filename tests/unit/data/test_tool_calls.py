import dataclasses

from chat_app.data import tool_calls
from tests.support.records import NOON, SECOND, a_tool_call, stored_message, stored_thread

pytest_plugins = ("tests.support.databases",)


def test_a_call_is_added_and_then_brought_up_to_date(database):
    with database.transaction() as session:
        message = stored_message(session, stored_thread(session))
        first = a_tool_call(message=message.id, wire_id="c")
        later = a_tool_call(message=message.id, wire_id="c", started=NOON + SECOND)
        done = dataclasses.replace(later, arguments='{"a"', status="complete", result="ok", ended=NOON)
        tool_calls.upsert(session, [first])
        tool_calls.upsert(session, [done])

        assert tool_calls.of_messages(session, [message.id]) == (
            dataclasses.replace(done, id=first.id, started=first.started),
        )


def test_calls_of_messages_come_in_the_order_they_started(database):
    with database.transaction() as session:
        message, other = (stored_message(session, stored_thread(session)) for _ in range(2))
        second = a_tool_call(message=message.id, started=NOON + SECOND)
        first = a_tool_call(message=message.id)
        tool_calls.upsert(session, [second, first, a_tool_call(message=other.id)])

        assert tool_calls.of_messages(session, [message.id]) == (first, second)
        assert tool_calls.of_messages(session, []) == ()


def test_calls_that_a_message_lost_go_and_those_of_others_stay(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        message, emptied, other = (stored_message(session, thread) for _ in range(3))
        kept, lost = a_tool_call(message=message.id), a_tool_call(message=message.id)
        gone, elsewhere = a_tool_call(message=emptied.id), a_tool_call(message=other.id)
        tool_calls.upsert(session, [kept, lost, gone, elsewhere])

        assert tool_calls.drop_others(session, [message.id, emptied.id], [kept]) == 2
        assert tool_calls.of_messages(session, [message.id, emptied.id, other.id]) == (kept, elsewhere)
        assert tool_calls.drop_others(session, [message.id], []) == 1
