"""The default-deny gate: a browser may only call handlers that say so.

Reflex makes every public method of every state callable from any socket. Here a handler is refused unless it carries
our marker; `setvar` and anything else of the kind is refused too. Handlers chained by the server pass the same gate.
"""

from collections.abc import Callable
from typing import TypeVar

import reflex as rx
import structlog
from reflex.event import Event
from reflex.state import BaseState, StateUpdate
from reflex_base.registry import RegistrationContext

_log = structlog.get_logger(__name__)
_MARK = "__parley_public__"
# Reflex's own: hydration, on_load dispatch, client storage, the browser's error report
_FRAMEWORK = "reflex___state____state.reflex___"

Handler = TypeVar("Handler", bound=Callable[..., object])


def public(handler: Handler) -> Handler:
    """Mark `handler` as one that a browser may call, and make it a Reflex event handler."""
    setattr(handler, _MARK, True)
    return rx.event(handler)  # type: ignore[return-value]  # Reflex types it as its own EventCallback


def allowed(name: str) -> bool:
    """Return whether the event called `name` (state path, dot, handler) may run."""
    if name.endswith(".setvar"):
        return False
    if name.startswith(_FRAMEWORK) or name.count(".") == 1:
        return True
    registered = RegistrationContext.get().event_handlers.get(name)
    return registered is not None and bool(getattr(registered.handler.fn, _MARK, False))


class Gate(rx.Middleware):
    """Refuse every event whose handler is not `public`."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Return None to let the event through, an empty update to refuse it."""
        del app, state
        if allowed(event.name):
            return None
        _log.warning("event_refused", handler=event.name[:200])
        return StateUpdate()
