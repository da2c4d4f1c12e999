"""Every word of the page, in one catalog: a table per area, English as it is written here.

Python draws with `t`; what only the browser can word (a time left, a copied text) is handed to it as
`BROWSER`. Rules for the words themselves: plain, short, active, sentence case; an error says what happened,
what is kept and one way on.
"""

import re
from typing import Final

import reflex as rx

from chat_app.ui.choose import choose
from chat_app.ui.words import (
    accounts,
    admin,
    around,
    ask,
    box,
    inbox,
    panels,
    search,
    side,
    threads,
    tools,
    transcript,
)
from chat_app.ui.words.form import Plural, Words

__all__ = ["APP", "AREAS", "BROWSER", "WORDS", "Plural", "Words", "match", "t"]

AREAS: Final = (
    side,
    transcript,
    tools,
    ask,
    panels,
    box,
    threads,
    search,
    around,
    accounts,
    inbox,
    admin,
)
WORDS: Final[Words] = {name: words for area in AREAS for name, words in area.WORDS.items()}
BROWSER: Final[Words] = {name: words for area in AREAS for name, words in area.BROWSER.items()}

APP: Final = "Parley"

_GAP = re.compile(r"\{(\w+)\}")


def t(name: str, /, **values: rx.Var | str) -> rx.Var[str]:
    """Return the words called `name`, with `values` in their gaps; a plural takes its number as `count`.

    Raises:
        KeyError: No such words, or no value for a gap.
    """
    words = WORDS[name]
    if isinstance(words, Plural):
        one, other = _filled(words.one, values), _filled(words.other, values)
        return rx.cond(rx.Var.create(values["count"]) == 1, one, other).to(str)
    return _filled(words, values)


def _filled(words: str, values: dict[str, rx.Var | str]) -> rx.Var[str]:
    pieces = _GAP.split(words)  # odd ones are names of gaps
    joined: rx.Var[str] = rx.Var.create(pieces[0])
    for gap, after in zip(pieces[1::2], pieces[2::2], strict=True):
        joined = joined + rx.Var.create(values[gap]).to(str) + after
    return joined.to(str)


def match(code: rx.Var[str], prefix: str, codes: tuple[str, ...], default: str) -> rx.Var[str]:
    """Return the words `prefix.code` for each of `codes`, those called `default` for any other code."""
    return choose(code, {each: t(f"{prefix}.{each}") for each in codes}, t(default))
