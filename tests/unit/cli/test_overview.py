import json

from chat_app.cli.overview import as_json, as_text
from chat_app.settings import Settings, lines, read_settings

ENVIRON = {"PARLEY_PORT": "3001", "PARLEY_AGENT_HEADERS": "X-Key: s3cret", "PARLEY_AGENT_TOKEN": "s3cret"}


def test_every_setting_is_listed_with_its_source():
    text = as_text(lines(read_settings(ENVIRON)))
    assert len(text.splitlines()) == len(Settings.model_fields)
    assert [line.split() for line in text.splitlines() if line.startswith("port ")] == [
        ["port", "3001", "(environment)"]
    ]
    assert "s3cret" not in text


def test_json_also_says_what_each_is_for():
    listed = json.loads(as_json(lines(read_settings(ENVIRON))))
    headers = next(line for line in listed if line["name"] == "agent_headers")
    assert headers["value"] == "X-Key: ***"
    assert headers["meaning"]
