"""`parley config`: every setting with its value, where it came from and what it is for."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from pydantic import SecretStr

from chat_app.settings import Loaded, Settings


@dataclass(frozen=True, slots=True)
class Line:
    """One setting as shown; a secret shows only whether it is there."""

    name: str
    value: str
    origin: str
    meaning: str


def lines(loaded: Loaded) -> tuple[Line, ...]:
    """Return a line for each setting, in the order they are defined."""
    return tuple(
        Line(name, shown(getattr(loaded.settings, name)), loaded.origins[name], field.description or "")
        for name, field in Settings.model_fields.items()
    )


def shown(value: object) -> str:
    """Return a value for people; of a secret only stars, of headers the names."""
    if isinstance(value, SecretStr):
        return "***" if value.get_secret_value() else ""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {shown(item)}" for name, item in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def as_text(settings: Sequence[Line]) -> str:
    """Return the settings as aligned lines."""
    name = max(len(line.name) for line in settings)
    value = max(len(line.value) for line in settings)
    return "\n".join(f"{line.name:{name}}  {line.value:{value}}  ({line.origin})" for line in settings)


def as_json(settings: Sequence[Line]) -> str:
    """Return the settings as a JSON array."""
    return json.dumps([asdict(line) for line in settings], indent=2)
