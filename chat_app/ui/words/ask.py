"""Words of approval and question cards and of their forms."""

from typing import Final

from chat_app.ui.words.form import Plural, Words

WORDS: Final[Words] = {
    "ask.decision": "Decision needed",
    "ask.answer": "Answer needed",
    "ask.asks": "{agent} asks, {time}",
    "ask.run": "Run {tool}?",
    "ask.question": "The agent asks a question.",
    "ask.approve": "Approve",
    "ask.reject": "Reject",
    "ask.respond": "Answer",
    "ask.cancel": "Cancel request",
    "ask.back": "Back",
    "ask.why_not": "Why not? The agent reads this.",
    "ask.your_answer": "Your answer. The agent reads this.",
    "ask.send_answer": "Send answer",
    "ask.covers": Plural(one="Covers exactly this value.", other="Covers exactly these {count} values."),
    "ask.covers.none": "Takes no values.",
    "ask.fingerprint": "Fingerprint",
    "ask.by": "by {name}",
    "ask.approved": "Approved",
    "ask.rejected": "Rejected",
    "ask.answered": "Answered",
    "ask.cancelled": "Cancelled",
    "ask.expired": "Expired",
    "ask.superseded": "Replaced by a newer request",
    "ask.withdrawn": "Withdrawn by the agent",
    "ask.expired.detail": "Nobody decided in time. It cannot be answered any more; the agent can ask again.",
    "ask.owed": "The decision is kept. The agent gets it with the next run.",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {
    "expires_in": "Expires in",
    "expired": "Expired",
    "less_than_a_minute": "less than a minute",
}
