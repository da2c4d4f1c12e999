"""Words of tool cards and of the values in them."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "tool.arguments": "Arguments",
    "tool.arguments.live": "Arguments, still arriving",
    "tool.result": "Result",
    "tool.failed.title": "The call failed.",
    "tool.preparing": "Preparing",
    "tool.running": "Running",
    "tool.waiting": "Waiting for approval",
    "tool.done": "Done",
    "tool.failed": "Failed",
    "tool.denied": "Rejected",
    "tool.cancelled": "Cancelled",
    "tool.expired": "Expired",
    "tool.order.place": "last seen: {place}",
    "tool.compact": "Show finished steps in one line",
    "tool.full": "Show finished steps in full",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {
    "show_all": "Show all",
    "none": "None",
    "not_json": "These arguments are not valid JSON. They are shown as they came.",
}
