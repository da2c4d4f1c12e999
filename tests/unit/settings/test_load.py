from pathlib import Path

import pytest

from chat_app.settings import Settings, SettingsError, load_settings, read_settings
from chat_app.settings.load import _from_secrets, _from_toml


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """An environment whose file and folder exist and are empty."""
    (tmp_path / "parley.toml").touch()
    (tmp_path / "secrets").mkdir()
    return {
        "PARLEY_CONFIG": str(tmp_path / "parley.toml"),
        "PARLEY_SECRETS_DIR": str(tmp_path / "secrets"),
        "HOME": "/",
    }


def test_nothing_configured_gives_the_defaults(places):
    loaded = read_settings(places)
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}


def test_the_process_reads_its_own_environment(places, monkeypatch):
    monkeypatch.setenv("PARLEY_CONFIG", places["PARLEY_CONFIG"])
    monkeypatch.setenv("PARLEY_PORT", "3999")
    assert load_settings().port == 3999


def test_the_nearest_source_wins_and_is_named(places, tmp_path):
    (tmp_path / "parley.toml").write_text(
        'port = 1\nhost = "localhost"\nagent_name = "T"\nlog_level = "error"'
    )
    (tmp_path / "secrets" / "parley_port").write_text("2\n")
    (tmp_path / "secrets" / "parley_agent_name").write_text("S\n")
    (tmp_path / "secrets" / "parley_host").write_text("::1\n")
    loaded = read_settings({**places, "PARLEY_PORT": "3", "PARLEY_HOST": "127.0.0.2"}, flags={"port": 4})
    chosen = {name: (getattr(loaded.settings, name), loaded.origins[name]) for name in ("port", "host")}
    assert chosen == {"port": (4, "command line"), "host": ("127.0.0.2", "environment")}
    assert (loaded.settings.agent_name, loaded.origins["agent_name"]) == ("S", "secrets folder")
    assert (loaded.settings.log_level, loaded.origins["log_level"]) == ("error", "parley.toml")


def test_an_empty_variable_is_not_set(places):
    assert read_settings({**places, "PARLEY_PORT": ""}).settings.port == 3000


def test_variables_of_the_checkout_are_no_settings(places):
    assert read_settings({**places, "PARLEY_CHROMIUM": "/bin/c", "PARLEY_CI": "1"}).settings == Settings()


def test_toml_types_and_tables_are_taken_as_they_are(places, tmp_path):
    (tmp_path / "parley.toml").write_text('extensions = ["a.b"]\n[agent_headers]\nX-Team = "blue"\n')
    settings = read_settings(places).settings
    assert settings.extensions == ("a.b",)
    assert settings.agent_headers["X-Team"].get_secret_value() == "blue"


def refusal(environ: dict[str, str]) -> str:
    with pytest.raises(SettingsError) as caught:
        read_settings(environ)
    return str(caught.value)


def test_an_unknown_variable_names_its_neighbour(places):
    sentence = refusal({**places, "PARLEY_AGENT_ULR": "x"})
    assert sentence == (
        "There is no setting PARLEY_AGENT_ULR (in the environment); the nearest is PARLEY_AGENT_URL."
    )


def test_an_unknown_key_of_the_file_names_its_neighbour(places, tmp_path):
    (tmp_path / "parley.toml").write_text("prot = 1")
    assert "no setting prot (in " in (sentence := refusal(places))
    assert sentence.endswith("the nearest is port.")


def test_an_unknown_secret_names_its_neighbour(places, tmp_path):
    (tmp_path / "secrets" / "parley_agent_tokn").write_text("x")
    assert refusal(places).endswith("the nearest is parley_agent_token.")


def test_a_value_that_cannot_be_used_names_its_key_and_place(places):
    sentence = refusal({**places, "PARLEY_PORT": "many"})
    assert sentence.startswith("The setting port (environment) cannot be used: ")


def test_a_refused_secret_is_not_repeated(places):
    assert "hunter2" not in refusal({**places, "PARLEY_DATABASE_URL": "mysql://u:hunter2@db/p"})


def test_settings_that_contradict_each_other_say_so(places):
    sentence = refusal({**places, "PARLEY_LIVE_WINDOW_MS": "200"})
    assert sentence == (
        "The settings do not fit together: live_window_max_ms must not be below live_window_ms."
    )


def test_a_named_file_that_is_missing_is_said(places, tmp_path):
    sentence = refusal({**places, "PARLEY_CONFIG": str(tmp_path / "nowhere.toml")})
    assert sentence == f"PARLEY_CONFIG names {tmp_path}/nowhere.toml, which does not exist."


def test_a_file_that_is_no_toml_is_said(places, tmp_path):
    (tmp_path / "parley.toml").write_text("port 1")
    assert "is not valid TOML" in refusal(places)


def test_a_secret_that_is_no_text_is_said(places, tmp_path):
    (tmp_path / "secrets" / "parley_agent_token").write_bytes(b"\xff\xfe")
    assert "cannot be read" in refusal(places)


def test_no_file_and_no_folder_is_nothing_configured(tmp_path):
    assert _from_toml(tmp_path / "nowhere.toml") == {}
    assert _from_secrets(tmp_path / "nowhere") == {}
