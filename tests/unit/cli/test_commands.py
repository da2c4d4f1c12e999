import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chat_app.cli import main, people
from chat_app.cli.commands import app
from chat_app.settings import load_settings
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PARLEY_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def test_without_a_command_the_commands_are_listed(capsys):
    assert main([]) == 2
    said = capsys.readouterr()
    assert all(name in said.out + said.err for name in ("run", "doctor", "config", "db"))


def test_flags_win_over_the_environment(monkeypatch, capsys):
    monkeypatch.setenv("PARLEY_PORT", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert main(["run", "--port", str(port), "--host", "127.0.0.1"]) == 1
    assert capsys.readouterr().err.startswith(f"Port {port} is taken")


def test_a_public_url_that_is_none_is_refused(capsys):
    assert main(["run", "--public-url", "chat.example.org"]) == 1
    assert "public_url (command line) cannot be used" in capsys.readouterr().err


def test_config_prints_every_setting(capsys):
    assert main(["config"]) == 0
    assert "log_level" in capsys.readouterr().out
    assert main(["config", "--json"]) == 0
    assert any(line["name"] == "log_level" for line in json.loads(capsys.readouterr().out))


def test_doctor_is_well_on_a_fresh_checkout(capsys):
    assert main(["doctor"]) == 0
    assert "ok   database" in capsys.readouterr().out


def test_doctor_fails_on_what_is_wrong(monkeypatch, capsys):
    monkeypatch.setenv("PARLEY_AGENT_URL", "http://127.0.0.1:1/agent")
    assert main(["doctor", "--json"]) == 1
    assert [f["subject"] for f in json.loads(capsys.readouterr().out) if not f["well"]] == ["agent"]


def test_db_upgrade_says_what_it_did(capsys, data: Path):
    assert main(["db", "upgrade"]) == 0
    assert capsys.readouterr().out == "Bringing the database up to date ...\n"
    assert (data / "parley.db").exists()
    assert main(["db", "upgrade"]) == 0
    assert capsys.readouterr().out == "The database is up to date.\n"


def test_an_unknown_setting_stops_every_command(monkeypatch, capsys):
    monkeypatch.setenv("PARLEY_PROT", "1")
    assert main(["config"]) == 1
    assert "There is no setting PARLEY_PROT" in capsys.readouterr().err


async def test_a_chat_is_exported_to_the_terminal_or_a_file_and_replayed(
    sqlite, tmp_path, monkeypatch, capsys
):
    async with World(sqlite).running() as world:
        thread = await world.said("Hello", answer("Good day"))
    monkeypatch.setenv("PARLEY_DATABASE_URL", f"sqlite:///{sqlite.file}")
    file = str(tmp_path / "chat.jsonl")
    assert main(["export", thread]) == 0
    assert "Good day" in capsys.readouterr().out
    assert main(["export", thread, file, "--as", "events"]) == 0
    assert main(["replay", file]) == 0
    assert "Good day" in capsys.readouterr().out
    assert main(["export", "none"]) == 1
    assert "no chat none" in capsys.readouterr().err


def test_people_are_let_in_kept_out_and_changed_from_the_terminal(monkeypatch, capsys):
    monkeypatch.setenv("PARLEY_SIGN_IN", "password")
    password = "correct horse\n"
    assert main(["db", "upgrade"]) == 0
    added = CliRunner().invoke(app, ["user", "add", "ada", "--role", "user"], input=password * 2)
    assert (added.exit_code, added.stdout.splitlines()[-1]) == (0, "Added ada.")
    capsys.readouterr()
    for words, said in (
        (["roles", "ada", "--role", "approver"], "Changed the roles of ada."),
        (["disable", "ada"], "ada is kept out."),
        (["list"], f"{'ada':32} approver (kept out)"),
        (["enable", "ada"], "ada may come in again."),
        (["list"], f"{'ada':32} approver"),
    ):
        assert main(["user", *words]) == 0
        assert capsys.readouterr().out == f"{said}\n"


@pytest.mark.parametrize("words", [["invite", "bob"], ["invite"], ["reset", "ada"]])
def test_a_link_is_printed_alone(words, monkeypatch, capsys):
    monkeypatch.setenv("PARLEY_SIGN_IN", "password")
    assert main(["db", "upgrade"]) == 0
    people.add(load_settings(), "ada", [people.Role.user], "correct horse")
    capsys.readouterr()
    assert main(["user", *words]) == 0
    (link,) = capsys.readouterr().out.splitlines()
    assert link.startswith("http://localhost:3000/join/")


def test_doctor_looks_at_the_agent_that_is_named(capsys):
    assert main(["doctor", "--agent", "http://127.0.0.1:1/agent", "--header", "no colon", "--json"]) == 1
    (found,) = [one for one in json.loads(capsys.readouterr().out) if not one["well"]]
    assert found["subject"] == "agent: reached"
    assert found["words"] == 'A header is written "Name: value".'
