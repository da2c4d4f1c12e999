"""What can go wrong between Parley and its database, each with a sentence for a person.

    DataError
      DatabaseUnreachable    nobody answers at the address, or the file is no database
      UnsupportedDatabase    the address names a database Parley does not speak
      ReadOnlyDatabase       it can be read, not written
      DatabaseFull           the disk or the quota is used up
      DatabaseBusy           somebody else held it longer than we wait
      MigrationNeeded        its tables are older than this version
      MigrationFailed        a migration broke; nothing was changed
        DatabaseTooNew       its tables were made by a newer version
      ConstraintBroken       a row would contradict another; the transaction left nothing
      ThreadBusy             the thread has a live exchange already
      NotEmpty               rows would be copied to where there are some already
      CopyDiffers            what was copied is not what arrived
      ThreadGone             the thread was erased, or never was

The message of an error is that sentence. It names places without their passwords.
"""

# ruff: noqa: N818 - each class reads as the sentence it says; the tree already tells that it is an error


class DataError(Exception):
    """Base of all trouble with the database."""


class DatabaseUnreachable(DataError):
    """Nobody answers at the address, or what is there is no database."""


class UnsupportedDatabase(DataError):
    """The address names a database, driver or form that Parley does not speak."""


class ReadOnlyDatabase(DataError):
    """The database can be read but not written."""


class DatabaseFull(DataError):
    """The disk or the quota of the database is used up."""


class DatabaseBusy(DataError):
    """Another writer held the database, or the pool was empty, longer than we wait."""


class MigrationNeeded(DataError):
    """The tables are older than this version of Parley."""


class MigrationFailed(DataError):
    """A migration broke. It ran in one transaction, so the database is as it was."""


class DatabaseTooNew(MigrationFailed):
    """The tables were made by a newer version of Parley than this one."""


class ConstraintBroken(DataError):
    """A row would contradict another one. The transaction left nothing behind."""


class NotEmpty(DataError):
    """There is something already where a copy was to go."""


class CopyDiffers(DataError):
    """What arrived is not what was sent."""


class ThreadBusy(DataError):
    """The thread has a live exchange; only one may run at a time."""

    def __init__(self, thread: str) -> None:
        super().__init__("This conversation is still being answered. Wait for the answer, or stop it first.")
        self.thread = thread


class ThreadGone(DataError):
    """The thread was erased, or never was."""

    def __init__(self) -> None:
        super().__init__("This conversation does not exist any more.")
