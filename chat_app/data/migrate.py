"""Brings the tables to the version of this checkout, and knows in one SELECT when there is nothing to do.

Alembic costs a third of a second to import, so it is loaded only when the tables are behind. Migrations are
`alembic/versions/<revision>_<title>.py`, a straight line of rising numbers; a test holds Alembic
to that reading.
"""

import importlib
import traceback
from pathlib import Path

from sqlalchemy import Connection, text

from chat_app.data import faults
from chat_app.data.db import Database
from chat_app.data.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseTooNew,
    DatabaseUnreachable,
    MigrationFailed,
    MigrationNeeded,
    ReadOnlyDatabase,
)

FOLDER = Path(__file__).parents[2] / "alembic"
"""Beside the package: Parley runs from its checkout."""

TROUBLE = (DatabaseUnreachable, ReadOnlyDatabase, DatabaseFull, DatabaseBusy)
"""What stops a migration without being its fault."""


def revisions(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the revisions this version knows, oldest first.

    Raises:
        MigrationFailed: the folder with the migrations is missing.
    """
    known = tuple(sorted(path.name.partition("_")[0] for path in folder.glob("versions/[0-9]*.py")))
    if not known:
        raise MigrationFailed(
            f"No migrations in {folder}: Parley runs from a checkout that has its alembic folder."
        )
    return known


def current(database: Database) -> str | None:
    """Return the revision of the tables, None when there are none yet.

    Raises:
        DataError: the database cannot be read.
    """
    try:
        with database.reading() as session:
            found: str | None = session.execute(
                text("SELECT version_num FROM alembic_version")
            ).scalar_one_or_none()
    except MigrationNeeded:  # not even the table that holds the revision
        return None
    return found


def heads_match(database: Database, folder: Path = FOLDER) -> bool:
    """Say whether the tables are those of this version.

    Raises:
        DatabaseTooNew: a newer version of Parley made them.
        DataError: the database cannot be read.
    """
    known = revisions(folder)
    found = current(database)
    if found is not None and found not in known:
        raise DatabaseTooNew(
            f"The tables at {database.place} are of version {found}, newer than this Parley ({known[-1]});"
            " start the newer one, or restore a backup."
        )
    return found == known[-1]


def require_current(database: Database) -> None:
    """Return when the tables are those of this version, for those who must not change them.

    Raises:
        MigrationNeeded: they are older.
        DataError: as in `heads_match`.
    """
    if not heads_match(database):
        raise MigrationNeeded(
            f"The tables at {database.place} are older than this version of Parley; run `parley db upgrade`."
        )


def upgrade(database: Database, folder: Path = FOLDER) -> bool:
    """Bring the tables to this version; say whether anything had to be done. Several may try at once.

    Raises:
        MigrationFailed: a migration broke; the database is as it was before.
        DataError: the database cannot be reached, read or written.
    """
    if heads_match(database, folder):
        return False
    with database.migrating() as connection:
        _run(connection, folder, database.place)
    return True


def _run(connection: Connection, folder: Path, place: str) -> None:
    command, config = importlib.import_module("alembic.command"), importlib.import_module("alembic.config")
    settings = config.Config(attributes={"connection": connection})
    settings.set_main_option("script_location", str(folder).replace("%", "%%"))
    try:
        command.upgrade(settings, "head")
    except Exception as error:
        cause = getattr(error, "orig", None)
        if faults.kind_of(cause) in TROUBLE:
            raise
        raise MigrationFailed(
            f"The tables at {place} could not be upgraded and are as they were;"
            f" {_culprit(error, folder)} broke: {faults.reason_of(cause or error)}."
        ) from error


def _culprit(error: Exception, folder: Path) -> str:
    """Return the name of the migration whose code was running, else of the folder."""
    ran = [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        ran.append(Path(error.filename))
    return next((path.name for path in reversed(ran) if path.parent == folder / "versions"), str(folder))
