"""`parley config`: every setting with its value, where it came from and what it is for."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from chat_app.settings import Line


def as_text(settings: Sequence[Line]) -> str:
    """Return the settings as aligned lines."""
    name = max(len(line.name) for line in settings)
    value = max(len(line.value) for line in settings)
    return "\n".join(f"{line.name:{name}}  {line.value:{value}}  ({line.origin})" for line in settings)


def as_json(settings: Sequence[Line]) -> str:
    """Return the settings as a JSON array."""
    return json.dumps([asdict(line) for line in settings], indent=2)
