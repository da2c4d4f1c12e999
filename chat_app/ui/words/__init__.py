"""Every word of the page, in one catalog: a table per area, English as it is written here.

Python draws with `t`, whose words are looked up in the browser; what only the browser can word (a time left, a
copied text) is handed to it as `BROWSER`. Translations are `locales/*.po`, compiled to what the browser loads.
Rules for the words themselves: plain, short, active, sentence case; an error says what happened, what is kept and
one way on.
"""

import re
from dataclasses import asdict
from typing import Final

import reflex as rx

from chat_app.ui import browser
from chat_app.ui.choose import choose
from chat_app.ui.words import (
    accounts,
    admin,
    around,
    ask,
    box,
    history,
    inbox,
    notices,
    panels,
    problems,
    search,
    side,
    threads,
    tools,
    transcript,
)
from chat_app.ui.words.form import Plural, Words

__all__ = ["APP", "AREAS", "BROWSER", "WORDS", "Plural", "Words", "gaps", "match", "said", "t"]

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
    history,
    notices,
    problems,
)
WORDS: Final[Words] = {name: words for area in AREAS for name, words in area.WORDS.items()}
BROWSER: Final[Words] = {name: words for area in AREAS for name, words in area.BROWSER.items()}

APP: Final = "Parley"

_GAP = re.compile(r"\{(\w+)\}")


def gaps(words: str | Plural) -> frozenset[str]:
    """Return the names of the gaps of `words`; a plural has `count` even where no form shows it."""
    if isinstance(words, Plural):
        return frozenset(_GAP.findall(words.one + words.other)) | {"count"}
    return frozenset(_GAP.findall(words))


def t(name: str, /, **values: rx.Var | str) -> rx.Var[str]:
    """Return the words called `name` in the person's language, with `values` in their gaps.

    A plural takes its number as `count`. Numbers are written as the language writes them.

    Raises:
        KeyError: No such words, or no value for a gap.
    """
    words = WORDS[name]
    filled = {gap: values[gap] for gap in sorted(gaps(words))}
    return browser.say(name, asdict(words) if isinstance(words, Plural) else words, filled)


def said(text: rx.Var[str], values: rx.Var | None = None) -> rx.Var[str]:
    """Return a sentence that a service said, in the person's language where the catalog has it, its gaps filled."""
    return browser.said(text, values)


def match(code: rx.Var[str], prefix: str, codes: tuple[str, ...], default: str) -> rx.Var[str]:
    """Return the words `prefix.code` for each of `codes`, those called `default` for any other code."""
    return choose(code, {each: t(f"{prefix}.{each}") for each in codes}, t(default))
