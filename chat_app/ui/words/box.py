"""Words of the message box, its queue and its attachments."""

from typing import Final

from chat_app.ui.words.form import Words

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
    "box.running": "{agent} is still answering. Your draft is kept; send it afterwards, or stop the run.",
    "box.waiting": "A decision is open. Sending asks first: answer it, or cancel it and go on.",
    "box.gone": "Nothing can be sent to this thread.",
    "box.unsent": "Not sent: the server did not answer. Your text is kept; send it again.",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
