from sqlalchemy import text

from chat_app.data.db import Database
from chat_app.services.health import Health

pytest_plugins = ("tests.support.databases",)


async def nobody():
    return {"Parley": False}


async def test_a_database_in_order_is_no_trouble(sqlite):
    assert await Health(sqlite, nobody).trouble() == ""


async def test_tables_of_an_older_version_are_named_with_the_remedy(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'empty.db'}")
    assert "parley db upgrade" in await Health(database, nobody).trouble()
    database.dispose()


async def test_a_file_that_is_no_database_is_said_in_a_sentence(tmp_path):
    file = tmp_path / "parley.db"
    file.write_bytes(b"not a database at all, but long enough to be taken for one" * 100)
    database = Database(f"sqlite:///{file}")
    assert "parley.db" in await Health(database, nobody).trouble()
    database.dispose()


async def test_tables_of_a_newer_version_are_named(sqlite):
    with sqlite.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    ready = await Health(sqlite, nobody).readiness()
    assert "9999, newer than this Parley" in ready.trouble
    assert ready.agents == {"Parley": False}
