"""New rows with something sensible in every column: a test names only what it is about."""

from datetime import UTC, datetime, timedelta
from itertools import count

from chat_app.data import agents, exchanges, interrupts, messages, runs, threads, users
from chat_app.data.records import (
    AgentRecord,
    DecisionRecord,
    DeliveryRecord,
    EventRecord,
    ExchangeRecord,
    InterruptRecord,
    MessageRecord,
    RunRecord,
    ThreadRecord,
    ToolCallRecord,
    UserRecord,
    WebhookRecord,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
_numbers = count(1)


def fresh(prefix: str) -> str:
    """Return an id nobody had before in this run."""
    return f"{prefix}-{next(_numbers):06}"


def a_user(**values) -> UserRecord:
    name = fresh("user")
    return UserRecord(**{"id": name, "name": name, "display_name": name.title(), "created": NOON} | values)


def an_agent(**values) -> AgentRecord:
    name = fresh("agent")
    base = {
        "id": name,
        "name": name,
        "url": "http://agent",
        "builtin": True,
        "created": NOON,
        "updated": NOON,
    }
    return AgentRecord(**base | values)


def a_thread(**values) -> ThreadRecord:
    name = fresh("thread")
    return ThreadRecord(**{"id": name, "wire_id": name, "created": NOON, "updated": NOON} | values)


def an_exchange(**values) -> ExchangeRecord:
    base = {
        "id": fresh("exchange"),
        "kind": "send",
        "worker_id": "w1",
        "lease_until": NOON + 10 * SECOND,
        "started": NOON,
    }
    return ExchangeRecord(**base | values)


def a_run(**values) -> RunRecord:
    name = fresh("run")
    base = {"id": name, "wire_run_id": name, "started": NOON}
    if values.get("status", "running") != "running":
        base["ended"] = NOON + SECOND
    return RunRecord(**base | values)


def an_event(**values) -> EventRecord:
    return EventRecord(**{"type": "CUSTOM", "payload": {}, "at": NOON} | values)


def a_message(**values) -> MessageRecord:
    name = fresh("message")
    base = {"id": name, "key": name, "wire_id": name, "role": "assistant", "content": [], "position": 1}
    return MessageRecord(**base | {"created": NOON, "updated": NOON} | values)


def a_tool_call(**values) -> ToolCallRecord:
    name = fresh("call")
    return ToolCallRecord(**{"id": name, "wire_id": name, "name": "search", "started": NOON} | values)


def an_interrupt(**values) -> InterruptRecord:
    name = fresh("interrupt")
    base = {
        "id": name,
        "wire_id": name,
        "reason": "tool_call",
        "position": 1,
        "args_digest": "d",
        "created": NOON,
    }
    return InterruptRecord(**base | values)


def a_decision(**values) -> DecisionRecord:
    return DecisionRecord(**{"id": fresh("decision"), "kind": "approve", "digest": "d", "at": NOON} | values)


def stored_thread(session, **values) -> ThreadRecord:
    """Store a thread with an owner and an agent of its own, unless they are given."""
    owner = values.pop("owner", None) or users.ensure(session, a_user()).id
    agent = values.pop("agent", None) or agents.ensure_builtin(session, an_agent()).id
    record = a_thread(owner=owner, agent=agent, **values)
    threads.create(session, record)
    return record


def stored_exchange(session, thread: ThreadRecord, **values) -> ExchangeRecord:
    """Start an exchange of a thread by its owner."""
    record = an_exchange(thread=thread.id, **{"by": thread.owner} | values)
    exchanges.start(session, record)
    return record


def stored_run(session, exchange: ExchangeRecord, **values) -> RunRecord:
    """Store a run of an exchange."""
    record = a_run(exchange=exchange.id, thread=exchange.thread, **values)
    runs.create(session, record)
    return record


def stored_question(session, run: RunRecord, **values) -> InterruptRecord:
    """Store a question of a run."""
    record = an_interrupt(thread=run.thread, run=run.id, **values)
    interrupts.add(session, [record])
    return record


def stored_message(session, thread: ThreadRecord, **values) -> MessageRecord:
    """Store a row of a thread's transcript."""
    record = a_message(thread=thread.id, **values)
    messages.upsert(session, [record])
    return record


def a_webhook(**values) -> WebhookRecord:
    name = fresh("webhook")
    base = {"id": name, "name": name, "place": "https://hooks.example", "sealed": "sealed"}
    return WebhookRecord(**base | {"kinds": ("asked",), "created": NOON, "updated": NOON} | values)


def a_delivery(**values) -> DeliveryRecord:
    name = fresh("delivery")
    base = {"id": name, "notice": name, "kind": "asked", "channel": "webhook", "target": "somewhere"}
    return DeliveryRecord(**base | {"due": NOON, "created": NOON} | values)
