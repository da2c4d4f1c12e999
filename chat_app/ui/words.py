"""Every word of the page, in one catalog.

Python draws with `t`; what only the browser can word (a time left, a copied text) is handed to it as
`BROWSER`. Rules for the words themselves: plain, short, active, sentence case; an error says what happened,
what is kept and one way on.
"""

import re
from collections.abc import Mapping
from typing import Final

import reflex as rx

from chat_app.ui.choose import choose

WORDS: Final[Mapping[str, str]] = {
    "app": "Parley",
    # sidebar
    "side.label": "Sidebar",
    "side.new": "New chat",
    "side.threads": "Threads",
    "side.show": "Show threads",
    "side.hide": "Hide threads",
    "side.none": "No threads yet. The first message makes one.",
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
    "theme": "Theme",
    "theme.light": "Light theme",
    "theme.dark": "Dark theme",
    "theme.system": "Theme of the system",
    # bar and banners
    "skip": "Skip to the message box",
    "bar.with": "with {agent}",
    "bar.running": "Running",
    "bar.stopping": "Stopping",
    "bar.waiting": "Waiting for you",
    "offline.title": "Connection lost.",
    "offline.kept": "What you miss appears when it is back.",
    "offline.now": "Try now",
    "problem.dismiss": "Dismiss",
    # transcript
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
    # tool calls
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
    # approval card
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
    "ask.covers": "Covers exactly these {count} values.",
    "ask.covers.one": "Covers exactly this value.",
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
    # notes a run ends with
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
    # message box
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
    "box.waiting": "A decision is open. Answer it above, then send; your draft is kept.",
    "box.gone": "Nothing can be sent to this thread.",
    "box.unsent": "Not sent: the server did not answer. Your text is kept; send it again.",
}

# What only the browser can word, under the names its files use.
BROWSER: Final[Mapping[str, str]] = {
    "today": WORDS["group.today"],
    "yesterday": WORDS["group.yesterday"],
    "now": "now",
    "expires_in": "Expires in",
    "expired": WORDS["ask.expired"],
    "less_than_a_minute": "less than a minute",
    "trying_again": "Trying again.",
    "trying_again_in": "Trying again in",
    "show_all": "Show all",
    "none": "None",
    "code": "code",
    "copy": "Copy",
    "copied": "Copied",
    "image": "Image",
    "table": "Table",
    "done": "done",
    "open": "open",
}

_GAP = re.compile(r"\{(\w+)\}")


def t(name: str, /, **values: rx.Var[str] | str) -> rx.Var[str]:
    """Return the words called `name`, with `values` in their gaps.

    Raises:
        KeyError: No such words, or no value for a gap.
    """
    words = WORDS[name]
    pieces = _GAP.split(words)  # odd ones are names of gaps
    joined: rx.Var[str] = rx.Var.create(pieces[0])
    for gap, after in zip(pieces[1::2], pieces[2::2], strict=True):
        joined = joined + values[gap] + after
    return joined.to(str)


def match(code: rx.Var[str], prefix: str, codes: tuple[str, ...], default: str) -> rx.Var[str]:
    """Return the words `prefix.code` for each of `codes`, those called `default` for any other code."""
    return choose(code, {each: t(f"{prefix}.{each}") for each in codes}, t(default))
