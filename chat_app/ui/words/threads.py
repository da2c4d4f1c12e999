"""Words of what can be done with a thread: rename, pin, archive, delete, export."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "thread.menu": "More about {title}",
    "thread.pin": "Pin on top",
    "thread.unpin": "Unpin",
    "thread.rename": "Rename",
    "thread.name": "Title of the thread",
    "thread.archive": "Archive",
    "thread.unarchive": "Take out of the archive",
    "thread.tags": "Tags, separated by commas",
    "thread.tags.save": "Keep tags",
    "thread.delete": "Delete",
    "thread.delete.ask": "Delete this thread? What is running in it stops.",
    "thread.delete.keep": "Keep it",
    "thread.deleted": "Deleted: {title}",
    "thread.undo": "Undo",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
