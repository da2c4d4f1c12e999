"""The settings themselves: names, types, defaults, and what is derived from them.

Each field is `PARLEY_<NAME>` in the environment, `<name>` in `parley.toml`, and a file `parley_<name>` in the
secrets folder. What a value means is written beside it, and `parley config` prints the same words.
"""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    IPvAnyNetwork,
    SecretStr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from chat_app.settings.named_agents import NamedAgents
from chat_app.settings.text import header_lines, is_mail_address, json_object, listed_names, rate
from chat_app.settings.tool_servers import ToolServers

PROJECT_ROOT = Path(__file__).resolve().parent.parent.parent
DATABASE_SCHEMES = ("sqlite", "postgresql+psycopg")
REDIS_SCHEMES = ("redis://", "rediss://", "unix://")

Names = Annotated[tuple[str, ...], BeforeValidator(listed_names)]
Headers = Annotated[Mapping[str, SecretStr], BeforeValidator(header_lines)]
Networks = Annotated[tuple[IPvAnyNetwork, ...], BeforeValidator(listed_names)]
Rate = Annotated[str, AfterValidator(rate)]
RoleMap = Annotated[
    Mapping[str, Literal["user", "approver", "auditor", "admin"]], BeforeValidator(json_object)
]
Seconds = Annotated[float, Field(gt=0)]


SIGN_IN_NEEDS: Mapping[str, tuple[str, ...]] = {
    "password": (),
    "oidc": ("oidc_issuer", "oidc_client_id"),
    "proxy": ("proxy_addresses", "proxy_secret"),
}
"""Ways to sign in, and the settings each cannot do without."""


def _said(value: object) -> bool:
    return bool(value.get_secret_value() if isinstance(value, SecretStr) else value)


def _file_in_the_data_folder(earlier: dict[str, Any]) -> SecretStr:
    """Return the default database; pydantic hands over the fields above it."""
    return SecretStr(f"sqlite:///{earlier['data_dir'] / 'parley.db'}")


class Settings(BaseModel):
    """One frozen record of everything configured. Relative paths start at the project's root."""

    # An input may be a secret, so no error repeats it.
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, hide_input_in_errors=True)

    data_dir: Path = Field(Path(".parley"), description="Folder of the database, logs and generated secrets")
    database_url: SecretStr = Field(
        default_factory=_file_in_the_data_folder,
        description="sqlite:///… or postgresql+psycopg://…; empty: a file in data_dir",
    )
    host: str = Field("127.0.0.1", min_length=1, description="Address to listen on")
    port: int = Field(3000, ge=1, le=65535, description="Port to listen on")
    workers: int = Field(
        1, ge=1, le=64, description="Processes that serve; several need PostgreSQL and Redis"
    )
    redis_url: SecretStr = Field(
        SecretStr(""), description="redis://… where several processes share what each tab holds"
    )
    public_url: str = Field("", description="Address people open when a proxy stands in front")
    language: Literal["", "en", "de", "ar"] = Field(
        "", description="Language of the page; empty: the one of each person's browser"
    )
    agent_url: str = Field("", description="AG-UI endpoint to talk to; empty: the embedded agent")
    agent_name: str = Field("Parley", min_length=1, description="Name of the agent, as people read it")
    agent_headers: Headers = Field(
        {}, description='Headers for the agent: one "Name: value" a line, or a JSON object'
    )
    agent_profile: Literal["current", "tolerant", "0.1"] = Field(
        "tolerant", description="How strictly the agent's stream is judged"
    )
    agent_accepts: Names = Field(
        (), description="Files the agent takes: image, audio, video, pdf, file; empty: what it declares"
    )
    agents: NamedAgents = Field(
        {},
        description='More agents: {"name": {"url": …, "headers": {…}, "profile": …, "accepts": […],'
        ' "idle_limit": …, "suggestions": […]}}',
    )
    upload_limit: int = Field(10_000_000, ge=1, description="Most bytes of one file people send")
    agent_token: SecretStr = Field(
        SecretStr(""), description="Bearer token of the embedded agent; empty: made once, kept in data_dir"
    )
    agent_idle_limit: Seconds | None = Field(
        None, description="Seconds of silence after which a run is given up; empty: never"
    )
    agent_pace: Annotated[float, Field(ge=0)] | None = Field(
        None, description="Seconds between words of the embedded agent; empty: its own pace"
    )
    model: str = Field(
        "",
        description="Model of the embedded agent: openai:…, anthropic:…, google:…, ollama:…,"
        " or https://host/v1#name; empty: the scripted demo",
    )
    models: Names = Field(
        (), description="Models a person may choose instead, separated by commas, written like PARLEY_MODEL"
    )
    model_key: SecretStr = Field(
        SecretStr(""),
        description="Key for the model; empty: the provider's own variable, like OPENAI_API_KEY",
    )
    agent_instructions: str = Field(
        "", description="What the model is told about itself; empty: the agent's own words"
    )
    agent_tools: Names = Field(
        (), description="Tools the model may call, separated by commas, prefix* allowed; empty: all"
    )
    agent_asks: Names = Field(
        (), description="Tools a person decides on, beside those that say so themselves; as above"
    )
    turn_steps: int = Field(25, ge=1, description="Most model calls of one turn")
    turn_tokens: int = Field(200_000, ge=1, description="Tokens after which a turn makes no more model calls")
    turn_seconds: Seconds = Field(600.0, description="Seconds after which a turn makes no more model calls")
    tool_servers: ToolServers = Field(
        {},
        description='MCP servers: {"name": {"command": …, "args": […], "env": {…}}} or {"url": …, "headers": {…}}',
    )
    tool_timeout: Seconds = Field(60.0, description="Seconds a tool server may take for one answer")
    task_board: bool = Field(
        default=True, description="Start the task board, the tool server in the box, when a model is set"
    )
    awkward_agent: bool = Field(default=False, description="Also serve the misbehaving agent of the tests")
    connect_timeout: Seconds = Field(10.0, description="Seconds an agent may take to accept a connection")
    frame_cap: int = Field(10 * 2**20, ge=1024, description="Most bytes of one event from an agent")
    flush_interval_ms: int = Field(220, ge=1, description="Longest wait before a run's events are stored")
    flush_events: int = Field(64, ge=1, description="Most events of a run that wait to be stored")
    runs_per_user: int = Field(20, ge=1, description="Most answers under way at once for one person")
    runs_per_process: int = Field(500, ge=1, description="Most answers under way at once in one process")
    store_raw: bool = Field(
        default=False, description="Also store RAW events and rawEvent copies; the log grows several times"
    )
    retention_days: int | None = Field(
        None, ge=1, description="Days after which unused chats are erased; empty: never. Pinned ones stay"
    )
    undo_days: int = Field(30, ge=0, description="Days a deleted chat can be restored, before it is erased")
    secret_key: SecretStr = Field(
        SecretStr(""), description="Key for stored headers of agents; empty: made once, kept in data_dir"
    )
    private_agents: bool = Field(
        default=False, description="Let admins add agents at addresses that are not public"
    )
    private_webhooks: bool = Field(
        default=False, description="Let webhooks be posted to addresses that are not public"
    )
    notice_names: bool = Field(
        default=False,
        description="Name tools, chat titles and people in notices; otherwise they hold ids and links only",
    )
    mail_host: str = Field("", description="Server that takes our mail; empty: no notices by mail")
    mail_port: int = Field(587, ge=1, le=65535, description="Port of the mail server")
    mail_security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="How the connection to the mail server is kept private"
    )
    mail_user: str = Field("", description="Name to sign in with at the mail server; empty: nobody signs in")
    mail_password: SecretStr = Field(SecretStr(""), description="Password for it")
    mail_from: str = Field("", description="Address our mail comes from; needed with mail_host")
    open_threads: bool = Field(
        default=True,
        description="Let admins and auditors open chats of others, for a reason their owners see",
    )
    image_hosts: Names = Field(
        (), description="Hosts whose images answers may show, separated by commas; others become links"
    )
    formulas: bool = Field(default=False, description="Draw formulas between $$ in answers")
    diagrams: bool = Field(default=False, description="Draw Mermaid diagrams in answers")
    live_window_ms: int = Field(
        16, ge=0, description="Pause between two pushes to a page, when few runs stream"
    )
    live_window_max_ms: int = Field(100, ge=0, description="The same pause under load")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level logged")
    log_format: Literal["console", "json"] = Field("console", description="Logs for people or for machines")
    sign_in: Names = Field(
        (),
        description="How people sign in: password, oidc, proxy; empty: one local user, on this machine only",
    )
    session_days: int = Field(30, ge=1, description="Days after which an unused sign-in ends")
    session_most_days: int = Field(90, ge=1, description="Days after which every sign-in ends")
    role_map: RoleMap = Field(
        {"*": "user"},
        description='Roles of people by their groups at oidc or proxy: {"group": "role"}, "*" is everybody',
    )
    oidc_name: str = Field("your organisation", min_length=1, description="What people call the provider")
    oidc_issuer: str = Field("", description="Address of the OpenID Connect provider")
    oidc_client_id: str = Field("", description="How the provider knows Parley")
    oidc_client_secret: SecretStr = Field(
        SecretStr(""), description="Parley's secret there; empty: a public client"
    )
    oidc_scopes: str = Field("openid profile email", description="What the provider is asked for")
    oidc_groups_claim: str = Field("groups", min_length=1, description="Claim that names a person's groups")
    proxy_addresses: Networks = Field(
        (), description="Addresses or networks of the proxies in front, whose headers are believed"
    )
    proxy_secret: SecretStr = Field(
        SecretStr(""), description="What the proxy sends in X-Parley-Proxy-Secret, and nobody else knows"
    )
    proxy_user_header: str = Field("X-Forwarded-User", min_length=1, description="Header with the person")
    proxy_groups_header: str = Field(
        "X-Forwarded-Groups", min_length=1, description="Header with their groups, separated by commas"
    )
    sign_in_limit: Rate = Field(
        "10 per 15 minutes", description="Tries to sign in by one name from one address"
    )
    address_limit: Rate = Field("100 per 15 minutes", description="Tries to sign in from one address")
    run_limit: Rate = Field("300 per minute", description="Answers one person may start")
    decision_limit: Rate = Field("600 per minute", description="Decisions one person may make")
    extensions: Names = Field((), description="Modules that extend Parley, separated by commas")

    @field_validator("data_dir")
    @classmethod
    def _from_the_root(cls, value: Path) -> Path:
        return PROJECT_ROOT / value.expanduser()

    @field_validator("public_url", "agent_url", "oidc_issuer")
    @classmethod
    def _http_url(cls, value: str, info: ValidationInfo) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.hostname):
            raise ValueError("must start with http:// or https:// and name a host")
        return value.rstrip("/") if info.field_name == "public_url" else value

    @field_validator("models")
    @classmethod
    def _named_models(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(cls._named_model(name) for name in value)

    @field_validator("image_hosts")
    @classmethod
    def _plain_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch(r"[A-Za-z0-9.-]+(:\d{1,5})?", host) for host in value):
            raise ValueError("must be names of hosts, like images.example.com")
        return tuple(host.lower() for host in value)

    @field_validator("model")
    @classmethod
    def _named_model(cls, value: str) -> str:
        if value and not re.fullmatch(r"(openai|anthropic|google|ollama):.+|https?://[^#]+#.+", value):
            raise ValueError("must be like openai:gpt-5, or https://host/v1#name for a server of your own")
        return value

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: SecretStr) -> SecretStr:
        scheme = value.get_secret_value().partition(":")[0]
        if scheme not in DATABASE_SCHEMES:
            raise ValueError("must start with sqlite:/// or postgresql+psycopg://")
        return value

    @field_validator("redis_url")
    @classmethod
    def _redis_url(cls, value: SecretStr) -> SecretStr:
        if value.get_secret_value() and not value.get_secret_value().startswith(REDIS_SCHEMES):
            raise ValueError("must start with redis://, rediss:// or unix://")
        return value

    @model_validator(mode="after")
    def _ordered_windows(self) -> Self:
        if self.live_window_max_ms < self.live_window_ms:
            raise ValueError("live_window_max_ms must not be below live_window_ms")
        return self

    @model_validator(mode="after")
    def _each_name_once(self) -> Self:
        if self.agent_name in self.agents:
            raise ValueError(f"agents names {self.agent_name} again, as agent_name does")
        return self

    @model_validator(mode="after")
    def _complete_sign_in(self) -> Self:
        unknown = [way for way in self.sign_in if way not in SIGN_IN_NEEDS]
        if unknown:
            raise ValueError(f"sign_in knows password, oidc and proxy, not {unknown[0]}")
        missing = [
            name for way in self.sign_in for name in SIGN_IN_NEEDS[way] if not _said(getattr(self, name))
        ]
        if missing:
            raise ValueError(f"sign_in needs {missing[0]}")
        return self

    @model_validator(mode="after")
    def _complete_mail(self) -> Self:
        if self.mail_host and not is_mail_address(self.mail_from):
            raise ValueError("mail_host needs mail_from, an address like parley@example.com")
        return self

    @property
    def local_url(self) -> str:
        """Where this machine reaches the server: `http://<address>:<port>`."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - read, not bound
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def page_url(self) -> str:
        """Where people open Parley."""
        return self.public_url or (f"http://localhost:{self.port}" if self.on_loopback else self.local_url)

    @property
    def agent_endpoint(self) -> str:
        """The AG-UI endpoint to talk to: the configured one or the embedded agent's."""
        return self.agent_url or f"{self.local_url}/agent"

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
