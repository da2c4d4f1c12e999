"""`parley export` and `parley replay`: a chat as a file, and what such a file holds."""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from chat_app.cli.errors import Stop
from chat_app.cli.upkeep import opened
from chat_app.data import threads
from chat_app.services.export import NotExported, Taken, as_markdown, read_events, replayed, stamp
from chat_app.services.exports import Kind, written
from chat_app.services.projection import with_heads
from chat_app.services.rows import iso
from chat_app.settings import Settings


def export(settings: Settings, thread_id: str, kind: Kind) -> str:
    """Return the chat called `thread_id` as text of that kind.

    Raises:
        Stop: there is no such chat.
        DataError: when the database cannot be read.
    """
    with opened(settings.database_url.get_secret_value()) as database, database.reading() as session:
        thread = threads.get(session, thread_id)
        if thread is None:
            raise Stop(f"There is no chat {thread_id}.")
        return written(session, thread, kind, at=datetime.now(UTC))


def store(text: str, file: Path) -> None:
    """Write `text` into a new file.

    Raises:
        Stop: the file exists, or its folder does not.
    """
    try:
        with file.open("x", encoding="utf-8") as output:
            output.write(text)
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror}.") from error


def replay(file: Path, *, as_json: bool) -> str:
    """Return what the events in `file` fold to: Markdown, or one row a line as JSON.

    Raises:
        Stop: the file cannot be read, or is no export of events.
    """
    try:
        with file.open(encoding="utf-8") as lines:
            rows = with_heads(replayed(read_events(lines)))
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror}.") from error
    except (NotExported, UnicodeDecodeError) as error:
        raise Stop(f"{file} is no export of events. {error}") from error
    if as_json:
        return "\n".join(json.dumps(asdict(row), ensure_ascii=False) for row in rows)
    first = rows[0].at if rows else iso(None)
    taken = Taken(file.stem, file.stem, "Agent", "You", first, stamp(datetime.now(UTC)), rows)
    return "".join(as_markdown(taken)).rstrip("\n")
