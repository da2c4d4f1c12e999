import json

import pytest

from chat_app.cli.errors import Stop
from chat_app.cli.exporting import export, replay, store
from chat_app.settings import Settings
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def said(sqlite):
    async with World(sqlite).running() as world:
        yield await world.said("Hello", answer("Good day"))


@pytest.fixture
def settings(sqlite):
    return Settings(database_url=f"sqlite:///{sqlite.file}")


def test_a_chat_is_written_by_its_id(said, settings):
    assert "Good day" in export(settings, said, "markdown")


def test_an_unknown_chat_is_said_to_be_one(settings):
    with pytest.raises(Stop, match="no chat none"):
        export(settings, "none", "json")


def test_what_was_exported_can_be_replayed(said, settings, tmp_path):
    file = tmp_path / "chat.jsonl"
    store(export(settings, said, "events"), file)
    told = replay(file, as_json=False)
    assert "Hello" in told
    assert "Good day" in told
    rows = [json.loads(line) for line in replay(file, as_json=True).splitlines()]
    assert [row["kind"] for row in rows] == ["user", "turn"]


def test_a_file_is_never_written_over(tmp_path):
    file = tmp_path / "chat.md"
    store("one", file)
    with pytest.raises(Stop, match="cannot be written"):
        store("two", file)
    assert file.read_text() == "one"


def test_a_file_that_is_missing_or_something_else_is_named(tmp_path):
    with pytest.raises(Stop, match="cannot be read"):
        replay(tmp_path / "none.jsonl", as_json=False)
    for content in (b"nonsense\n", b"\xff\xfe\n"):
        file = tmp_path / "odd.jsonl"
        file.write_bytes(content)
        with pytest.raises(Stop, match="no export of events"):
            replay(file, as_json=False)


def test_an_empty_file_is_an_empty_chat(tmp_path):
    file = tmp_path / "empty.jsonl"
    file.write_text("")
    assert replay(file, as_json=False).startswith("# empty")
    assert replay(file, as_json=True) == ""
