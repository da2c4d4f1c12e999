"""The browser files, put where the bundler finds them. Only `chat_app.ui.browser` names what is in them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import reflex as rx

FILES: Final = (
    "words",
    "prefs",
    "dialog",
    "keys",
    "paper",
    "early",
    "screen",
    "live",
    "markdown",
    "time",
    "values",
    "json",
    "tool",
    "ask",
    "form",
    "steer",
    "drafts",
    "composer",
    "scroll",
    "shell",
    "patch",
    "panels",
    "tree",
    "turns",
    "copy",
    "code",
    "order",
    "formula",
    "diagram",
    "lanes",
    "surface",
    "threads",
    "finder",
    "files",
    "commands",
    "inbox",
    "notify",
)


def _linked(name: str) -> str:
    return rx.asset(f"{name}.jsx", shared=True).importable_path


# All are linked, whichever are named by a component: they import each other. Reflex looks through the whole stack
# for who asks, at each file: on the short one of a thread all take 60 ms, at the end of all importers 1.4 s.
with ThreadPoolExecutor(1) as aside:
    LIBRARY: Final = dict(zip(FILES, aside.map(_linked, FILES), strict=True))
