import pytest

from chat_app.data import attachments
from chat_app.data.records import AttachmentRecord
from tests.support.records import NOON, SECOND, fresh, stored_message, stored_thread

pytest_plugins = ("tests.support.databases",)


def a_file(by: str, **values) -> AttachmentRecord:
    return AttachmentRecord(
        **{
            "id": fresh("file"),
            "by": by,
            "name": "a.png",
            "media_type": "image/png",
            "size": 3,
            "sha256": "a" * 64,
            "created": NOON,
            **values,
        }
    )


@pytest.fixture
def thread(database):
    with database.transaction() as session:
        return stored_thread(session)


def test_a_file_belongs_to_who_brought_it_until_it_is_sent(database, thread):
    with database.transaction() as session:
        file = a_file(thread.owner)
        attachments.add(session, file)
        message = stored_message(session, thread)
        assert attachments.get(session, file.id) == file
        assert attachments.unsent_size(session, thread.owner) == file.size
        attachments.send(session, [file.id], thread=thread.id, message=message.id)
        sent = attachments.some(session, [file.id, "nothing"])
        assert (sent[file.id].thread, sent[file.id].message) == (thread.id, message.id)
        assert list(sent) == [file.id]
        assert attachments.unsent_size(session, thread.owner) == 0
        assert not attachments.forget(session, file.id, by=thread.owner)


def test_only_who_brought_it_forgets_an_unsent_file(database, thread):
    with database.transaction() as session:
        file = a_file(thread.owner)
        attachments.add(session, file)
        assert not attachments.forget(session, file.id, by="somebody")
        assert attachments.is_kept(session, file.sha256)
        assert attachments.forget(session, file.id, by=thread.owner)
        assert not attachments.is_kept(session, file.sha256)


def test_what_was_never_sent_is_forgotten_after_a_while(database, thread):
    with database.transaction() as session:
        old, new = a_file(thread.owner, created=NOON - SECOND), a_file(thread.owner)
        sent = a_file(thread.owner, created=NOON - SECOND, thread=thread.id)
        for file in (old, new, sent):
            attachments.add(session, file)
        assert attachments.forget_unsent(session, before=NOON) == 1
        assert set(attachments.some(session, [old.id, new.id, sent.id])) == {new.id, sent.id}
