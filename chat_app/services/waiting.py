"""What an agent's policy says about questions that wait: when to remind, whom to escalate to, what expiry means.

The part of the policy that `rules.py` leaves alone:

    {"waiting": {"remind": 300, "escalate": 900, "to": ["admin"], "expired": "cancel"}}

A reminder goes out `remind` seconds before a question expires. One that still waits `escalate` seconds after it was
asked may be decided by the roles `to` as well. When one expires, its batch is left to whoever gives it up (`leave`),
or is given up at once (`cancel`), so that the agent goes on without it.
"""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from chat_app.services.rules import Role

LONGEST_S = 365 * 24 * 3600
Seconds = Annotated[int, Field(ge=1, le=LONGEST_S)]


class Waiting(BaseModel):
    """What happens to questions of an agent while they wait."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    remind: Seconds | None = None
    escalate: Seconds | None = None
    to: list[Role] = ["admin"]
    expired: Literal["leave", "cancel"] = "leave"

    def remind_at(self, expires_at: datetime | None) -> datetime | None:
        """Return when to remind of a question, None when never."""
        if self.remind is None or expires_at is None:
            return None
        return expires_at - timedelta(seconds=self.remind)

    def escalate_at(self, asked_at: datetime) -> datetime | None:
        """Return when a question is escalated, None when never."""
        if self.escalate is None or not self.to:
            return None
        return asked_at + timedelta(seconds=self.escalate)


class WaitingBroken(ValueError):  # noqa: N818 - it reads as what happened
    """The part `waiting` of a policy is not of this form; the message says where and why."""


def read_waiting(policy: JsonValue) -> Waiting:
    """Return what a policy says about waiting.

    Raises:
        WaitingBroken: it is not of the form above.
    """
    part = policy.get("waiting") if isinstance(policy, dict) else None
    try:
        return Waiting.model_validate({} if part is None else part)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise WaitingBroken(f"waiting/{'/'.join(map(str, first['loc']))}: {first['msg']}") from error


def waiting_of(policy: JsonValue) -> Waiting:
    """Return what holds: the policy's words, or nothing in particular when they cannot be read."""
    try:
        return read_waiting(policy)
    except WaitingBroken:
        return Waiting()
