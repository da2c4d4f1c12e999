"""Keeps session cookies out of the log: Reflex logs a failed event with the headers of its socket."""

import logging
import re

_LOGGERS = ("reflex_base.event.processor.event_processor", "reflex.app")
_SECRETS = re.compile(r"(?i)(['\"]?(?:cookie|authorization)['\"]?\s*[:=]\s*)(['\"])(?:\\.|(?!\2).)*\2")
_PAYLOAD = re.compile(r"payload=.*")  # what a person wrote, to the end of the line


class RedactSecrets(logging.Filter):
    """Replace the values of Cookie and Authorization in a record, and what an event carried."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record in place and let it through."""
        record.msg = _PAYLOAD.sub("payload=…", _SECRETS.sub(r"\1\2…\2", record.getMessage()))
        record.args = ()
        return True


def redact_cookies() -> None:
    """Install the filter on the loggers that print whole events."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(RedactSecrets())
