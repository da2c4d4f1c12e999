import subprocess
import sys
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from chat_app.data import migrate
from chat_app.data.db import Database
from chat_app.data.errors import (
    DatabaseTooNew,
    DatabaseUnreachable,
    MigrationFailed,
    MigrationNeeded,
    ReadOnlyDatabase,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def empty(tmp_path):
    database = Database(f"sqlite:///{tmp_path}/parley.db")
    yield database
    database.dispose()


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder of migrations to add broken ones to: ours, with one more revision after the last."""
    copy = tmp_path / "100% ours" / "alembic"
    (copy / "versions").mkdir(parents=True)
    for name in ("env.py", *(f"versions/{path.name}" for path in migrate.FOLDER.glob("versions/*.py"))):
        (copy / name).write_text((migrate.FOLDER / name).read_text())
    return copy


def revision(folder: Path, upgrade: str) -> None:
    head = migrate.revisions(folder)[-1]
    text = f"""
from alembic import op
revision, down_revision = "9999", "{head}"
def upgrade():
    op.execute("CREATE TABLE half (id INTEGER)")
    {upgrade}
"""
    (folder / "versions" / "9999_broken.py").write_text(text)


def test_we_read_the_folder_as_alembic_does():
    config = Config()
    config.set_main_option("script_location", str(migrate.FOLDER))
    script = ScriptDirectory.from_config(config)

    assert migrate.revisions()[-1] == script.get_current_head()
    assert set(migrate.revisions()) == {found.revision for found in script.walk_revisions()}


def test_an_empty_database_is_brought_up_to_date_once(empty):
    assert migrate.current(empty) is None
    assert not migrate.heads_match(empty)
    assert migrate.upgrade(empty)
    assert migrate.heads_match(empty)
    assert not migrate.upgrade(empty)


def test_who_may_not_change_tables_is_told_to_upgrade_them(empty):
    with pytest.raises(MigrationNeeded, match="run `parley db upgrade`"):
        migrate.require_current(empty)
    migrate.upgrade(empty)

    migrate.require_current(empty)


def test_a_folder_with_an_odd_name_is_found(empty, folder):
    assert migrate.upgrade(empty, folder)


def test_a_missing_folder_is_explained(empty, tmp_path):
    with pytest.raises(MigrationFailed, match="Parley runs from a checkout"):
        migrate.upgrade(empty, tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("mistake", "reason"),
    [
        ("op.execute('ALTER TABLE lost ADD COLUMN x INTEGER')", "no such table: lost"),
        ("op.execute('SELCT')", "syntax error"),
        ("raise KeyError('oops')", "oops"),
        ("this is no Python", "invalid syntax"),
    ],
)
def test_a_broken_migration_is_named_and_leaves_the_database_as_it_was(empty, folder, mistake, reason):
    revision(folder, mistake)
    with pytest.raises(MigrationFailed, match=r"are as they were; 9999_broken\.py broke: ") as caught:
        migrate.upgrade(empty, folder)

    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert migrate.current(empty) is None
    with empty.migrating() as connection:
        assert not inspect(connection).has_table("half")
        assert not inspect(connection).has_table("user")


def test_a_broken_migration_on_postgres_leaves_the_database_as_it_was(postgres, folder):
    database = Database(postgres.url(postgres.new()))
    revision(folder, "op.execute('SELCT')")
    with pytest.raises(MigrationFailed, match="syntax error"):
        migrate.upgrade(database, folder)
    with database.migrating() as connection:
        assert inspect(connection).get_table_names() == []
    database.dispose()


def test_a_broken_folder_is_named_when_no_migration_ran(empty, folder):
    (folder / "env.py").write_text("1 / 0")
    with pytest.raises(MigrationFailed, match="division by zero") as caught:
        migrate.upgrade(empty, folder)

    assert str(folder) in str(caught.value)


def test_tables_of_a_newer_version_are_refused(empty, folder):
    revision(folder, "pass")
    migrate.upgrade(empty, folder)

    with pytest.raises(DatabaseTooNew, match="newer than this Parley"):
        migrate.upgrade(empty)


def test_a_database_that_cannot_be_written_to_is_not_a_broken_migration(tmp_path):
    (tmp_path / "parley.db").write_bytes(b"")
    database = Database(f"sqlite:///file:{tmp_path}/parley.db?mode=ro&uri=true")
    with pytest.raises(ReadOnlyDatabase):
        migrate.upgrade(database)
    database.dispose()


def test_a_database_that_goes_away_is_not_a_broken_migration(postgres, folder):
    database = Database(postgres.url(postgres.new()))
    revision(folder, "op.execute('SELECT pg_terminate_backend(pg_backend_pid())')")
    with pytest.raises(DatabaseUnreachable):
        migrate.upgrade(database, folder)
    database.dispose()


def test_alembic_is_not_loaded_when_there_is_nothing_to_do(fresh_url):
    code = (
        "import sys; from chat_app.data import db, migrate;"
        "database = db.Database(sys.argv[1]);"
        "sys.exit(migrate.upgrade(database) or any(name.startswith('alembic.') for name in sys.modules))"
    )
    root = migrate.FOLDER.parent
    done = subprocess.run([sys.executable, "-c", code, fresh_url("sqlite")], cwd=root, check=False)

    assert done.returncode == 0
