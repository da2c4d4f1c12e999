import pytest

from chat_app.data import errors


def test_every_error_is_caught_as_trouble_with_the_data():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]

    assert all(issubclass(kind, errors.DataError) for kind in kinds)


def test_a_busy_thread_is_named_and_explained():
    error = errors.ThreadBusy("t1")

    assert error.thread == "t1"
    assert "still being answered" in str(error)


def test_a_thread_that_is_gone_is_explained():
    with pytest.raises(errors.DataError, match="does not exist any more"):
        raise errors.ThreadGone
