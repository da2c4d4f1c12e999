import dataclasses
import typing

import pytest

from chat_app.data import records, tables
from tests.support.records import a_thread

PAIRS = [
    (records.UserRecord, tables.User),
    (records.AuthSessionRecord, tables.AuthSession),
    (records.PasswordRecord, tables.Password),
    (records.InvitationRecord, tables.Invitation),
    (records.SignInAttemptRecord, tables.SignInAttempt),
    (records.AgentRecord, tables.Agent),
    (records.ThreadRecord, tables.Thread),
    (records.ExchangeRecord, tables.Exchange),
    (records.RunRecord, tables.Run),
    (records.EventRecord, tables.RunEvent),
    (records.MessageRecord, tables.Message),
    (records.ToolCallRecord, tables.ToolCall),
    (records.InterruptRecord, tables.Interrupt),
    (records.DecisionRecord, tables.Decision),
    (records.EndorsementRecord, tables.Endorsement),
    (records.InboxItemRecord, tables.InboxItem),
    (records.IdentityRecord, tables.Identity),
    (records.BranchRecord, tables.Branch),
    (records.QueuedSendRecord, tables.QueuedSend),
    (records.StateVersionRecord, tables.StateVersion),
    (records.FeedbackRecord, tables.Feedback),
    (records.AttachmentRecord, tables.Attachment),
    (records.AuditRecord, tables.Audit),
    (records.SearchEntryRecord, tables.SearchEntry),
    (records.WebhookRecord, tables.Webhook),
    (records.MailAddressRecord, tables.MailAddress),
    (records.DeliveryRecord, tables.Delivery),
]

OPEN = {"payload", "document", "facts"}


@pytest.mark.parametrize(("record", "model"), PAIRS)
def test_a_record_has_the_columns_of_its_table_in_their_order(record, model):
    assert [field.name for field in dataclasses.fields(record)] == list(tables.table_of(model).c.keys())


@pytest.mark.parametrize(("record", "model"), PAIRS)
def test_what_may_be_null_may_be_none(record, model):
    hints = typing.get_type_hints(record)
    table = tables.table_of(model)
    nullable = {name for name in hints if table.c[name].nullable}

    # these hold any JSON, and so also its null
    assert {name for name, hint in hints.items() if may_be_none(hint)} - OPEN == nullable - OPEN


def may_be_none(hint) -> bool:
    return hint == records.JsonValue or type(None) in typing.get_args(hint)


def test_every_table_has_its_record():
    assert {tables.table_of(model).name for _, model in PAIRS} == set(tables.Base.metadata.tables)


def test_records_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        a_thread(owner="o", agent="a").title = "other"


@pytest.mark.parametrize(("last", "seen", "unread"), [(5, 5, False), (6, 5, True)])
def test_a_thread_is_unread_when_something_happened_since(last, seen, unread):
    thread = a_thread(owner="o", agent="a", last_seq=last, seen_seq=seen)
    line = records.ThreadLine(
        **{name: getattr(thread, name) for name in records.ThreadLine.__dataclass_fields__}
    )

    assert thread.unread is unread
    assert line.unread is unread
