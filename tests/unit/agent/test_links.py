import pytest

from chat_app.agent.links import HttpLink, StdioLink, UnusableServers, connect


def test_servers_are_made_in_order_and_contact_nobody():
    links = [StdioLink(name="files", command="nothing"), HttpLink(name="search", url="http://127.0.0.1:9")]
    assert [server.name for server in connect(links)] == ["files", "search"]


def test_without_servers_nothing_is_loaded():
    assert connect([], module="no.such.module") == ()


def test_missing_packages_are_named():
    with pytest.raises(UnusableServers, match=r"pip install '\.\[mcp\]'"):
        connect([StdioLink(name="files", command="x")], module="no.such.module")


def test_a_name_used_twice_is_refused():
    link = StdioLink(name="files", command="x")
    with pytest.raises(UnusableServers, match="Two tool servers are called files"):
        connect([link, link])


def test_what_may_be_secret_is_not_printed():
    links = (
        StdioLink(name="a", command="x", environment={"K": "s3cret"}),
        HttpLink(name="b", url="http://x", headers={"K": "s3cret"}),
    )
    assert "s3cret" not in repr(links)
