"""Text as search compares it: without case, without accents; and the pieces of a text around what was found. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from unicodedata import combining, normalize

BEFORE = 40
AFTER = 140
"""Characters shown before and after the first place where something was found."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a snippet; `hit` says that it is what was searched for."""

    text: str
    hit: bool = False


def folded(text: str) -> str:
    """Return a text without case and accents, white space as single spaces.

    >>> folded("Größe  ÉTÉ")
    'grosse ete'
    """
    plain = "".join(map(_plain, text)) if not text.isascii() else text.lower()
    return " ".join(plain.split())


def words_of(query: str, *, most: int = 8) -> list[str]:
    """Return what to look for, each once; a query of blanks alone gives nothing."""
    return list(dict.fromkeys(folded(query).split()))[:most]


def snippet(text: str, words: Sequence[str]) -> list[Piece]:
    """Return the part of `text` around the first of `words` that is in it, every word marked."""
    text = " ".join(text.split())
    plain, places = _mapped(text)
    spans = sorted(_spans(plain, words))
    first = places[spans[0][0]] if spans else 0
    begin, end = max(0, first - BEFORE), first + AFTER
    hit = {place for start, stop in spans for place in places[start:stop]}
    marked = [(each, begin + at in hit) for at, each in enumerate(text[begin:end])]
    pieces = [
        Piece("".join(each for each, _ in run), found) for found, run in groupby(marked, lambda m: m[1])
    ]
    return [*([Piece("… ")] if begin else []), *pieces, *([Piece(" …")] if end < len(text) else [])]


def _plain(char: str) -> str:
    return "".join(each for each in normalize("NFKD", char.casefold()) if not combining(each))


def _mapped(text: str) -> tuple[str, list[int]]:
    """Return the text folded, and of each of its characters the place it came from."""
    pairs = [(each, at) for at, char in enumerate(text) for each in _plain(char)]
    return "".join(each for each, _ in pairs), [at for _, at in pairs]


def _spans(plain: str, words: Sequence[str]) -> list[tuple[int, int]]:
    found = []
    for word in words:
        at = plain.find(word)
        while at >= 0:
            found.append((at, at + len(word)))
            at = plain.find(word, at + len(word))
    return found
