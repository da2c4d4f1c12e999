import logging

import pytest

from chat_app.state.redaction import _LOGGERS, RedactSecrets, redact_cookies


def redacted(message: str, *args: object) -> str:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, message, args, None)
    assert RedactSecrets().filter(record)
    return record.getMessage()


@pytest.mark.parametrize(
    "message",
    [
        "{'cookie': 'parley_session=SECRET'}",
        '{"cookie": "parley_session=SECRET"}',
        "{'Cookie': 'a=1; parley_session=SECRET; b=2'}",
        "HeaderData(cookie='parley_session=SECRET', host='x')",
        "HeaderData(cookie=\"theme='dark'; parley_session=SECRET\")",
        "{'cookie': 'theme=\\'dark\\' \"x\"; parley_session=SECRET'}",
        "{'authorization': 'Bearer SECRET'}",
        "{'set-cookie': 'parley_session=SECRET'}",
    ],
)
def test_secrets_are_cut_from_what_is_logged(message):
    assert "SECRET" not in redacted(message)
    assert "…" in redacted(message)


def test_what_stands_around_a_secret_is_kept():
    shown = redacted("event {'cookie': 'parley_session=SECRET', 'host': 'localhost'} failed")
    assert shown == "event {'cookie': '…', 'host': 'localhost'} failed"


def test_arguments_of_a_record_are_looked_at_too():
    assert redacted("failed with %s", {"cookie": "SECRET"}) == "failed with {'cookie': '…'}"


@pytest.mark.parametrize("message", ["nothing to hide", "100 % done", "a cookie was baked"])
def test_other_lines_stay_as_they_are(message):
    assert redacted(message) == message


def test_the_filter_is_on_every_logger_that_prints_events():
    before = {name: list(logging.getLogger(name).filters) for name in _LOGGERS}
    redact_cookies()
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        assert any(isinstance(one, RedactSecrets) for one in logger.filters)
        logger.filters[:] = before[name]
