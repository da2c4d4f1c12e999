"""Words of the search over threads and messages."""

from typing import Final

from chat_app.ui.words.form import Plural, Words

WORDS: Final[Words] = {
    "search.label": "Search",
    "search.field": "Search threads and messages",
    "search.results": "Results",
    "search.choose": "choose",
    "search.tab": "new tab",
    "search.open": "open at the message",
    "search.none": "No thread or message has “{query}”. Try fewer words.",
    "search.start": "Words of a title, a message or a tag. All of them have to be there.",
    "search.count": Plural("{count} result", "{count} results"),
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
