"""Words of the message box, its queue and its attachments."""

from typing import Final

from chat_app.ui.words.form import Plural, Words

WORDS: Final[Words] = {
    "box.label": "Message {agent}",
    "box.send": "Send",
    "box.sending": "Sending",
    "box.stop": "Stop",
    "box.stopping": "Stopping",
    "box.empty": "Write something first",
    "box.enter": "send",
    "box.newline": "new line",
    "box.offline": "Kept here. Sending works again when the connection is back.",
    "box.running": "{agent} is still answering. What you send now waits for its turn.",
    "box.queue": "Queue",
    "box.coming": "A file is still on its way",
    "box.attach": "Attach a file",
    "box.files": "Attached files",
    "file.remove": "Remove {name}",
    "file.as_text": "Paste as text",
    "file.open": "Open {name}",
    "box.shut": "{agent} is not open to you any more. Its chats can be read.",
    "queue.label": "Messages that wait",
    "queue.waits": Plural(
        "{count} message waits for this run to end", "{count} messages wait for this run to end"
    ),
    "queue.held": Plural("{count} message waits", "{count} messages wait"),
    "queue.now": "Send now",
    "queue.shut": "Kept, not sent: this agent is not open to you any more",
    "queue.edit": "Edit queued message",
    "queue.edit.label": "Text of the queued message",
    "queue.edit.save": "Change it",
    "queue.remove": "Remove queued message",
    "command.label": "Commands",
    "command.new": "Begin a new chat",
    "command.search": "Search threads and messages",
    "command.print": "Print this thread",
    "command.settings": "Open the settings",
    "command.keys": "Show all keys",
    "box.waiting": "A decision is open. Sending asks first: answer it, or cancel it and go on.",
    "box.gone": "Nothing can be sent to this thread.",
    "box.unsent": "Not sent: the server did not answer. Your text is kept; send it again.",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {
    "attach": "Attach a file",
    "pasted": "Pasted text",
    "file_kind": "The agent does not take files of this kind",
    "file_large": "This file is too large",
    "file_many": "No more than 10 files at once",
    "file_lost": "Not sent: the server did not answer",
}
