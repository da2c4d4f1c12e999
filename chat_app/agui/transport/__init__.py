"""The ways to reach an agent: over HTTP, in the same process, or from a script."""

from chat_app.agui.transport.base import Frame, Transport
from chat_app.agui.transport.http import HttpTransport
from chat_app.agui.transport.inprocess import InProcessTransport
from chat_app.agui.transport.replay import ReplayTransport
from chat_app.agui.transport.tls import trusted

__all__ = ["Frame", "HttpTransport", "InProcessTransport", "ReplayTransport", "Transport", "trusted"]
