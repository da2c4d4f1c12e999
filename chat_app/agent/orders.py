"""The little order book the scripted agent works with. It never changes, so the agent can be checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

ORDER_NUMBER: Final = re.compile(r"\bT-?(\d{3,6})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order of the bicycle workshop."""

    number: str
    customer: str
    item: str
    price: float
    currency: str
    status: str
    place: str
    arrives: str

    def facts(self) -> Mapping[str, JsonValue]:
        """Give what the look-up tool tells about the order."""
        return {
            "order": self.number,
            "customer": self.customer,
            "item": self.item,
            "status": self.status,
            "place": self.place,
            "arrives": self.arrives,
        }


ORDERS: Final = (
    Order(
        number="T-1042",
        customer="Ines Marlow",
        item="Gravel wheel, 650B, rear",
        price=184.5,
        currency="EUR",
        status="delivered damaged",
        place="Ghent",
        arrives="12 March",
    ),
    Order(
        number="T-1077",
        customer="Café Zürich, Åsa Lindén",
        item="Cargo rack with straps",
        price=96.0,
        currency="EUR",
        status="on its way",
        place="sorting centre Malmö",
        arrives="tomorrow before noon",
    ),
)

_BY_NUMBER: Final = {order.number: order for order in ORDERS}


def find_order(number: str) -> Order | None:
    """Give the order of this number, or None."""
    return _BY_NUMBER.get(number)


def numbers_in(line: str) -> list[str]:
    """Give the order numbers a line names, spelled as the book spells them, each once, in order."""
    return list(dict.fromkeys(f"T-{digits}" for digits in ORDER_NUMBER.findall(line)))
