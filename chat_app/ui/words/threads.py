"""Words of what can be done with a thread: rename, pin, archive, delete, export."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
