"""Where notices are posted to, as admins set it."""

from datetime import datetime
from typing import TypedDict, Unpack

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import WebhookRecord
from chat_app.data.tables import Webhook, table_of

webhook = table_of(Webhook)
_all = select(*sql.columns_of(WebhookRecord, webhook))


class WebhookChange(TypedDict, total=False):
    """What may change of a webhook."""

    sealed: str
    enabled: bool
    updated: datetime


def every(session: Session) -> tuple[WebhookRecord, ...]:
    """Return all webhooks, by name."""
    return sql.many(session, WebhookRecord, _all.order_by(webhook.c.name))


def get(session: Session, webhook_id: str) -> WebhookRecord | None:
    """Return a webhook by id."""
    return sql.one(session, WebhookRecord, _all.where(webhook.c.id == webhook_id))


def create(session: Session, record: WebhookRecord) -> bool:
    """Store a new webhook; False when there is one of that name."""
    return sql.add_unless(session, webhook, record)


def change(session: Session, webhook_id: str, **values: Unpack[WebhookChange]) -> bool:
    """Change a webhook; False when there is none."""
    return sql.changed(session, update(webhook).where(webhook.c.id == webhook_id).values(**values)) == 1


def drop(session: Session, webhook_id: str) -> bool:
    """Remove a webhook with everything that was sent to it; False when there is none."""
    return sql.changed(session, delete(webhook).where(webhook.c.id == webhook_id)) == 1
