"""Tool names on their way to a provider and back.

Providers take letters, digits, ``_`` and ``-``, 64 of them at most; servers name tools as they like. The names
of one request form a table, so a name that a model gives back stands for exactly one tool.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 64
_MARK: Final = 9
_FORBIDDEN: Final = re.compile(r"[^A-Za-z0-9_-]")


class NameTable:
    """The names of one request. What fits stays as it is; what clashes or is too long gets a mark of its own."""

    def __init__(self, names: Iterable[str]) -> None:
        distinct = set(names)
        plain = {name: _FORBIDDEN.sub("_", name) or "_" for name in distinct}
        wanted = Counter(plain.values())
        self._outward = {
            name: shape if shape == name and len(name) <= LONGEST else _shaped(name, shape, wanted[shape])
            for name, shape in plain.items()
        }
        self._inward = {shape: name for name, shape in self._outward.items()}

    def outward(self, name: str) -> str:
        """Give the name a provider takes for a name of the table.

        Raises:
            KeyError: it is not in the table.
        """
        return self._outward[name]

    def inward(self, name: str) -> str:
        """Give the name the provider's stands for; one that a model invented is given back as it is."""
        return self._inward.get(name, name)


def _shaped(name: str, shape: str, wanted: int) -> str:
    if wanted == 1 and len(shape) <= LONGEST:
        return shape
    mark = hashlib.sha256(name.encode()).hexdigest()[: _MARK - 1]
    return f"{shape[: LONGEST - _MARK]}_{mark}"
