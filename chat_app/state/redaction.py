"""Keeps session cookies out of the log: Reflex logs a failed event with the headers of its socket."""

import logging
import re

_LOGGERS = ("reflex_base.event.processor.event_processor", "reflex.app")
_SECRETS = re.compile(r"(?i)(['\"]?(?:cookie|authorization)['\"]?\s*[:=]\s*)(['\"])(?:\\.|(?!\2).)*\2")


class RedactSecrets(logging.Filter):
    """Replace the values of Cookie and Authorization in a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record in place and let it through."""
        record.msg = _SECRETS.sub(r"\1\2…\2", record.getMessage())
        record.args = ()
        return True


def redact_cookies() -> None:
    """Install the filter on the loggers that print whole events."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(RedactSecrets())
