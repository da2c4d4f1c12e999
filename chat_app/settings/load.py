"""Read the settings from where people put them, and say where each came from.

The first that has a value wins: command line, environment, secrets folder, `parley.toml`, default. A key that
nobody knows stops the start and names its nearest neighbour: a misspelt setting must not be silence.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails

from chat_app.settings.errors import SettingsError
from chat_app.settings.model import PROJECT_ROOT, Settings

PREFIX = "PARLEY_"
# Read before the settings themselves, to find them.
PLACES = {"PARLEY_CONFIG": PROJECT_ROOT / "parley.toml", "PARLEY_SECRETS_DIR": Path("/run/secrets")}
# Read by the commands and tests of a checkout, never by the product.
OF_THE_CHECKOUT = frozenset({"PARLEY_CHROMIUM", "PARLEY_CI", "PARLEY_SHARED"})

Values = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Source:
    """One place settings come from: what it is called, and what it holds."""

    name: str
    values: Values


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and for each field the name of the source it came from."""

    settings: Settings
    origins: Mapping[str, str]


def load_settings() -> Settings:
    """Return the settings of this process.

    Raises:
        SettingsError: when a key is unknown or a value cannot be used.
    """
    return read_settings(os.environ).settings


def read_settings(environ: Mapping[str, str], *, flags: Values | None = None) -> Loaded:
    """Return the settings that this environment and these command line flags describe.

    Raises:
        SettingsError: when a key is unknown, a value cannot be used, or a file cannot be read.
    """
    sources = (
        Source("command line", flags or {}),
        Source("environment", _from_environment(environ)),
        Source("secrets folder", _from_secrets(_place("PARLEY_SECRETS_DIR", environ))),
        Source("parley.toml", _from_toml(_place("PARLEY_CONFIG", environ))),
    )
    chosen = {field: source for source in reversed(sources) for field in source.values}
    origins = {field: chosen[field].name if field in chosen else "default" for field in Settings.model_fields}
    values = {field: source.values[field] for field, source in chosen.items()}
    return Loaded(_validated(values, origins), origins)


def _validated(values: Values, origins: Mapping[str, str]) -> Settings:
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False, include_context=False)
        raise SettingsError(_sentence(details[0], origins)) from None


def _sentence(detail: ErrorDetails, origins: Mapping[str, str]) -> str:
    reason = detail["msg"].removeprefix("Value error, ")
    if not detail["loc"]:
        return f"The settings do not fit together: {reason}."
    field = str(detail["loc"][0])
    return f"The setting {field} ({origins[field]}) cannot be used: {reason}."


def _place(variable: str, environ: Mapping[str, str]) -> Path:
    """Return where to look; a place a person named must exist."""
    given = environ.get(variable)
    if not given:
        return PLACES[variable]
    path = PROJECT_ROOT / Path(given).expanduser()
    if not path.exists():
        raise SettingsError(f"{variable} names {path}, which does not exist.")
    return path


def _from_environment(environ: Mapping[str, str]) -> Values:
    names = [
        name for name in environ if name.startswith(PREFIX) and name not in OF_THE_CHECKOUT | set(PLACES)
    ]
    fields = {name: name.removeprefix(PREFIX).lower() for name in names}
    for name, field in fields.items():
        _known(field, name, "the environment", [PREFIX + known.upper() for known in Settings.model_fields])
    # `PARLEY_PORT=` means "not set", as it does for most programs.
    return {field: environ[name] for name, field in fields.items() if environ[name]}


def _from_secrets(folder: Path) -> Values:
    prefix = PREFIX.lower()
    files = sorted(folder.glob(f"{prefix}*")) if folder.is_dir() else []
    for file in files:
        _known(
            file.name.removeprefix(prefix),
            file.name,
            str(folder),
            [prefix + f for f in Settings.model_fields],
        )
    return {file.name.removeprefix(prefix): _read(file).strip() for file in files}


def _from_toml(file: Path) -> Values:
    if not file.exists():
        return {}
    try:
        values = tomllib.loads(_read(file))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not valid TOML: {error}.") from error
    for key in values:
        _known(key, key, str(file), list(Settings.model_fields))
    return values


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read: {error}.") from error


def _known(field: str, spelled: str, where: str, candidates: list[str]) -> None:
    if field in Settings.model_fields:
        return
    near = get_close_matches(spelled, candidates, n=1, cutoff=0.0)[0]
    raise SettingsError(f"There is no setting {spelled} (in {where}); the nearest is {near}.")
