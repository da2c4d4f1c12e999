"""What services say went wrong: their own sentences, which are English, under the names they are looked up by.

A problem reaches the page as its words. The words are the key: a catalog that has them says them in its language, and
what holds a name or a number stays as it came.
"""

from collections.abc import Iterator
from typing import Final

from chat_app.services import problems
from chat_app.services.problems import Problem
from chat_app.ui.words.form import Words

PREFIX: Final = "said."


def _told() -> Iterator[Problem]:
    for each in vars(problems).values():
        known = each if isinstance(each, Problem) else getattr(each, "problem", None)
        if isinstance(known, Problem):
            yield known


WORDS: Final[Words] = {
    PREFIX + text: text for problem in _told() for text in (problem.title, problem.detail) if text
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
