from chat_app.data import endorsements, users
from chat_app.data.records import EndorsementRecord
from tests.support.records import (
    NOON,
    SECOND,
    a_user,
    fresh,
    stored_exchange,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


def said(question: str, by: str, at=NOON, **more) -> EndorsementRecord:
    return EndorsementRecord(
        **{"id": fresh("said"), "interrupt": question, "by": by, "kind": "approve", "at": at} | more
    )


def test_each_person_says_one_thing_and_the_last_holds(database):
    bob = a_user()
    with database.transaction() as session:
        users.ensure(session, bob)
        thread = stored_thread(session)
        run = stored_run(session, stored_exchange(session, thread), status="interrupted")
        question = stored_question(session, run).id
        first, other = said(question, bob.id), said(question, thread.owner, NOON + SECOND)
        changed = said(question, bob.id, NOON + 2 * SECOND, kind="edit", edited_args={"a": 1})
        for one in (first, other, changed):
            endorsements.put(session, one)
        assert endorsements.of_interrupt(session, question) == (other, changed)
        assert endorsements.by_user(session, bob.id) == (changed,)
        assert endorsements.withdraw(session, question, by=bob.id)
        assert not endorsements.withdraw(session, question, by=bob.id)
        assert endorsements.of_interrupt(session, question) == (other,)
