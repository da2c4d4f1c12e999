from chat_app.data import sign_in_attempts
from chat_app.data.records import SignInAttemptRecord
from tests.support.records import NOON, SECOND

pytest_plugins = ("tests.support.databases",)


def an_attempt(name: str, expires_at=NOON + SECOND) -> SignInAttemptRecord:
    return SignInAttemptRecord(state_hash=name, nonce="n", verifier="v", back="/", expires_at=expires_at)


def test_the_way_back_is_taken_once(database):
    with database.transaction() as session:
        sign_in_attempts.begin(session, an_attempt("a"), now=NOON)
        assert sign_in_attempts.take(session, "b", now=NOON) is None
        assert sign_in_attempts.take(session, "a", now=NOON) == an_attempt("a")
        assert sign_in_attempts.take(session, "a", now=NOON) is None


def test_who_comes_back_too_late_is_not_known(database):
    with database.transaction() as session:
        sign_in_attempts.begin(session, an_attempt("a"), now=NOON)
        assert sign_in_attempts.take(session, "a", now=NOON + SECOND) is None
        sign_in_attempts.begin(session, an_attempt("b", NOON), now=NOON)
        sign_in_attempts.begin(session, an_attempt("c"), now=NOON + SECOND)
        assert sign_in_attempts.take(session, "b", now=NOON - SECOND) is None
