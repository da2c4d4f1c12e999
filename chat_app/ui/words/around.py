"""Words around the conversation: bar, banners, settings, keys, languages."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "app": "Parley",
    "dialog.close": "Close",
    # settings
    "settings.title": "Settings",
    "theme": "Theme",
    "theme.light.short": "Light",
    "theme.dark.short": "Dark",
    "theme.system.short": "System",
    "language": "Language",
    "language.browser": "As the browser",
    "contrast": "Contrast",
    "contrast.system": "System",
    "contrast.more": "High",
    "contrast.normal": "Normal",
    "density": "Density",
    "density.roomy": "Roomy",
    "density.compact": "Compact",
    # keys
    "keys.title": "Keyboard",
    "keys.detail": "Single letters work while you are not typing.",
    "keys.off": "Keys are off. Enter, Shift+Enter and Escape still work.",
    "keys.setting": "Keyboard shortcuts",
    "keys.switch_off": "Switch keys off",
    "keys.switch_on": "Switch keys on",
    "key.help": "Show these keys, as Ctrl+/ does",
    "key.search": "Search threads and messages",
    "key.new": "New chat",
    "key.box": "Go to the message box",
    "key.next": "Next message",
    "key.previous": "Previous message",
    "key.side": "Show or hide threads",
    "key.panel": "Show or hide the panel",
    "key.settings": "Settings",
    "key.send": "Send",
    "key.newline": "New line",
    "key.stop": "Stop the run, or close what is open",
    "key.decide": "In a decision: approve, edit, reject",
    # taking a thread out
    "export.title": "Export",
    "export.detail": "Only what you may read is in the file. Secrets never are.",
    "export.markdown": "Markdown",
    "export.markdown.detail": "The conversation as people read it, with calls and decisions.",
    "export.json": "JSON",
    "export.json.detail": "Every row with its values and times, for programs.",
    "export.events": "AG-UI events",
    "export.events.detail": "One event a line, as they came. Folded again they give the same thread.",
    "export.print": "Print",
    "print.cut": "Earlier messages are not on this paper. Print from the export dialog to have all.",
    "skip": "Skip to the message box",
    "bar.more": "More",
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
