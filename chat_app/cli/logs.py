"""Logging of one process: structlog for us, the same lines for libraries, no secrets in either.

Message text of a conversation is never logged; cookies and authorization headers are cut from whatever a
library writes, its tracebacks included.
"""

import logging
import re
import sys
from collections.abc import Mapping

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from chat_app.settings import Settings

SECRET_NAMES = frozenset({"cookie", "set-cookie", "authorization", "proxy-authorization"})
# A header's name, what separates it from its value, and the value: quoted, or to the end of the line.
SECRET = re.compile(
    r"""(?ix) \b(set-cookie|cookie|proxy-authorization|authorization)\b
        (\\?["']? \s* (?: [:=] \s* | , \s* (?=b?\\?["']) ) (?:b(?=["']))? )
        (?: (\\?["']) .*? \3 | [^\n]+ )"""
)
# Libraries that speak at every step of theirs; what goes wrong in them still shows.
QUIET = ("httpx", "httpcore", "alembic", "websockets", "watchfiles", "asyncio")


def configure(settings: Settings) -> None:
    """Make this process log to stderr in the configured format, from the configured level on."""
    level = logging.getLevelName(settings.log_level.upper())
    shared = _shared()
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=_rendering(settings))
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


def redacted(value: object) -> object:
    """Return the value without cookies and authorization headers, whether in text or in a mapping."""
    if isinstance(value, str):
        return SECRET.sub(r"\1\2[cut]", value)
    if isinstance(value, Mapping):
        return {key: "[cut]" if str(key).lower() in SECRET_NAMES else redacted(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item) for item in value]
    return value


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _rendering(settings: Settings) -> list[Processor]:
    """Return the last steps: by then a traceback is text, so that it is cut like any other."""
    return [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.format_exc_info,
        _cut,
        structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        ),
    ]


def _cut(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    return {key: "[cut]" if key.lower() in SECRET_NAMES else redacted(value) for key, value in event.items()}
