"""`parley db verify`, `backup` and `copy`, and `parley user export` and `erase`: looking after what is kept."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from chat_app.cli.errors import Stop
from chat_app.data.db import Database
from chat_app.data.migrate import require_current, upgrade
from chat_app.data.transfer import Count, back_up, copy
from chat_app.services.personal import Personal
from chat_app.services.policy import Refused
from chat_app.services.problems import Busy
from chat_app.services.verify import Difference, Verdict, Verifier
from chat_app.settings import Settings
from chat_app.wiring import stored_tables

Say = Callable[[str], None]
SHOWN = 20
"""How many differences are named; the rest are counted."""


@contextmanager
def opened(url: str) -> Iterator[Database]:
    """Open the database at an address, whose tables must be those of this version."""
    database = Database(url)
    try:
        require_current(database)
        yield database
    finally:
        database.dispose()


def verify(settings: Settings, say: Say) -> None:
    """Compare every chat with its log, and the audit with its hashes; say what was found.

    Raises:
        Stop: something differs.
        DataError: when the database cannot be read.
    """
    with opened(settings.database_url.get_secret_value()) as database:
        verifier = Verifier(database)
        verdicts = list(verifier.threads())
        broken = verifier.audit_broken_at()
    differences = [found for verdict in verdicts for found in verdict.differences]
    for found in differences[:SHOWN]:
        say(_told(found))
    if broken is not None:
        say(f"audit: entry {broken} is not as it was written, or one before it is missing")
    say(_summary(verdicts))
    if differences or broken is not None:
        raise Stop(
            f"{len(differences) + (broken is not None)} differences; the log is right, the tables are not."
        )


def backup(settings: Settings, target: Path, say: Say) -> None:
    """Write everything into a new SQLite file at `target`; the database may be in use meanwhile.

    Raises:
        DataError: one of the two cannot be read or written, or there is something at `target` already.
    """
    with opened(settings.database_url.get_secret_value()) as database:
        if database.dialect == "sqlite":
            back_up(database.file, target)
            say(f"Backed up to {target}; every page was checked.")
            return
    copy_to(settings, f"sqlite:///{target}", say)


def copy_to(settings: Settings, url: str, say: Say) -> None:
    """Copy everything into the empty or new database at `url`, of either kind, and compare counts and checksums.

    Raises:
        DataError: one of the two cannot be read or written, the target holds rows, or what arrived differs.
    """
    with opened(settings.database_url.get_secret_value()) as source:
        target = Database(url)
        try:
            upgrade(target)
            arrived = copy(source, target, stored_tables())
        finally:
            target.dispose()
        say(_listed(arrived))
        say(f"Copied to {target.place}; counts and checksums of both sides agree.")


def export(settings: Settings, name: str, file: Path) -> int:
    """Write everything of a person into a new file, one JSON object a line; return how many lines.

    Raises:
        Stop: there is no such person, or there is something at `file` already.
        DataError: when the database cannot be read.
    """
    with opened(settings.database_url.get_secret_value()) as database:
        lines = Personal(database, now=_now).export(name)
        try:
            first = next(lines)
            with file.open("x", encoding="utf-8") as out:
                return sum(_written(out.write, line) for line in _chained(first, lines))
        except Refused as error:
            raise Stop(f"Nobody signs in as {name}.") from error
        except FileExistsError as error:
            raise Stop(f"There is something at {file} already.") from error


def erase(settings: Settings, name: str) -> int:
    """Erase a person with all their chats; return how many chats that were.

    Raises:
        Stop: there is no such person, or an answer of theirs is under way.
        DataError: when the database cannot be written.
    """
    with opened(settings.database_url.get_secret_value()) as database:
        try:
            return Personal(database, now=_now).erase(name, by=None, reason="at the terminal")
        except Refused as error:
            raise Stop(f"Nobody signs in as {name}.") from error
        except Busy as error:
            raise Stop(f"An answer for {name} is under way; stop it first.") from error


def _now() -> datetime:
    return datetime.now(UTC)


def _chained(first: object, rest: Iterator[object]) -> Iterator[object]:
    yield first
    yield from rest


def _written(write: Callable[[str], object], line: object) -> int:
    write(json.dumps(line, separators=(",", ":")) + "\n")
    return 1


def _told(found: Difference) -> str:
    return f"chat {found.thread}, branch {found.branch}: {found.what} differs from the log"


def _summary(verdicts: Sequence[Verdict]) -> str:
    live = sum(verdict.live for verdict in verdicts)
    rows = sum(verdict.rows for verdict in verdicts)
    skipped = f"; {live} with a live answer were left out" if live else ""
    return f"{len(verdicts) - live} chats with {rows} rows compared with their logs{skipped}."


def _listed(arrived: Sequence[Count]) -> str:
    return "\n".join(f"{one.table:20} {one.rows:8}  {one.checksum[:16]}" for one in arrived if one.rows)
