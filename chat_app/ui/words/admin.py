"""Words of the pages for admins."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "viewed.by": "Viewed by {name}, because: {reason}",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
