"""Turn whatever ends a command into an exit code and at most one sentence."""

import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from chat_app.cli.errors import Stop
from chat_app.data.errors import DataError, MigrationFailed
from chat_app.settings import SettingsError, load_settings

FAILED = 1
INTERRUPTED = 130
LOG = "parley.log"
# Their message is the sentence; anything else is a defect of ours and goes to the log.
SPOKEN = (Stop, SettingsError, DataError)


def guarded(command: Callable[[], object]) -> int:
    """Run a command; a sentence goes to stderr, a traceback to a file. Return the exit code."""
    try:
        command()
    except MigrationFailed as error:
        return _said(f"{error} The details are in {_recorded(error)}.")
    except SPOKEN as error:
        return _said(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as leaving:
        return _exit_code(leaving)
    except Exception as error:  # noqa: BLE001 - the outermost boundary: nothing above it could word this
        return _said(
            f"Parley met a defect of its own ({type(error).__name__}); the details are in {_recorded(error)}."
        )
    return 0


def log_folder() -> Path:
    """Return where logs go: the data folder's, or a temporary one when the settings cannot be read."""
    try:
        return load_settings().data_dir / "logs"
    except SettingsError:
        return Path(tempfile.gettempdir())


def record_traceback(error: BaseException, folders: list[Path]) -> Path:
    """Append the traceback to the log in the first folder that can be written, and return the file.

    Raises:
        OSError: when none can.
    """
    folder, *others = folders
    text = "".join(traceback.format_exception(error))
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (folder / LOG).open("a", encoding="utf-8") as stream:
            stream.write(f"{moment} process {os.getpid()}\n{text}\n")
    except OSError:
        if not others:
            raise
        return record_traceback(error, others)
    return folder / LOG


def _recorded(error: BaseException) -> Path:
    return record_traceback(error, [log_folder(), Path(tempfile.gettempdir())])


def _said(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return FAILED


def _exit_code(leaving: SystemExit) -> int:
    if leaving.code is None or isinstance(leaving.code, int):
        return leaving.code or 0
    return _said(str(leaving.code))
