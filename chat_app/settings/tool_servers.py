"""Tool servers as people configure them, in the form most programs share: a name, and a command or an address."""

from collections.abc import Mapping
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, model_validator

from chat_app.settings.text import json_object


class ToolServer(BaseModel):
    """One server: a `command` to start with `args` and `env`, or a `url` to reach with `headers`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, SecretStr] = Field({}, repr=False)
    url: str = ""
    headers: Mapping[str, SecretStr] = Field({}, repr=False)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("a tool server has either a command or a url")
        parts = urlsplit(self.url)
        if self.url and (parts.scheme not in {"http", "https"} or not parts.hostname):
            raise ValueError("the url of a tool server must start with http:// or https:// and name a host")
        return self

    def __str__(self) -> str:
        """Return where it is, without what may be secret."""
        return self.command or f"{urlsplit(self.url).scheme}://{urlsplit(self.url).hostname}"


ToolServers = Annotated[Mapping[str, ToolServer], BeforeValidator(json_object)]
