"""Every setting with its value, where it came from and what it is for; what is secret is masked."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from chat_app.settings.load import Loaded
from chat_app.settings.model import Settings


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
