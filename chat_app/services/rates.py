"""How often somebody may do something: sign in, start an answer, decide.

Counted per process in memory, or in the Redis that several processes share. What is counted are attempts, those that
fail too: it is trying that is limited.
"""

import math
import time
from collections.abc import Mapping
from typing import Literal

from limits import RateLimitItem, parse
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from chat_app.services.problems import TooFast

Kind = Literal["sign_in", "address", "run", "decision"]
"""Sign-ins to one name from one address, sign-ins from one address, answers of one person, decisions of one."""


class Rates:
    """Counts by kind and by who."""

    def __init__(self, limits: Mapping[Kind, str] | None = None, *, storage: str = "memory://") -> None:
        """Allow what `limits` say ("10 per 15 minutes"); a kind that is not named is not limited."""
        self._limits: dict[Kind, RateLimitItem] = {
            kind: parse(said) for kind, said in (limits or {}).items() if said
        }
        self._counted = MovingWindowRateLimiter(storage_from_string(storage)) if self._limits else None

    def hit(self, kind: Kind, *who: str) -> None:
        """Count one attempt.

        Raises:
            TooFast: it is one too many; it was not counted.
        """
        item = self._limits.get(kind)
        if item is None or self._counted is None or self._counted.hit(item, kind, *who):
            return
        again = self._counted.get_window_stats(item, kind, *who).reset_time
        raise TooFast(max(1, math.ceil(again - time.time())))

    def left(self, kind: Kind, *who: str) -> int | None:
        """Return how many attempts are left; None when there is no limit."""
        item = self._limits.get(kind)
        if item is None or self._counted is None:
            return None
        return self._counted.get_window_stats(item, kind, *who).remaining

    def forget(self, kind: Kind, *who: str) -> None:
        """Count anew: it went well."""
        item = self._limits.get(kind)
        if item is not None and self._counted is not None:
            self._counted.clear(item, kind, *who)
