"""What repositories take and return: a frozen record per row, its fields named as the columns of `tables.py`.

A record with its defaults is a complete new row. Open material (JSON) is shared, not copied: treat it as
read-only.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

ExchangeKind = Literal["send", "resume", "retry", "queued"]
RunStatus = Literal["running", "success", "interrupted", "cancelled", "failed"]
ToolCallStatus = Literal[
    "streaming_arguments", "awaiting_result", "awaiting_approval", "awaiting_answer", "complete", "failed"
]
InterruptStatus = Literal["pending", "answered", "cancelled", "expired", "superseded", "withdrawn"]
InterruptKind = Literal["interrupt", "ask"]
StateKind = Literal["snapshot", "patch"]
Verdict = Literal["good", "bad"]
DecidedBy = Literal["requester", "role", "other", "two", "nobody"]
DecisionKind = Literal["approve", "edit", "reject", "respond", "cancel"]
InvitationKind = Literal["first_admin", "join", "reset"]
ThreadMark = Literal["", "running", "waiting", "failed"]
NoticeKind = Literal["asked", "assigned", "reminder", "escalated", "expired", "decided", "test"]
Channel = Literal["webhook", "mail", "added"]
DeliveryState = Literal["waiting", "sent", "failed", "dropped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRecord:
    """A person who may sign in."""

    id: str
    name: str
    display_name: str
    roles: tuple[str, ...] = ()
    active: bool = True
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthSessionRecord:
    """One sign-in of one browser; `token_hash` is the SHA-256 of the cookie, which is stored nowhere.

    It ends when it is not used until `expires_at`, and at `ends_at` whatever happens. `way` says how the person came
    in, `device` what the browser called itself.
    """

    id: str
    user: str
    token_hash: str
    created: datetime
    expires_at: datetime
    last_seen: datetime
    revoked_at: datetime | None = None
    ends_at: datetime | None = None
    way: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordRecord:
    """The hash of a person's password."""

    user: str
    hash: str = field(repr=False)
    changed: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRecord:
    """A link that works once. `user` is whose password it resets; the others make an account with `roles`."""

    id: str
    kind: InvitationKind
    token_hash: str = field(repr=False)
    user: str | None = None
    name: str = ""
    roles: tuple[str, ...] = ()
    by: str | None = None
    created: datetime
    expires_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInAttemptRecord:
    """What a browser that went to a sign-in provider must bring back, and where it wanted to go (`back`, a path).

    With `user` somebody who is signed in connects who they are there.
    """

    state_hash: str
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    back: str
    user: str | None = None
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRecord:
    """An AG-UI endpoint; `builtin` says that settings named it, not a person.

    `suggestions` are lines to begin a chat with, `tested` is what its last connection test found, `tools` are the names
    of ours that it is offered. One that is `dropped` was named by settings once, and is no more.
    """

    id: str
    name: str
    url: str
    headers_encrypted: str | None = None
    profile: str = "tolerant"
    keeps_history: bool = False
    capabilities: JsonValue = None
    policy: JsonValue = None
    enabled: bool = True
    builtin: bool = False
    created: datetime
    updated: datetime
    suggestions: tuple[str, ...] = ()
    tested: JsonValue = None
    tools: tuple[str, ...] = ()
    dropped: bool = False

    @property
    def open(self) -> bool:
        """Whether anybody may talk to it at all."""
        return self.enabled and not self.dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRecord:
    """A conversation. `last_seq` is its counter: events, rows and notes take their numbers from it."""

    id: str
    owner: str
    agent: str
    wire_id: str
    leaf: str | None = None
    title: str = ""
    pinned: bool = False
    archived: bool = False
    state: JsonValue = None
    state_seen: bool = False
    last_seq: int = 0
    seen_seq: int = 0
    mark: ThreadMark = ""
    created: datetime
    updated: datetime
    deleted_at: datetime | None = None
    branch: int = 0
    tags: tuple[str, ...] = ()
    indexed_seq: int = 0

    @property
    def unread(self) -> bool:
        """Whether something happened that the owner has not looked at."""
        return self.last_seq > self.seen_seq


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadLine:
    """A thread as a list shows it: no state, which may be large."""

    id: str
    agent: str
    title: str
    pinned: bool
    archived: bool
    last_seq: int
    seen_seq: int
    mark: ThreadMark
    created: datetime
    updated: datetime
    tags: tuple[str, ...] = ()

    @property
    def unread(self) -> bool:
        """Whether something happened that the owner has not looked at."""
        return self.last_seq > self.seen_seq


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEntryRecord:
    """A title (`message` is None) or a message, as it is searched: `folded` has no case and no accents."""

    id: str
    owner: str
    thread: str
    message: str | None = None
    at: datetime
    folded: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeRecord:
    """The answer to one act of a person: a run and its follow-ups, owned by one worker under a lease."""

    id: str
    thread: str
    kind: ExchangeKind
    by: str
    worker_id: str
    lease_until: datetime
    stop_requested_at: datetime | None = None
    stop_requested_by: str | None = None
    started: datetime
    ended: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One AG-UI run. `note_position` is where the transcript says how it ended, if it says so."""

    id: str
    exchange: str
    thread: str
    wire_run_id: str
    parent: str | None = None
    status: RunStatus = "running"
    error_code: str | None = None
    error_message: str | None = None
    usage: JsonValue = None
    diagnostics: JsonValue = None
    sealed_at: datetime | None = None
    started: datetime
    ended: datetime | None = None
    note_position: int | None = None
    branch: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord:
    """One entry of a thread's log; `run` is None for what happened between runs."""

    thread: str
    seq: int
    run: str | None = None
    type: str
    payload: JsonValue
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecord:
    """One row of the drawn transcript; `content` is the list of its parts."""

    id: str
    thread: str
    parent: str | None = None
    position: int
    key: str
    wire_id: str
    role: str
    content: list[JsonValue]
    run: str | None = None
    created: datetime
    updated: datetime
    branch: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallRecord:
    """One tool call of a message; `arguments` is the text as the agent wrote it."""

    id: str
    message: str
    wire_id: str
    name: str
    arguments: str = ""
    status: ToolCallStatus = "streaming_arguments"
    result: str | None = None
    started: datetime
    ended: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptRecord:
    """One question a run ended with. `tool_call` is the wire id of the call it is about."""

    id: str
    thread: str
    run: str
    wire_id: str
    position: int
    reason: str
    message: str | None = None
    tool_call: str | None = None
    tool_name: str | None = None
    args: str | None = None
    response_schema: JsonValue = None
    expires_at: datetime | None = None
    metadata: JsonValue = None
    args_digest: str | None = None
    status: InterruptStatus = "pending"
    created: datetime
    kind: InterruptKind = "interrupt"
    settled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """The one answer to an interrupt; `digest` is of what the person saw, `resume_run` carried it last.

    Without `by` nobody gave it: the agent's policy gave up a batch in which a question had expired.
    """

    id: str
    interrupt: str
    by: str | None
    kind: DecisionKind
    payload: JsonValue = None
    edited_args: JsonValue = None
    digest: str | None = None
    note: str = ""
    at: datetime
    resume_run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxItemRecord:
    """Where a question lies in the inbox; roles are bits, `rules` the fingerprint of the policy that was asked.

    `holder` has it in hand since `held_at`, because `held_by` gave it to them. `raised` are roles that may decide it
    since it was escalated.
    """

    interrupt: str
    owner: str
    agent: str
    by: DecidedBy
    roles: int
    rules: str
    holder: str | None = None
    held_at: datetime | None = None
    held_by: str | None = None
    raised: int = 0
    remind_at: datetime | None = None
    reminded_at: datetime | None = None
    escalate_at: datetime | None = None
    escalated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndorsementRecord:
    """One person's answer to a question that two must answer alike."""

    id: str
    interrupt: str
    by: str
    kind: DecisionKind
    payload: JsonValue = None
    edited_args: JsonValue = None
    digest: str | None = None
    note: str = ""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityRecord:
    """Who a person is at a sign-in provider."""

    id: str
    user: str
    issuer: str
    subject: str
    created: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchRecord:
    """A way a conversation went: what its parent held before position `fork`, and its own from there on.

    `message` is the row it turned off at: the line that was edited, or the line that was answered again.
    """

    thread: str
    number: int
    parent: int | None = None
    fork: int = 0
    message: str | None = None
    wire_id: str
    by: str
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedSendRecord:
    """A line that waits until the answer under way is over."""

    id: str
    thread: str
    by: str
    position: int
    text: str
    parts: JsonValue = None
    urgent: bool = False
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StateVersionRecord:
    """The state after a run, or as a person left it (`by`).

    A patch changes the version `base`, `depth` patches above a snapshot.
    """

    thread: str
    seq: int
    branch: int = 0
    run: str | None = None
    kind: StateKind = "snapshot"
    base: int | None = None
    depth: int = 0
    document: JsonValue
    at: datetime
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackRecord:
    """What a person thought of a message."""

    id: str
    message: str
    by: str
    verdict: Verdict
    note: str = ""
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentRecord:
    """A file of a thread, or of none until it is sent; `size` in bytes, `sha256` in hex names the content."""

    id: str
    thread: str | None = None
    message: str | None = None
    by: str
    name: str
    media_type: str
    size: int
    sha256: str
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One act, as it is kept for ever; `actor` None is the system."""

    seq: int
    at: datetime
    actor: str | None = None
    action: str
    object: str
    reason: str = ""
    detail: JsonValue = None
    previous: str
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookRecord:
    """Where notices of some kinds are posted to. `place` is what is shown of its address; the rest is in `sealed`."""

    id: str
    name: str
    place: str
    sealed: str = field(repr=False)
    kinds: tuple[NoticeKind, ...] = ()
    enabled: bool = True
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAddressRecord:
    """Where a person reads mail, and whether they want notices there."""

    user: str
    address: str
    wanted: bool = True
    changed: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRecord:
    """One notice on its way to one target of one channel.

    `notice` names what happened, once for ever. It is tried again at `due`, by whoever takes the lease; `outcome` is
    the code of the last try. `facts` are ids.
    """

    id: str
    notice: str
    kind: NoticeKind
    channel: Channel
    target: str
    webhook: str | None = None
    user: str | None = None
    interrupt: str | None = None
    facts: JsonValue = field(default_factory=dict)
    state: DeliveryState = "waiting"
    attempts: int = 0
    due: datetime
    held_by: str | None = None
    lease_until: datetime | None = None
    outcome: str = ""
    created: datetime
    settled_at: datetime | None = None
