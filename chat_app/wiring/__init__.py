"""Builds what the process consists of from its settings."""

from chat_app.wiring.embedded import agent_mounts, embedded_agent
from chat_app.wiring.plans import (
    cookie,
    endpoint,
    endpoints,
    mail_server,
    notices,
    now,
    origins,
    provider,
    proxies,
    rates_of,
    revealed,
    terms,
    ways,
)
from chat_app.wiring.services import build, bus_of, stored_tables

__all__ = [
    "agent_mounts",
    "build",
    "bus_of",
    "cookie",
    "embedded_agent",
    "endpoint",
    "endpoints",
    "mail_server",
    "notices",
    "now",
    "origins",
    "provider",
    "proxies",
    "rates_of",
    "revealed",
    "stored_tables",
    "terms",
    "ways",
]
