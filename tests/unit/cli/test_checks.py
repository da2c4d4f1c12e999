import errno
import socket
from pathlib import Path

import pytest

from chat_app.cli.checks import (
    _port_sentence,
    check_agent,
    check_binding,
    check_port,
    check_workers,
    check_writable,
)
from chat_app.cli.errors import Stop
from chat_app.settings import Settings, SettingsError


def refusal(check, *arguments) -> str:
    with pytest.raises(Stop) as caught:
        check(*arguments)
    return str(caught.value)


def test_a_loopback_address_needs_no_accounts():
    check_binding(Settings(host="::1"))


def test_another_address_is_refused_with_the_way_out():
    sentence = refusal(check_binding, Settings(host="0.0.0.0"))
    assert "no accounts configured" in sentence
    assert "PARLEY_SIGN_IN=password" in sentence


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_free_port_passes_and_stays_free(taken: int):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    check_port("127.0.0.1", port)
    check_port("127.0.0.1", port)


def test_a_taken_port_is_named_with_the_way_to_another(taken: int):
    assert refusal(check_port, "127.0.0.1", taken) == (
        f"Port {taken} is taken by another program; choose another: "
        f"make run PORT={taken + 1}, or parley run --port {taken + 1}."
    )


def test_after_the_last_port_comes_the_usual_one():
    with socket.create_server(("127.0.0.1", 65535)):
        assert "PORT=3000" in refusal(check_port, "127.0.0.1", 65535)


def test_an_address_of_another_machine_is_said():
    assert "cannot listen on 192.0.2.1, port 3000: " in refusal(check_port, "192.0.2.1", 3000)


def test_a_reserved_port_says_who_may_have_it():
    sentence = _port_sentence(PermissionError(errno.EACCES, "Permission denied"), "127.0.0.1", 80)
    assert sentence == "Port 80 is reserved for the administrator; choose one above 1023: make run PORT=3000."


def test_a_missing_folder_is_made(tmp_path: Path):
    check_writable(tmp_path / "a" / "b", "move it")
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_folder_that_cannot_be_is_named_with_the_setting(tmp_path: Path):
    (tmp_path / "file").touch()
    sentence = refusal(check_writable, tmp_path / "file" / "data", "set PARLEY_DATA_DIR")
    assert sentence == (
        f"The folder {tmp_path}/file/data cannot be written (Not a directory); set PARLEY_DATA_DIR."
    )


# ---------------------------------------------------------------- several workers

POSTGRES = "postgresql+psycopg://parley@db.example/parley"
pytest_plugins = ("tests.support.redis",)


def test_one_worker_needs_nothing():
    check_workers(Settings())


def test_several_workers_on_sqlite_are_refused_with_the_reason():
    sentence = refusal(check_workers, Settings(workers=2))
    assert sentence.startswith("2 workers need a PostgreSQL database, because SQLite has one writer")
    assert "PARLEY_DATABASE_URL" in sentence


def test_several_workers_without_redis_are_refused_with_the_reason():
    sentence = refusal(check_workers, Settings(workers=3, database_url=POSTGRES))
    assert sentence.startswith("3 workers need a Redis, because a tab's clicks may reach any")


def test_a_redis_that_does_not_answer_is_said(free_port):
    url = f"redis://127.0.0.1:{free_port()}"
    sentence = refusal(check_workers, Settings(workers=2, database_url=POSTGRES, redis_url=url))
    assert sentence.startswith("The Redis of PARLEY_REDIS_URL does not answer: ")


def test_several_workers_that_can_share_are_let_in(redis_url):
    check_workers(Settings(workers=2, database_url=POSTGRES, redis_url=redis_url))


def test_a_model_that_cannot_be_used_is_refused_before_anything_is_built(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    check_agent(Settings())
    with pytest.raises(SettingsError, match="needs its provider's key"):
        check_agent(Settings(model="openai:gpt-5"))


def test_another_address_may_be_listened_on_when_people_sign_in():
    check_binding(Settings(host="0.0.0.0", sign_in="password"))
