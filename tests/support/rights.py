"""What a browser can ask of Parley, and the action of the policy that each of it is: the table the rights tests hold.

Whatever the running application answers to and this table does not name fails `tests/integration/test_rights.py`.
A new handler, route or word of the live channel gets its line here, together with the code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from chat_app.services.policy import Action
from tests.support.inventory import ANY, SOCKET

Named = Literal[
    "nothing",
    "thread",
    "question",
    "asked",
    "queued",
    "file",
    "user",
    "agent",
    "entry",
    "run",
    "deleted",
    "hook",
    "delivery",
]
"""What kind of thing an asking names.

With `nothing` it is about the asking person, or about the installation. A question as `asked` is open to who asked it
beside those who decide it. What was `deleted` before in the same tab is remembered by the server and cannot be named.
"""


@dataclass(frozen=True, slots=True)
class Right:
    """The action that something is (None: whoever is signed in may), what it names, and a form that fits it."""

    action: Action | None
    about: Named = "nothing"
    form: Mapping[str, str] = field(default_factory=dict)


READ, WRITE, DECIDE = Action.READ_THREAD, Action.WRITE_THREAD, Action.DECIDE
SIGNED_IN: Final = Right(None)
READS: Final = Right(READ, "thread")
WRITES: Final = Right(WRITE, "thread")
WAITS: Final = Right(WRITE, "queued")
DECIDES: Final = Right(DECIDE, "question")
ASKED: Final = Right(DECIDE, "asked")

HANDLERS: Final[Mapping[str, Right]] = {
    "chat.load": SIGNED_IN,
    "chat.take_files": SIGNED_IN,
    "chat.choose_agent": SIGNED_IN,  # which agents are open to whom is told by their rules
    "chat.dismiss_problem": SIGNED_IN,
    "chat.send": WRITES,
    "chat.stop": WRITES,
    "chat.retry": WRITES,
    "chat.send_now": WAITS,
    "chat.requeue": WAITS,
    "chat.unqueue": WAITS,
    "asking.fill": ASKED,
    "asking.decide": DECIDES,
    "asking.give_up": ASKED,
    "asking.send_answers": DECIDES,
    "inbox.claim": DECIDES,
    "inbox.give": DECIDES,
    "inbox.approve_alike": DECIDES,
    "run_details.show_run": READS,
    "shared.change_state": WRITES,
    "side.rename": WRITES,
    "side.pin": WRITES,
    "side.archive": WRITES,
    "side.tag": WRITES,
    "side.delete": WRITES,
    "side.undo": Right(WRITE, "deleted"),
    "side.let_go": SIGNED_IN,
    "side.find": SIGNED_IN,  # among one's own
    "turns.edit": WRITES,
    "turns.regenerate": WRITES,
    "turns.choose": WRITES,
    "turns.rate": WRITES,
    "turns.look": READS,
}
"""The handlers that a browser may call, by state and name."""

FRAMEWORK: Final = frozenset(
    {
        "state.hydrate",
        "state.hydrate_and_load",
        "state.set_is_hydrated",
        "on_load_internal_state.on_load_internal",
        "on_load_internal_state.set_is_hydrated",
        "frontend_event_exception_state.handle_frontend_exception",
        "update_vars_internal_state.update_vars_internal",
    }
)
"""Reflex's own, which move a browser's page along and know nothing of ours."""

KEEP, PEOPLE, AGENTS = Action.KEEP_ACCOUNT, Action.MANAGE_PEOPLE, Action.MANAGE_AGENTS
NOTICES = Action.MANAGE_NOTICES
HISTORY, AUDIT = Action.READ_ANY_THREAD, Action.READ_AUDIT

ROUTES: Final[Mapping[tuple[str, str], Right]] = {
    ("GET", "/api/threads/{thread}/export/{kind}"): READS,
    ("POST", "/api/files"): Right(WRITE),
    ("GET", "/api/files/{id}"): Right(READ, "file"),
    ("DELETE", "/api/files/{id}"): Right(WRITE, "file"),
    ("GET", "/account"): Right(KEEP),
    ("POST", "/auth/password"): Right(KEEP, form={"old": "not this one", "password": "a longer one"}),
    ("POST", "/auth/mail"): Right(KEEP, form={"wanted": "no"}),
    ("POST", "/auth/connect"): Right(KEEP),
    ("POST", "/auth/disconnect"): Right(KEEP),
    ("POST", "/auth/end"): Right(KEEP, form={"sign_in": "others"}),
    ("GET", "/admin"): Right(HISTORY),
    ("GET", "/admin/threads"): Right(HISTORY),
    ("GET", "/admin/threads/{thread}"): Right(HISTORY, "thread"),
    ("POST", "/admin/threads/{thread}/open"): Right(HISTORY, "thread", {"reason": "A complaint"}),
    ("GET", "/admin/runs/{run}"): Right(HISTORY, "run"),
    ("GET", "/admin/audit"): Right(AUDIT),
    ("GET", "/admin/audit/{entry}"): Right(AUDIT, "entry"),
    ("POST", "/admin/audit/check"): Right(AUDIT),
    ("POST", "/admin/audit/export"): Right(AUDIT, form={"form": "csv"}),
    ("GET", "/admin/usage"): Right(Action.SEE_USAGE),
    ("GET", "/admin/usage/{group}"): Right(Action.SEE_USAGE),
    ("GET", "/admin/people"): Right(PEOPLE),
    ("POST", "/admin/people/invite"): Right(PEOPLE),
    ("GET", "/admin/people/{user}"): Right(PEOPLE, "user"),
    ("GET", "/admin/people/{user}/export"): Right(PEOPLE, "user"),
    ("POST", "/admin/people/{user}/change"): Right(PEOPLE, "user", {"act": "enable"}),
    ("GET", "/admin/retention"): Right(Action.MANAGE_RETENTION),
    ("POST", "/admin/retention/run"): Right(Action.MANAGE_RETENTION),
    ("POST", "/admin/retention/{agent}"): Right(Action.MANAGE_RETENTION, "agent", {"days": "30"}),
    ("GET", "/admin/settings"): Right(Action.SEE_SETTINGS),
    ("GET", "/admin/notifications"): Right(NOTICES),
    ("POST", "/admin/notifications/add"): Right(NOTICES),
    ("POST", "/admin/notifications/mail"): Right(NOTICES),
    ("POST", "/admin/notifications/webhooks/{hook}"): Right(NOTICES, "hook", {"act": "disable"}),
    ("POST", "/admin/notifications/sent/{delivery}"): Right(NOTICES, "delivery"),
    ("GET", "/admin/agents"): Right(AGENTS),
    ("POST", "/admin/agents/add"): Right(AGENTS),
    ("GET", "/admin/agents/{agent}"): Right(AGENTS, "agent"),
    ("POST", "/admin/agents/{agent}/change"): Right(AGENTS, "agent", {"act": "enable"}),
}
"""The routes that need a session."""

OPEN: Final[frozenset[tuple[str, str]]] = frozenset(
    {
        ("GET", "/sign-in"),
        ("POST", "/auth/sign-in"),
        ("POST", "/auth/sign-out"),
        ("GET", "/auth/provider"),
        ("GET", "/auth/provider/back"),
        ("GET", "/join/{token}"),
        ("POST", "/auth/join"),
        ("GET", "/words.js"),
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/ping"),  # Reflex's own two: that it is up
        ("GET", "/_health"),
        (
            ANY,
            "/",
        ),  # the built page: scripts, styles, and documents, which lead nobody further than the sign-in
    }
)
"""What anybody may ask for, from our Host, and with our Origin where it changes something."""

SOCKETS: Final[frozenset[tuple[str, str]]] = frozenset({(ANY, "/_event"), (SOCKET, "/api/live")})
"""What the handlers and topics are reached by."""

PROGRAMS: Final[frozenset[tuple[str, str]]] = frozenset(
    {
        (ANY, "/agent"),
        ("POST", "/agent/"),
        ("GET", "/agent/capabilities"),
        ("POST", "/agent/model"),
        ("POST", "/agent/permissions"),
        ("POST", "/awkward/{name}"),
    }
)
"""The embedded agent, which is for programs: it asks for a bearer token instead of a session."""

TOPICS: Final[Mapping[str, Right]] = {
    "sub": READS,
    "after": READS,
    "older": READS,
    "past": READS,
    "list": SIGNED_IN,  # one's own threads
    "inbox": Right(Action.OPEN_INBOX),
    "inbox_over": SIGNED_IN,
}
"""The words of the live channel."""
