"""The browser files, put where the bundler finds them. Only `chat_app.ui.browser` names what is in them."""

from typing import Final

import reflex as rx

FILES: Final = (
    "words",
    "prefs",
    "dialog",
    "keys",
    "paper",
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

# All are linked, whichever are named by a component: they import each other.
LIBRARY: Final = {name: rx.asset(f"{name}.jsx", shared=True).importable_path for name in FILES}
