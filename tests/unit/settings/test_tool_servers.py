import pytest
from pydantic import ValidationError

from chat_app.settings import Settings, ToolServer


def test_servers_are_read_from_json_and_from_tables_alike():
    table = {"files": {"command": "files", "args": ["/srv"]}, "search": {"url": "https://s.example/mcp"}}
    text = '{"files": {"command": "files", "args": ["/srv"]}, "search": {"url": "https://s.example/mcp"}}'
    assert Settings(tool_servers=text).tool_servers == Settings(tool_servers=table).tool_servers
    assert Settings(tool_servers=text).tool_servers["files"].args == ("/srv",)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("files", "must be a JSON object"),
        ({"a": {}}, "either a command or a url"),
        ({"a": {"command": "x", "url": "https://x.example"}}, "either a command or a url"),
        ({"a": {"url": "file:///etc"}}, "must start with http"),
        ({"a": {"command": "x", "shell": True}}, "Extra inputs"),
    ],
)
def test_what_is_no_server_is_refused_with_a_reason(value, reason):
    with pytest.raises(ValidationError, match=reason):
        Settings(tool_servers=value)


def test_a_server_is_shown_without_what_may_be_secret():
    local = ToolServer(command="files", env={"KEY": "s3cret"})
    remote = ToolServer(url="https://user:s3cret@s.example/mcp?key=s3cret", headers={"X": "s3cret"})
    assert (str(local), str(remote)) == ("files", "https://s.example")
