"""Words around the conversation: bar, banners, settings, keys, languages."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "app": "Parley",
    "theme": "Theme",
    "theme.light": "Light theme",
    "theme.dark": "Dark theme",
    "theme.system": "Theme of the system",
    "skip": "Skip to the message box",
    "bar.with": "with {agent}",
    "bar.running": "Running",
    "bar.stopping": "Stopping",
    "bar.waiting": "Waiting for you",
    "offline.title": "Connection lost.",
    "offline.kept": "What you miss appears when it is back.",
    "offline.now": "Try now",
    "problem.dismiss": "Dismiss",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {
    "trying_again": "Trying again.",
    "trying_again_in": "Trying again in {time}.",
}
