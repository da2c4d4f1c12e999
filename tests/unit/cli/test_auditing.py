"""`parley audit` over a real database."""

from pathlib import Path

import pytest

from chat_app.cli import main
from chat_app.data import audit
from tests.support.records import NOON

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def database(sqlite, monkeypatch):
    monkeypatch.setenv("PARLEY_DATABASE_URL", f"sqlite:///{sqlite.file}")
    with sqlite.transaction() as session:
        for number in (1, 2):
            audit.append(session, audit.Act(action=f"a{number}", object="o", actor=None, at=NOON))
    return sqlite


def test_a_whole_audit_is_said_to_be_whole(database, capsys):
    assert main(["audit", "verify"]) == 0
    assert capsys.readouterr().out == "The audit is whole: 2 entries, each as it was written.\n"


def test_the_first_changed_entry_is_named_and_the_exit_code_tells(database, capsys):
    with database.transaction() as session:
        session.connection().exec_driver_sql("DROP TRIGGER audit_is_kept_UPDATE")
        session.connection().exec_driver_sql("UPDATE audit SET action = 'x' WHERE seq = 1")
    assert main(["audit", "verify"]) == 1
    assert capsys.readouterr().err.startswith("Entry 1 of the audit is not as it was written")


def test_the_audit_is_written_into_a_new_file(database, tmp_path: Path, capsys):
    file = tmp_path / "audit.csv"
    assert main(["audit", "export", str(file), "--form", "csv", "--action", "a2"]) == 0
    assert capsys.readouterr().out == f"Wrote 2 lines to {file}.\n"
    assert len(file.read_text().splitlines()) == 2
    assert main(["audit", "export", str(file)]) == 1
    assert capsys.readouterr().err == f"There is something at {file} already.\n"
    assert main(["audit", "export", str(tmp_path / "no" / "file")]) == 1
    assert "cannot be written" in capsys.readouterr().err
