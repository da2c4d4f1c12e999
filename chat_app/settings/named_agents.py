"""Further agents as settings name them: where each is, how to talk to it, and what people are offered for it."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    field_validator,
)

from chat_app.settings.text import json_object

Kind = Literal["image", "audio", "video", "pdf", "file"]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class NamedAgent(BaseModel):
    """One agent: its `url`, `headers` (they may be secret), and what is said of the first one by settings of its own.

    `accepts` None is what it declares, `idle_limit` None that silence is no reason to give a run up.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: str
    headers: Mapping[str, SecretStr] = Field({}, repr=False)
    profile: Literal["current", "tolerant", "0.1"] = "tolerant"
    accepts: tuple[Kind, ...] | None = None
    idle_limit: Annotated[float, Field(gt=0)] | None = None
    suggestions: Annotated[tuple[Line, ...], Field(max_length=4)] = ()

    @field_validator("url")
    @classmethod
    def _http_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("the url of an agent must start with http:// or https:// and name a host")
        return value

    def __str__(self) -> str:
        """Return where it is, without what may be secret."""
        return f"{urlsplit(self.url).scheme}://{urlsplit(self.url).hostname}"


NamedAgents = Annotated[Mapping[Name, NamedAgent], BeforeValidator(json_object)]
