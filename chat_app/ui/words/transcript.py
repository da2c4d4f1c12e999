"""Words of the transcript: its states, the names in it, reasoning, activities and the notes a run ends with."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "log.region": "Conversation",
    "log.label": "Messages",
    "log.older": "Loading earlier messages",
    "log.jump": "Jump to latest",
    "log.new": "New text below",
    "gone.bar": "No such thread",
    "gone.title": "There is no such thread here.",
    "gone.detail": "It may have been deleted, or it belongs to someone else.",
    "you": "You",
    "agent": "Agent",
    "empty.title": "What should {agent} look into?",
    "empty.detail": "It answers here, step by step. What needs your approval waits for you.",
    "reasoning.live": "Thinking",
    "reasoning.done": "Thought for {time}",
    "working": "Working",
    "activity": "Activity",
    "activity.unknown": "Parley has no view for this kind",
    "note.CANCELLED": "Stopped",
    "note.CANCELLED.detail": "The text above is all that arrived.",
    "note.SERVER_RESTART": "Interrupted by a server restart",
    "note.SERVER_RESTART.detail": "The text above is saved. Open decisions are still open.",
    "note.error": "The agent stopped with an error.",
    "note.agent_unreachable": "The agent could not be reached.",
    "note.agent_silent": "The agent did not answer in time.",
    "note.agent_refused": "The agent refused the request.",
    "note.agent_failed": "The agent's server failed.",
    "note.agent_not_a_stream": "What answered is no AG-UI agent.",
    "note.connection_cut": "The connection to the agent was cut.",
    "note.connection_failed": "The connection to the agent failed.",
    "note.answer_cut_short": "The answer ended before it was complete.",
    "note.agent_broke_protocol": "The agent broke the AG-UI protocol.",
    "note.not_possible_now": "The agent could not be asked now.",
    "note.INTERNAL": "Parley failed while it talked to the agent.",
    "note.kept": "Your message is kept.",
    "note.at": "at {time}",
    "note.retry": "Try again",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {
    "code": "code",
    "copy": "Copy",
    "copied": "Copied",
    "image": "Image",
    "table": "Table",
    "done": "done",
    "open": "open",
}
