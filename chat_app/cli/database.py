"""The database before the server opens it: are its tables those of this version?"""

from collections.abc import Callable

from chat_app.data.db import Database
from chat_app.data.migrate import heads_match, upgrade
from chat_app.settings import Settings


def bring_up_to_date(settings: Settings, say: Callable[[str], None]) -> bool:
    """Migrate the database when its tables are older than this version; tell whether that was needed.

    Raises:
        DataError: when it cannot be reached, is newer than this version, or a migration broke.
    """
    database = Database(settings.database_url.get_secret_value())
    try:
        if heads_match(database):
            return False
        say("Bringing the database up to date ...")
        upgrade(database)
    finally:
        database.dispose()
    return True
