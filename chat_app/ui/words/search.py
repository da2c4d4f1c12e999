"""Words of the search over threads and messages."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
