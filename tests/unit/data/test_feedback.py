from dataclasses import replace

from chat_app.data import feedback, users
from chat_app.data.records import FeedbackRecord
from tests.support.records import NOON, SECOND, a_user, fresh, stored_message, stored_thread

pytest_plugins = ("tests.support.databases",)


def an_opinion(message: str, by: str, **values) -> FeedbackRecord:
    made = {"id": fresh("feedback"), "message": message, "by": by, "verdict": "good"}
    return FeedbackRecord(**made | {"created": NOON, "updated": NOON} | values)


def test_a_person_has_one_opinion_of_a_message_and_may_change_it(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        answer = stored_message(session, thread)
        first = an_opinion(answer.id, thread.owner)
        feedback.put(session, first)
        later = NOON + SECOND
        changed = replace(first, id="other", verdict="bad", note="wrong", created=later, updated=later)
        feedback.put(session, changed)
        kept = replace(changed, id=first.id, created=NOON)
        assert feedback.of_message(session, answer.id) == (kept,)
        assert feedback.by_key(session, thread.id, thread.owner) == {answer.key: kept}


def test_an_opinion_is_ones_own(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        answer = stored_message(session, thread)
        other = users.ensure(session, a_user())
        feedback.put(session, an_opinion(answer.id, thread.owner))
        feedback.put(session, an_opinion(answer.id, other.id, verdict="bad"))
        assert {one.verdict for one in feedback.of_message(session, answer.id)} == {"good", "bad"}
        assert feedback.by_key(session, thread.id, other.id)[answer.key].verdict == "bad"
        assert feedback.take_back(session, answer.id, other.id)
        assert not feedback.take_back(session, answer.id, other.id)
        assert feedback.by_key(session, thread.id, other.id) == {}
        assert feedback.by_key(session, thread.id, thread.owner)[answer.key].verdict == "good"
