"""The only place that words an error for a person.

A `Problem` says what happened, what is kept and one way on.
"""

# ruff: noqa: N818 - each class reads as what happened; the base class tells that it is an error

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import structlog

from chat_app.data.errors import DataError
from chat_app.services.policy import Refused

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong, in words for a person: a title, what follows from it, and whether trying again can help.

    The detail may have gaps (`{name}`) for its `facts`. The sentences are English and with their gaps also the keys
    by which a page finds them in the person's language; a `{count}` gives them a form for each number.
    """

    title: str
    detail: str = ""
    retryable: bool = False
    facts: Mapping[str, str | int | float] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """The detail with its facts in it, in English."""
        return self.detail.format_map(self.facts)


class ChatError(Exception):
    """A use case could not do what was asked; says so in words for a person."""

    problem = Problem("That did not work")
    details: ClassVar[tuple[str, ...]] = ()  # what it may say instead, when it knows more

    def say(self, detail: str, **facts: str | float) -> None:
        """Say one of the `details` of this kind, with what this one knows."""
        self.problem = replace(self.problem, detail=detail, facts=facts)


class EmptyMessage(ChatError):
    """There was nothing to send."""

    problem = Problem("There is nothing to send", "Write a message first.")


class MessageTooLong(ChatError):
    """The message is over the limit."""

    problem = Problem("The message is too long", "Send it in parts. Your text is kept.")


class Busy(ChatError):
    """A run of this thread is live."""

    problem = Problem(
        "The agent is still answering", "Wait for it or stop it first. Your text is kept.", retryable=True
    )


class Waiting(ChatError):
    """Questions of this thread are open."""

    problem = Problem("A decision is open", "Answer the question above first. Your text is kept.")


class NotSafe(ChatError):
    """A message would abandon a question, and the agent may take that for a yes."""

    problem = Problem(
        "This question wants an answer first",
        "The agent may take a cancelled question for a yes. Answer it above. Your text is kept.",
    )


class TooManyRuns(ChatError):
    """A person has as many answers under way as one person may."""

    problem = Problem(
        "Too many answers at once",
        "Wait until one of your chats is done, or stop it. Your text is kept.",
        retryable=True,
    )


class Crowded(ChatError):
    """The process runs as many answers as it may."""

    problem = Problem("The server is busy", "Try again in a moment. Your text is kept.", retryable=True)


class QueueFull(ChatError):
    """As many lines wait in this chat as may."""

    problem = Problem("Too many messages wait", "Delete one, or wait until one is sent. Your text is kept.")


class Sent(ChatError):
    """A waiting line was sent or deleted meanwhile."""

    problem = Problem("This message waits no longer", "It was sent or deleted. Your text is kept.")


class NotEditable(ChatError):
    """There is no such line, or no such way the conversation went."""

    problem = Problem("That is not in this chat any more", "Reload the page to see how it stands.")


class Unreadable(ChatError):
    """The log holds what this version cannot read."""

    problem = Problem(
        "The beginning of this chat cannot be read", "It stays as it is; `parley db verify` says why."
    )


class NoReason(ChatError):
    """Somebody would read a chat of somebody else and does not say why, or at too great a length."""

    problem = Problem("Say why in a few words", "The reason is kept, and the owner of the chat can see it.")


class BadAgent(ChatError):
    """What a form says of an agent cannot be used; `field` says which part of it."""

    problem = Problem(
        "This agent cannot be kept like that", "Look at the part that is marked, and save again."
    )

    def __init__(self, field: str = "name") -> None:
        super().__init__(field)
        self.field = field


class BadNotice(ChatError):
    """What a form says of where notices go cannot be used; `field` says which part of it."""

    problem = Problem("This cannot be kept like that", "Look at the part that is marked, and save again.")

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class HeadersLost(ChatError):
    """The headers of an agent were stored under another key than PARLEY_SECRET_KEY is now."""

    problem = Problem("The headers of this agent cannot be read", "Enter them again: the key has changed.")


class AgentGone(ChatError):
    """Settings named the agent once, and do not any more."""

    problem = Problem("This agent is not there any more", "Its chats can be read.")


AT_MOST = "At most {size} MB can be sent."


class FileTooLarge(ChatError):
    """A file is over the limit, which is given in bytes."""

    problem = Problem("The file is too large", "Choose a smaller one. Your text is kept.")
    details = (AT_MOST,)

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        size = limit / 1_000_000
        self.say(AT_MOST, size=int(size) if size.is_integer() else size)


class FileRefused(ChatError):
    """The agent does not take files of this kind."""

    problem = Problem("The agent does not take files of this kind", "Choose another file. Your text is kept.")


class TooManyFiles(ChatError):
    """As many files wait to be sent as may."""

    problem = Problem("Too many files", "Send these first, or remove one. Your text is kept.")


class FileGone(ChatError):
    """A file of a line is not there any more."""

    problem = Problem("A file is not there any more", "Remove it and attach it again. Your text is kept.")


class NothingToRetry(ChatError):
    """The last run of the thread needs no retry."""

    problem = Problem("There is nothing to try again", "The last answer is complete.")


DECIDED = "{name} decided first. Your click changed nothing."
DONE = {
    "approve": "{name} approved it first. Your click changed nothing.",
    "edit": "{name} approved it with changes first. Your click changed nothing.",
    "reject": "{name} rejected it first. Your click changed nothing.",
    "respond": "{name} answered it first. Your click changed nothing.",
    "cancel": "{name} cancelled it first. Your click changed nothing.",
}


class Late(ChatError):
    """Somebody or another tab was faster, or the question is over; `by` is who decided, when that is known."""

    problem = Problem("This was already decided", "Your click changed nothing.")
    details = (DECIDED, *DONE.values())

    def __init__(self, by: str = "", did: str = "") -> None:
        super().__init__(by)
        if by:
            self.say(DONE.get(did, DECIDED), name=by)


HELD = "{name} has it. You can still decide it."


class InHand(ChatError):
    """Somebody else has the question in hand; `by` is who."""

    problem = Problem("Somebody has this in hand", "You can still decide it.")
    details = (HELD,)

    def __init__(self, by: str = "") -> None:
        super().__init__(by)
        if by:
            self.say(HELD, name=by)


class NotAlike(ChatError):
    """Questions that would be approved together do not ask for the same."""

    problem = Problem(
        "These cannot be approved together",
        "Only calls of the same tool with equal values can. Nothing was approved.",
    )


class NotYours(ChatError):
    """A person may see a question and not decide it, or not with these arguments."""

    problem = Problem(
        "Somebody else has to decide this", "The agent's rules name other people for it. Nothing was sent."
    )


AGAIN_IN = "Try again in {count} s. Your text is kept."


class TooFast(ChatError):
    """A person did something more often than one may; `seconds` until they may again."""

    problem = Problem("That was too often", "Wait a little. Your text is kept.", retryable=True)
    details = (AGAIN_IN,)

    def __init__(self, seconds: int = 0) -> None:
        super().__init__(seconds)
        self.seconds = seconds
        if seconds:
            self.say(AGAIN_IN, count=seconds)


class Expired(ChatError):
    """The question expired before it was answered."""

    problem = Problem("This question has expired", "Nobody decided in time. It can only be cancelled now.")


class NotInState(ChatError):
    """The shared state has no such place (any more), or the value is too long for it."""

    problem = Problem(
        "The state cannot take this value", "It has changed meanwhile. Look at it and try again."
    )


class SignedOut(ChatError):
    """The session of the page is over."""

    problem = Problem("You are signed out", "Reload the page to sign in again. Your text is kept.")


class WrongPassword(ChatError):
    """Nobody has this name and this password; `left` is how many more tries there are, when that is limited."""

    problem = Problem("Name and password do not match", "Nothing was changed.")

    def __init__(self, left: int | None = None) -> None:
        super().__init__(left)
        self.left = left


class WeakPassword(ChatError):
    """A new password is too easy to guess."""

    problem = Problem("Choose another password", "It needs 10 to 500 characters and must not be the name.")


class NameTaken(ChatError):
    """Somebody has this name already."""

    problem = Problem("This name is taken", "Choose another one.")


class BadName(ChatError):
    """A name cannot be used."""

    problem = Problem("This name cannot be used", "It needs 1 to 200 visible characters, without a colon.")


class LinkOver(ChatError):
    """A link that works once was used, is too old, or never was."""

    problem = Problem("This link does not work any more", "Ask for a new one.")


class LastAdmin(ChatError):
    """Nobody would be left who can manage people."""

    problem = Problem("This is the last admin", "Make somebody else an admin first.")


class ProviderFailed(ChatError):
    """The sign-in provider did not vouch for the person; `why` is for the log."""

    problem = Problem("Your organisation did not sign you in", "Try again, or ask your admin.")

    def __init__(self, why: str = "") -> None:
        super().__init__(why)
        self.why = why


class AgentClosed(ChatError):
    """The agent of a chat is not open to this person, or to anybody now."""

    problem = Problem("This agent is not open to you", "Its chats can be read. Your text is kept.")


class Restarting(ChatError):
    """The server is going down and starts nothing new."""

    problem = Problem(
        "The server is restarting", "Send it again in a moment. Your text is kept.", retryable=True
    )


class Unanswered(ChatError):
    """The answers of a run are sent together, and one is missing."""

    problem = Problem("One question has no answer yet", "Answer it, then send them all. Nothing was sent.")


class NotOffered(ChatError):
    """The question does not take this kind of answer."""

    problem = Problem("This question does not take that answer", "Choose one of the answers its card offers.")


AWAY = Problem("The database does not answer", "Nothing was changed and your text is kept.", retryable=True)


MISFIT = "{complaint}. Nothing was sent."


class DoesNotFit(ChatError):
    """The answer is not of the form the question asks for; `complaint` says where and why, as the schema puts it."""

    problem = Problem(
        "The answer does not fit the question", "A value in it is missing or wrong. Nothing was sent."
    )
    details = (MISFIT,)

    def __init__(self, complaint: str = "") -> None:
        super().__init__(complaint)
        if complaint:
            self.say(MISFIT, complaint=complaint)


class FormTooLong(DoesNotFit):
    """What was filled in is longer than any form."""

    problem = Problem("The answer is too long", "Shorten what was filled in. Nothing was sent.")


UNKNOWN = Problem("Something went wrong here", "It is in the log. What you wrote is kept.", retryable=True)
GONE = Problem("This chat is not there", "It was deleted, or the link is wrong.")

WORDED = (ChatError, Refused, DataError)
"""What a page may catch: everything a use case raises on purpose."""


def kinds(of: type[ChatError] = ChatError) -> Iterator[type[ChatError]]:
    """Yield every kind of trouble, the base class first."""
    yield of
    for kind in of.__subclasses__():
        yield from kinds(kind)


def problem_of(error: Exception) -> Problem:
    """Return the words for `error`; what has none is logged with its traceback and called unknown."""
    if isinstance(error, ChatError):
        return error.problem
    if isinstance(error, Refused):
        return GONE
    if isinstance(error, DataError):
        _log.warning("database_trouble", reason=str(error))
        return AWAY
    _log.error("unworded_error", exc_info=error)
    return UNKNOWN
