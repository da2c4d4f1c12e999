import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chat_app.settings import Settings, SettingsError, kept_key, with_agent_token
from chat_app.settings.token import KEY_FILE, TOKEN_FILE, _made


def token(settings: Settings) -> str:
    return with_agent_token(settings).agent_token.get_secret_value()


def test_a_configured_token_is_left_alone(tmp_path: Path):
    assert token(Settings(data_dir=tmp_path / "data", agent_token="given", secret_key="given")) == "given"
    assert not (tmp_path / "data").exists()


def test_a_new_token_is_kept_for_its_owner_alone(tmp_path: Path):
    settings = Settings(data_dir=tmp_path / "data")
    first = token(settings)
    assert len(first) >= 32
    assert token(settings) == first
    assert stat.S_IMODE((tmp_path / "data" / TOKEN_FILE).stat().st_mode) == 0o600
    assert {path.name for path in (tmp_path / "data").iterdir()} == {TOKEN_FILE, KEY_FILE}
    assert with_agent_token(settings).secret_key == with_agent_token(settings).secret_key


def test_processes_that_start_at_once_agree(tmp_path: Path):
    settings = Settings(data_dir=tmp_path)
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(token, [settings] * 8))) == 1


def test_the_second_to_make_a_token_takes_the_first(tmp_path: Path):
    (tmp_path / TOKEN_FILE).write_text("first")
    assert _made(tmp_path / TOKEN_FILE) == "first"


def test_a_token_that_others_can_read_is_refused(tmp_path: Path):
    token(Settings(data_dir=tmp_path))
    (tmp_path / TOKEN_FILE).chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        token(Settings(data_dir=tmp_path))


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"cannot be kept in .*: Not a directory"):
        token(Settings(data_dir=tmp_path / "file" / "data"))


def test_a_key_is_read_where_there_is_one_and_never_made(tmp_path: Path):
    settings = Settings(data_dir=tmp_path)
    assert kept_key(settings) == ""
    assert list(tmp_path.iterdir()) == []
    made = with_agent_token(settings)
    assert kept_key(settings) == made.secret_key.get_secret_value()
    assert kept_key(Settings(data_dir=tmp_path, secret_key="mine")) == "mine"
    (tmp_path / "secret-key").unlink()
    (tmp_path / "secret-key").mkdir(mode=0o700)
    with pytest.raises(SettingsError, match="cannot be read"):
        kept_key(settings)
