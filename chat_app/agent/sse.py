"""How one AG-UI event, or a sign of life, looks on a Server-Sent Events stream."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ag_ui.core import BaseEvent
from pydantic import JsonValue

CONTENT_TYPE: Final = "text/event-stream"
KEEP_ALIVE: Final = b": keep-alive\n\n"


def frame(event: BaseEvent) -> bytes:
    """Write one event as one frame: a single data line of compact camelCase JSON, LF, non-ASCII kept."""
    return b"data: %s\n\n" % event.model_dump_json(by_alias=True).encode()


def frames(events: Iterable[BaseEvent]) -> bytes:
    """Write events as one frame each."""
    return b"".join(frame(event) for event in events)


def compact_json(value: Mapping[str, JsonValue] | Sequence[JsonValue]) -> str:
    """Write JSON the way tool arguments travel: no spaces, non-ASCII kept."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
