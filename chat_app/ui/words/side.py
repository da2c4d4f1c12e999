"""Words of the sidebar: its parts, the groups of threads, the marks a thread carries."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "side.label": "Sidebar",
    "side.new": "New chat",
    "side.threads": "Threads",
    "side.show": "Show threads",
    "side.hide": "Hide threads",
    "side.none": "No threads yet. The first message makes one.",
    "side.search": "Search",
    "side.archive": "Archive",
    "side.back": "Back to threads",
    "side.archive.none": "Nothing in the archive.",
    "side.more": "Loading more threads",
    "group.pinned": "Pinned",
    "group.today": "Today",
    "group.yesterday": "Yesterday",
    "group.week": "Last 7 days",
    "group.older": "Older",
    "mark.running": "running",
    "mark.waiting": "waiting",
    "mark.failed": "failed",
    "mark.running.spoken": "Running.",
    "mark.waiting.spoken": "Waiting for a decision.",
    "mark.failed.spoken": "Failed.",
    "mark.new.spoken": "New.",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {
    "today": "Today",
    "yesterday": "Yesterday",
    "now": "now",
    "seconds": "{count} s",
    "minutes": "{count} min",
    "hours": "{count} h",
}
