import pytest

from chat_app.data import deliveries, webhooks
from tests.support.records import NOON, SECOND, a_delivery, a_webhook

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def session(database):
    with database.transaction() as session:
        yield session


def test_webhooks_come_by_name_and_a_name_is_taken_once(session):
    one, other = a_webhook(name="b", kinds=("asked", "expired")), a_webhook(name="a")
    assert webhooks.create(session, one)
    assert webhooks.create(session, other)
    assert not webhooks.create(session, a_webhook(name="a"))
    assert webhooks.every(session) == (other, one)
    assert webhooks.get(session, one.id) == one
    assert "sealed" not in repr(one)


def test_a_webhook_is_changed(session):
    one = a_webhook()
    webhooks.create(session, one)
    assert webhooks.change(session, one.id, enabled=False, updated=NOON + SECOND)
    assert not webhooks.get(session, one.id).enabled
    assert not webhooks.change(session, "unknown", enabled=False)


def test_what_was_sent_to_a_webhook_goes_with_it(session):
    one = a_webhook()
    webhooks.create(session, one)
    sent = a_delivery(webhook=one.id)
    deliveries.add(session, [sent, a_delivery()])
    assert webhooks.drop(session, one.id)
    assert not webhooks.drop(session, one.id)
    assert deliveries.get(session, sent.id) is None
    assert deliveries.counts(session) == {"waiting": 1}
