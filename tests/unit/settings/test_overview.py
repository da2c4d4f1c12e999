from pydantic import SecretStr

from chat_app.settings import Settings, lines, read_settings
from chat_app.settings.overview import shown


def test_every_setting_is_listed_with_its_source_and_no_secret():
    listed = lines(read_settings({"PARLEY_PORT": "3001", "PARLEY_AGENT_TOKEN": "s3cret"}))
    assert [line.name for line in listed] == list(Settings.model_fields)
    assert next((line.value, line.origin) for line in listed if line.name == "port") == (
        "3001",
        "environment",
    )
    assert "s3cret" not in repr(listed)


def test_values_are_shown_for_people():
    assert shown(SecretStr("")) == ""
    assert shown(("a", "b")) == "a, b"
    assert shown(None) == ""
    assert shown(0.5) == "0.5"
