"""Notifiers that extensions add, by their names."""

import asyncio
from collections.abc import Mapping

import structlog

from chat_app.services.notices.kinds import Notice, Notifier, NotSent

_log = structlog.get_logger(__name__)

WITHIN_S = 30.0
_added: dict[str, Notifier] = {}


def add(name: str, notifier: Notifier) -> None:
    """Tell by this notifier too.

    Raises:
        ValueError: the name is taken, or is none.
    """
    if not name or name in _added:
        raise ValueError(f"the notifier {name!r} is there already" if name else "a notifier needs a name")
    _added[name] = notifier


def every() -> Mapping[str, Notifier]:
    """Return what was added."""
    return dict(_added)


class AddedChannel:
    """Sends by what was added."""

    def __init__(self, notifiers: Mapping[str, Notifier], *, within: float = WITHIN_S) -> None:
        """Send by these `notifiers`, each of which has so many seconds."""
        self._notifiers = notifiers
        self._within = within

    async def aclose(self) -> None:
        """Extensions close what is theirs."""

    async def send(self, target: str, notice: Notice) -> str:
        """Send a notice by the notifier called `target`.

        Raises:
            NotSent: it was not taken, or that notifier is not there any more.
        """
        notifier = self._notifiers.get(target)
        if notifier is None:
            raise NotSent("off", fate="dropped")
        try:
            async with asyncio.timeout(self._within):
                await notifier.send(notice)
        except NotSent:
            raise
        except TimeoutError as error:
            raise NotSent("timeout") from error
        except Exception as error:
            # code of somebody else: whatever it raises must not end the post of everybody
            _log.exception("notifier_failed", notifier=target)
            raise NotSent("error") from error
        return "taken"
