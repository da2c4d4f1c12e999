"""The ways to reach an agent."""

from chat_app.agui.transport.base import Frame, Transport
from chat_app.agui.transport.replay import ReplayTransport

__all__ = ["Frame", "ReplayTransport", "Transport"]
