"""Words of the state panels and of subagents."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "panel.label": "Shared state",
    "panel.open": "Show panel",
    "panel.close": "Close panel",
    "panel.tabs": "Panel",
    "panel.content": "Panel content",
    "panel.board": "Board",
    "panel.plan": "Plan",
    "panel.state": "State",
    "panel.none": "No state yet",
    "panel.none.detail": "{agent} has not sent any. The panel fills by itself.",
    "panel.stale": "The newest state does not fit this panel.",
    "panel.stale.since": "You see the last good version, {time}.",
    "panel.stale.last": "You see the last good version.",
    "panel.stale.where": "does not fit.",
    "panel.version": "Version {number} of {count}",
    "panel.live": "Live",
    "panel.back": "Back to live",
    "panel.earlier": "Earlier version",
    "panel.later": "Later version",
    "panel.slider": "State version",
    "panel.at": "at {time}.",
    "panel.mine": "Thick mark: your edit.",
    "panel.no_versions": "No versions",
    "board.empty": "The board is empty.",
    "task.todo": "To do",
    "task.doing": "Doing",
    "task.done": "Done",
    "task.failed": "Failed or skipped",
    "task.finish": "Mark as done: {title}",
    "task.reopen": "Mark as to do: {title}",
    "plan.sum": "{done} of {total} steps done",
    "plan.empty": "The plan has no steps.",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {
    "changed": "Changed",
    "yours": "Yours",
    "yours_detail": "Sent with your next message.",
    "edit": "Edit",
    "save": "Save",
    "cancel": "Cancel",
    "new_value": "New value of",
    "not_that_kind": "This is not the same kind of value.",
    "added": "added",
    "removed": "removed",
    "changed_from": "changed from",
    "changed_to": "to",
    "changed_count": "changed",
    "state_empty": "The state is empty. The agent has sent one that holds nothing.",
    "as_table": "As table",
    "as_tree": "As tree",
}
