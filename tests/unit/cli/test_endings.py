import sys
from pathlib import Path

import pytest

from chat_app.cli.endings import guarded, log_folder, record_traceback
from chat_app.cli.errors import Stop
from chat_app.data.errors import DatabaseUnreachable, MigrationFailed
from chat_app.settings import SettingsError


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PARLEY_DATA_DIR", str(tmp_path))
    return tmp_path


def raising(error: BaseException):
    def command() -> None:
        raise error

    return command


def test_a_command_that_ends_well_is_zero():
    assert guarded(lambda: "whatever") == 0


@pytest.mark.parametrize("error", [Stop("Say it."), SettingsError("Say it."), DatabaseUnreachable("Say it.")])
def test_a_spoken_error_is_its_sentence_and_nothing_else(error, capsys, data: Path):
    assert guarded(raising(error)) == 1
    assert capsys.readouterr() == ("", "Say it.\n")
    assert list(data.iterdir()) == []


def test_a_broken_migration_also_says_where_the_traceback_is(capsys, data: Path):
    assert guarded(raising(MigrationFailed("Broken."))) == 1
    assert capsys.readouterr().err == f"Broken. The details are in {data}/logs/parley.log.\n"
    assert "MigrationFailed: Broken." in (data / "logs/parley.log").read_text()


def test_a_defect_is_one_sentence_and_a_traceback_in_the_log(capsys, data: Path):
    assert guarded(raising(ZeroDivisionError("odd"))) == 1
    assert capsys.readouterr().err == (
        f"Parley met a defect of its own (ZeroDivisionError); the details are in {data}/logs/parley.log.\n"
    )
    assert "ZeroDivisionError: odd" in (data / "logs/parley.log").read_text()


def test_an_interrupt_is_silent(capsys):
    assert guarded(raising(KeyboardInterrupt())) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("code", "number"), [(None, 0), (0, 0), (2, 2)])
def test_leaving_keeps_its_code(code, number):
    assert guarded(lambda: sys.exit(code)) == number


def test_leaving_with_a_sentence_says_it(capsys):
    assert guarded(lambda: sys.exit("Say it.")) == 1
    assert capsys.readouterr().err == "Say it.\n"


def test_without_usable_settings_the_log_goes_to_a_temporary_folder(monkeypatch, data: Path):
    monkeypatch.setenv("PARLEY_PORT", "none")
    monkeypatch.setenv("TMPDIR", str(data))
    assert data not in log_folder().parents


def test_the_first_folder_that_can_be_written_takes_the_traceback(data: Path):
    (data / "file").touch()
    assert record_traceback(Stop("x"), [data / "file" / "logs", data]) == data / "parley.log"


def test_no_folder_at_all_is_an_error(data: Path):
    (data / "file").touch()
    with pytest.raises(NotADirectoryError):
        record_traceback(Stop("x"), [data / "file" / "logs"])
