"""`parley audit verify` and `parley audit export`."""

from collections.abc import Callable
from pathlib import Path

from chat_app.cli.errors import Stop
from chat_app.cli.upkeep import opened
from chat_app.services.trail import Form, Trail
from chat_app.settings import Settings

Say = Callable[[str], None]


def verify(settings: Settings, say: Say) -> None:
    """Compare every entry of the audit with its hash and with the one before it; say what was found.

    Raises:
        Stop: one is not as it was written; the sentence names the first.
        DataError: when the database cannot be read.
    """
    with opened(settings.database_url.get_secret_value()) as database:
        checked = Trail(database).check()
    if checked.broken is not None:
        raise Stop(
            f"Entry {checked.broken} of the audit is not as it was written, or one before it is missing."
        )
    say(f"The audit is whole: {checked.count} entries, each as it was written.")


def export(settings: Settings, file: Path, form: Form, say: Say, *, action: str = "") -> None:
    """Write the audit, or the entries whose action begins with `action`, into a new file.

    Raises:
        Stop: there is something of that name, or it cannot be written.
        DataError: when the database cannot be read.
    """
    with opened(settings.database_url.get_secret_value()) as database:
        try:
            with file.open("x", encoding="utf-8", newline="") as written:
                count = sum(written.write(line) > 0 for line in Trail(database).lines(form, action=action))
        except FileExistsError as error:
            raise Stop(f"There is something at {file} already.") from error
        except OSError as error:
            raise Stop(f"{file} cannot be written: {error.strerror}.") from error
    say(f"Wrote {count} lines to {file}.")
