"""An action that needs a person's yes: one refund, or two at once."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from chat_app.agent.approvals import GatedTool, ask
from chat_app.agent.orders import ORDERS, Order, find_order, numbers_in
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import TurnPaused

_EXPIRY: Final = re.compile(r"\bwithin (\d{1,5}) (second|minute)s?\b", re.IGNORECASE)
_BOTH: Final = re.compile(r"\bboth\b|\btwo\b", re.IGNORECASE)


class Refund(BaseModel):
    """The arguments of a refund, whole."""

    model_config = ConfigDict(strict=True, extra="forbid")

    order: str = Field(min_length=1)
    payee: str = Field(min_length=1)
    amount: float = Field(gt=0, le=10_000)
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    reason: str


def _question(arguments: Mapping[str, JsonValue]) -> str:
    """Ask about these arguments; those of a damaged history may lack some."""
    amount, currency, payee, order = (
        arguments.get(key, "?") for key in ("amount", "currency", "payee", "order")
    )
    return f"Refund {amount} {currency} to {payee} for order {order}?"


def _perform(call_id: str, refund: Refund) -> Mapping[str, JsonValue]:
    """Pay. The reference comes from the call, so that paying a call again is the same payment."""
    reference = hashlib.sha256(call_id.encode()).hexdigest()[:8].upper()
    return {
        "status": "refunded",
        "reference": f"R-{reference}",
        "order": refund.order,
        "payee": refund.payee,
        "amount": refund.amount,
        "currency": refund.currency,
    }


TOOL: Final = GatedTool(
    name="issue_refund",
    arguments=Refund,
    question=_question,
    perform=_perform,
    metadata={"risk": "high", "riskReason": "Moves money and cannot be called back."},
)


async def play(turn: Turn) -> TurnPaused | None:
    """Ask for the refunds, or conclude once they are decided."""
    if decided := _decided(turn):
        await _conclude(turn, decided)
        return None
    line = turn.conversation.last_line
    await turn.say("I have prepared the refund. It needs your decision before any money moves.")
    expires_at = _expiry(line, turn.means.now())
    asked = [await ask(turn, TOOL, _arguments(order), expires_at=expires_at) for order in _orders(line)]
    questions = tuple(question for question in asked if question is not None)
    if questions:
        return TurnPaused(questions)
    await _conclude(turn, _decided(turn))
    return None


def _decided(turn: Turn) -> list[Mapping[str, JsonValue]]:
    return [result for answer in turn.answers_to(TOOL.name) if (result := _result(answer))]


async def _conclude(turn: Turn, decided: Sequence[Mapping[str, JsonValue]]) -> None:
    """Say what became of each refund."""
    await turn.say("\n\n".join(_outcome(result) for result in decided))


def _result(answer: str) -> Mapping[str, JsonValue] | None:
    """Read a decided call's answer; None for what a client put there, such as "did not finish"."""
    try:
        result = json.loads(answer)
    except ValueError:
        return None
    return result if isinstance(result, dict) and "status" in result else None


def _outcome(result: Mapping[str, JsonValue]) -> str:
    match result.get("status"):
        case "refunded":
            amount, currency, payee = (result.get(key) for key in ("amount", "currency", "payee"))
            paid = f"{amount} {currency} to {payee}"
            return f"Done: **{paid}** for order {result.get('order')}, reference `{result.get('reference')}`."
        case "rejected":
            reason = result.get("reason")
            because = f" You said: “{reason}”." if reason else ""
            return f"Understood, you rejected the refund. Nothing was paid.{because}"
        case _:
            return "The question was cancelled, so nothing was paid. Ask again whenever you like."


def _orders(line: str) -> Sequence[Order]:
    if _BOTH.search(line):
        return ORDERS
    named = [order for number in numbers_in(line) if (order := find_order(number))]
    return named or ORDERS[:1]


def _arguments(order: Order) -> Mapping[str, JsonValue]:
    return {
        "order": order.number,
        "payee": order.customer,
        "amount": order.price,
        "currency": order.currency,
        "reason": f"{order.item}: {order.status}",
    }


def _expiry(line: str, now: datetime) -> datetime | None:
    match = _EXPIRY.search(line)
    if match is None:
        return None
    unit = timedelta(seconds=1) if match[2].lower() == "second" else timedelta(minutes=1)
    return (now + int(match[1]) * unit).replace(microsecond=0)


SCENARIO = Scenario(
    id="refund",
    title="An action that needs your yes",
    phrase="Refund order T-1042",
    cue=cue(r"\brefund\b"),
    play=play,
    shows="A call that ends the run with an interrupt: approve, edit, reject or cancel",
    dojo="human in the loop",
)
