"""How Alembic meets our tables: on the caller's connection, else on the database of the environment.

The application hands a connection over in `config.attributes["connection"]`; transaction, locks and commit
are the caller's. At a terminal (`alembic upgrade head`) the same is opened here.
"""

import os
from typing import Literal

from sqlalchemy import Connection
from sqlalchemy.types import TypeDecorator

from alembic import context
from chat_app.agent.store import METADATA
from chat_app.data.db import Database
from chat_app.data.tables import Base

DEFAULT_URL = "sqlite:///.parley/parley.db"


def render_plain(kind: str, item: object, _context: object) -> str | Literal[False]:
    """Write plain types into migrations; what the application adds to a type may change later."""
    return f"sa.{item.impl!r}" if kind == "type" and isinstance(item, TypeDecorator) else False


def run(connection: Connection) -> None:
    """Run what Alembic was asked for; on both databases all of it happens, or nothing."""
    context.configure(
        connection=connection,
        target_metadata=[Base.metadata, METADATA],
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=render_plain,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def run_at_terminal() -> None:
    """Open the database of the environment as the application would, and run on it."""
    database = Database(os.environ.get("PARLEY_DATABASE_URL", DEFAULT_URL))
    with database.migrating() as connection:
        run(connection)
    database.dispose()


if context.is_offline_mode():
    raise SystemExit("Migrations of Parley run on a database; SQL scripts (--sql) are not written.")
given = context.config.attributes.get("connection")
if given is None:
    run_at_terminal()
else:
    run(given)
