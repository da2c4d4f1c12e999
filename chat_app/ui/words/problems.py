"""What services say went wrong: their own sentences, which are English, under the names they are looked up by.

A problem reaches the page as its sentences and the values for their gaps. The sentences are the keys: a catalog says
them in its language, with a form for each number where one is counted.
"""

from collections.abc import Iterator
from typing import Final

from chat_app.services.problems import AWAY, GONE, UNKNOWN, kinds
from chat_app.ui.words.form import Plural, Words

PREFIX: Final = "said."


def _told() -> Iterator[str]:
    for problem in (AWAY, GONE, UNKNOWN, *(kind.problem for kind in kinds())):
        yield from (problem.title, problem.detail)
    for kind in kinds():
        yield from kind.details


def _counted(text: str) -> str | Plural:
    return Plural(text, text) if "{count}" in text else text


WORDS: Final[Words] = {PREFIX + text: _counted(text) for text in _told() if text}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
