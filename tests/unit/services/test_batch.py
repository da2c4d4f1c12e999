from chat_app.services.batch import Batch, ClosedRun
from tests.fakes import NOON


def test_a_batch_begins_empty_and_is_not_the_last():
    one = Batch(exchange="x", thread="t", at=NOON, last_seq=1, leaf=None)
    other = Batch(exchange="x", thread="t", at=NOON, last_seq=1, leaf=None)
    one.removed.append("m")
    assert other.removed == []
    assert (other.mark, other.state) == (None, None)


def test_a_run_closes_with_what_is_known_and_no_more():
    closed = ClosedRun(run="r", status="success", at=NOON)
    assert (closed.error_code, closed.note_position, closed.interrupts) == (None, None, ())
