import pytest
from starlette.routing import Mount

from chat_app import wiring
from chat_app.settings import Settings, SettingsError


def settings(**fields) -> Settings:
    return Settings.model_validate({"agent_token": "a-token", **fields})


@pytest.fixture
def database(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'parley.db'}"


def embedded(database, **fields):
    return wiring.embedded_agent(settings(database_url=database, **fields))


def test_without_a_model_the_agent_plays_its_demos_and_starts_nothing(database):
    assert embedded(database, agent_pace=0, tool_servers={"files": {"command": "files"}}).servers == ()


def test_with_a_model_the_task_board_and_the_configured_servers_are_there(database):
    servers = {
        "files": {"command": "files", "args": ["/srv"], "env": {"KEY": "k"}},
        "search": {"url": "https://search.example/mcp", "headers": {"X-Key": "k"}},
    }
    agent = embedded(database, model="http://127.0.0.1:9/v1#m", tool_servers=servers, tool_timeout=7)
    board, files, search = (server._link for server in agent.servers)
    assert (board.name, board.arguments[:2], board.timeout) == (
        "tasks",
        ("-m", "chat_app.agent.task_board"),
        7,
    )
    assert (files.command, files.arguments, files.environment) == ("files", ("/srv",), {"KEY": "k"})
    assert (search.url, search.headers) == ("https://search.example/mcp", {"X-Key": "k"})


def test_the_task_board_can_be_left_out(database):
    assert embedded(database, model="http://127.0.0.1:9/v1#m", task_board=False).servers == ()


def test_a_model_that_cannot_be_used_stops_the_start_with_a_reason(database, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SettingsError, match="needs its provider's key"):
        embedded(database, model="openai:gpt-5")


def test_the_embedded_agent_is_mounted_and_the_awkward_one_only_when_asked_for(database):
    agent = embedded(database)
    plain = wiring.agent_mounts(settings(), agent)
    awkward = wiring.agent_mounts(settings(awkward_agent=True), agent)
    assert not any(isinstance(route, Mount) and route.path == "/awkward" for route in plain)
    assert any(isinstance(route, Mount) and route.path == "/awkward" for route in awkward)
    assert len(awkward) == len(plain) + 1
