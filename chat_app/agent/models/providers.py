"""Which models there are, by how their names begin. A provider's library is loaded when it is first asked for."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import urlsplit

from chat_app.agent.models.interface import ModelClient
from chat_app.agent.models.patient import PatientModel

DIRECT: Final = "chat_app.agent.models.direct"
EXTRA: Final = "models"


class UnusableModel(ValueError):  # noqa: N818 - it is named for what was found
    """The configured model cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A way to a model.

    Attributes:
        module: Holds the function, which takes the model's name, a key or nothing, and an address or nothing.
        function: Its name.
        extra: What has to be installed for it.
    """

    module: str
    function: str
    extra: str


class Connect(Protocol):
    """Makes a client."""

    def __call__(self, model: str, *, key: str | None, url: str | None) -> ModelClient:
        """Make a client for a model of one provider; nobody is contacted."""


PROVIDERS: Final[Mapping[str, Provider]] = {
    "openai": Provider(DIRECT, "openai", EXTRA),
    "anthropic": Provider(DIRECT, "anthropic", EXTRA),
    "google": Provider(DIRECT, "google", EXTRA),
    "ollama": Provider(DIRECT, "ollama", EXTRA),
    "http": Provider(DIRECT, "compatible", EXTRA),
    "https": Provider(DIRECT, "compatible", EXTRA),
}


def dial(name: str, *, key: str = "", providers: Mapping[str, Provider] = PROVIDERS) -> ModelClient:
    """Make a client for a model.

    Args:
        name: ``provider:model``, or ``https://host/v1#model`` for any server that speaks OpenAI's API.
        key: The provider's key; empty: its library looks in its own variable.
        providers: The table.

    Raises:
        UnusableModel: the name cannot be read, the library is missing, or the provider wants a key.
    """
    scheme, model, url = read_name(name, providers)
    provider = providers[scheme]
    try:
        connect: Connect = getattr(importlib.import_module(provider.module), provider.function)
    except ImportError as error:
        raise UnusableModel(
            f"The model {name} needs packages that are not installed: pip install '.[{provider.extra}]'."
        ) from error
    return PatientModel(connect(model, key=key or None, url=url))


def same_provider(one: str, other: str) -> bool:
    """Tell whether two models are behind the same address, so that one key opens both."""
    here, there = read_name(one), read_name(other)
    return (here[0], here[2]) == (there[0], there[2])


def read_name(name: str, providers: Mapping[str, Provider] = PROVIDERS) -> tuple[str, str, str | None]:
    """Split a model's name into provider, model and address.

    Raises:
        UnusableModel: it has no such form.
    """
    scheme, _, rest = name.partition(":")
    if scheme not in providers:
        raise UnusableModel(f"The model {name!r} is none of {', '.join(providers)}, like openai:gpt-5.")
    if scheme not in {"http", "https"}:
        if not rest:
            raise UnusableModel(f"The model {name!r} names a provider and no model.")
        return scheme, rest, None
    parts = urlsplit(name)
    if not parts.hostname or not parts.fragment:
        raise UnusableModel("A model behind an address is written https://host/v1#name-of-the-model.")
    return scheme, parts.fragment, name.partition("#")[0]
