from datetime import UTC

import pytest
from pydantic import SecretStr
from starlette.routing import Mount

from chat_app import wiring
from chat_app.data.db import Database
from chat_app.data.migrate import upgrade
from chat_app.services.accounts import Ways
from chat_app.services.bus import EVERYTHING, PollingBus, PostgresBus, Wake
from chat_app.services.rows import Suggestion
from chat_app.settings import Settings, SettingsError


def settings(**fields) -> Settings:
    return Settings.model_validate({"agent_token": "a-token", **fields})


# ---------------------------------------------------------------- build


async def test_the_services_are_built_ready_to_start(tmp_path):
    url = f"sqlite:///{tmp_path / 'parley.db'}"
    database = Database(url)
    upgrade(database)
    services = wiring.build(settings(database_url=url, agent_name="Ada's agent"))
    await services.start()
    assert services.agents.default_name == "Ada's agent"
    assert await services.health.trouble() == ""
    cookie = (await services.accounts.sign_in_local()).decode()
    person = await services.accounts.person_of(cookie.partition(";")[0])
    frames = services.threads.follow_list(person)
    assert await anext(frames) == '{"threads":[],"more":false}'
    await frames.aclose()
    await services.stop()
    database.dispose()


def test_building_contacts_nobody(tmp_path):
    file = tmp_path / "parley.db"
    wiring.build(settings(database_url=f"sqlite:///{file}"))
    assert not file.exists()


async def test_a_thread_nobody_knows_is_read_as_an_empty_view(tmp_path):
    url = f"sqlite:///{tmp_path / 'parley.db'}"
    database = Database(url)
    upgrade(database)
    services = wiring.build(settings(database_url=url))
    async with services.supervisor._hub.use("unknown") as channel:
        assert channel.live.rows() == []
    database.dispose()


def test_each_process_is_a_worker_of_its_own(tmp_path):
    one, other = (wiring.build(settings(database_url=f"sqlite:///{tmp_path / 'p.db'}")) for _ in range(2))
    assert one.supervisor._ledger.worker != other.supervisor._ledger.worker


async def test_earlier_states_of_a_thread_nobody_knows_are_none(tmp_path):
    url = f"sqlite:///{tmp_path / 'parley.db'}"
    database = Database(url)
    upgrade(database)
    services = wiring.build(settings(database_url=url))
    assert services.supervisor._hub._recall("unknown") == []
    database.dispose()


def test_processes_on_one_file_wake_each_other_by_their_commits(tmp_path):
    assert isinstance(
        wiring.build(settings(database_url=f"sqlite:///{tmp_path / 'parley.db'}")).bus, PollingBus
    )


def test_processes_on_one_server_are_woken_thread_by_thread_when_something_is_committed():
    services = wiring.build(settings(database_url="postgresql+psycopg://parley@db.invalid/parley"))
    assert isinstance(services.bus, PostgresBus)
    services.supervisor._journal._told(frozenset({"a", "b"}))
    assert set(services.bus._waiting) == {Wake("a"), Wake("b")}


def test_every_table_comes_after_those_it_points_at():
    tables = wiring.stored_tables()
    assert {"thread", "suspended_turn"} <= {table.name for table in tables}
    for at, table in enumerate(tables):
        pointed_at = {key.column.table for key in table.foreign_keys} - {table}
        assert pointed_at <= set(tables[:at])


def test_times_are_in_utc():
    assert wiring.now().tzinfo is UTC


# ---------------------------------------------------------------- the agent


def test_the_embedded_agent_is_asked_for_its_token_like_any_other():
    found = wiring.endpoint(settings(port=3001, agent_headers={"X-Other": "1"}))
    assert found.url == "http://127.0.0.1:3001/agent"
    assert found.headers == {"Authorization": "Bearer a-token"}


def test_a_configured_agent_gets_its_own_headers_and_never_our_token():
    found = wiring.endpoint(
        settings(
            agent_url="https://agent.example/run",
            agent_headers={"X-Key": "k"},
            agent_profile="0.1",
            connect_timeout=3,
            agent_idle_limit=60,
            frame_cap=4096,
        )
    )
    assert (found.url, found.headers, found.profile) == ("https://agent.example/run", {"X-Key": "k"}, "0.1")
    assert (found.connect_timeout, found.idle_limit, found.frame_cap) == (3, 60, 4096)


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


# ---------------------------------------------------------------- the door


@pytest.mark.parametrize(
    ("fields", "secure", "days"),
    [
        ({}, False, 30),
        ({"public_url": "https://chat.example", "session_days": 7}, True, 7),
        ({"public_url": "http://chat.example"}, False, 30),
    ],
)
def test_the_cookie_is_secure_where_the_page_is(fields, secure, days):
    shape = wiring.cookie(settings(**fields))
    assert (shape.secure, shape.days) == (secure, days)


def test_two_instances_on_one_machine_have_cookies_of_their_own():
    names = {wiring.cookie(settings(port=port)).name for port in (3000, 3001)}
    assert len(names) == 2
    assert wiring.cookie(settings()).name == wiring.cookie(settings()).name


def test_the_instance_answers_to_loopback_and_to_its_own_addresses():
    assert wiring.origins(settings(port=3001)) == {
        name: f"http://{name}" for name in ("localhost:3001", "127.0.0.1:3001", "[::1]:3001")
    }


def test_pages_of_a_public_address_have_its_scheme():
    origins = wiring.origins(settings(public_url="https://Chat.Example"))
    assert origins["chat.example"] == "https://chat.example"
    assert origins["localhost:3000"] == "http://localhost:3000"


def test_an_address_to_listen_on_is_one_more_name():
    assert "192.0.2.7:3000" in wiring.origins(settings(host="192.0.2.7"))


def test_a_proxy_vouches_for_people_only_where_that_is_a_way_in():
    fields = {"proxy_addresses": "10.0.0.0/8", "proxy_secret": "hush"}
    assert wiring.proxies(settings(**fields)).secret == ""
    assert wiring.proxies(settings(**fields, sign_in="proxy")).secret == "hush"


@pytest.mark.parametrize(
    ("fields", "ways"),
    [
        ({}, Ways()),
        ({"sign_in": "password"}, Ways(password=True)),
        (
            {
                "sign_in": "oidc, proxy",
                "oidc_issuer": "https://id",
                "oidc_client_id": "p",
                "oidc_name": "Acme",
                "proxy_addresses": "10.0.0.1",
                "proxy_secret": "s",
            },
            Ways(provider="Acme", proxy=True),
        ),
    ],
)
def test_people_come_in_by_the_ways_that_are_set(fields, ways):
    assert wiring.ways(settings(**fields)) == ways


def test_what_is_counted_is_limited_as_the_settings_say():
    rates = wiring.rates_of(settings(sign_in_limit="1 per hour", run_limit=""))
    assert (rates.left("sign_in", "ada"), rates.left("run", "ada")) == (1, None)


def test_the_provider_sends_browsers_back_to_the_public_address():
    assert (
        wiring.provider(settings(public_url="https://chat.example")).back
        == "https://chat.example/auth/provider/back"
    )


def test_secrets_of_the_settings_are_in_no_record_that_is_printed():
    assert "a-token" not in repr(settings())
    assert isinstance(settings().agent_token, SecretStr)


def test_an_empty_chat_with_the_embedded_agent_suggests_lines_with_titles():
    suggested = wiring.endpoint(settings()).suggestions
    assert suggested
    assert all(each.title.strip() and each.line.strip() for each in suggested)


def test_nothing_is_suggested_for_an_agent_of_somebody_else():
    assert wiring.endpoint(settings(agent_url="http://127.0.0.1:8001/agent")).suggestions == ()


def test_further_agents_of_the_settings_are_talked_to_as_they_say(tmp_path):
    del tmp_path
    orders = {
        "url": "http://orders.example/agent",
        "headers": {"X-Key": "s3cret"},
        "profile": "current",
        "accepts": ["pdf"],
        "idle_limit": 9,
        "suggestions": ["Where is it?"],
    }
    (found,) = wiring.endpoints(settings(agents={"Orders": orders}, frame_cap=2048))
    assert (found.name, found.url, found.profile) == ("Orders", "http://orders.example/agent", "current")
    assert (found.headers, found.accepts, found.idle_limit) == ({"X-Key": "s3cret"}, ("pdf",), 9.0)
    assert (found.suggestions, found.frame_cap) == ((Suggestion("Where is it?", "Where is it?"),), 2048)


def test_mail_goes_by_the_server_that_settings_name():
    assert wiring.mail_server(settings()) is None
    named = wiring.mail_server(
        settings(mail_host="mail.example", mail_from="p@example.org", mail_password="s3cret")
    )
    assert (named.host, named.port, named.security, named.sender) == (
        "mail.example", 587, "starttls", "p@example.org",
    )  # fmt: skip
    assert "s3cret" not in repr(named)


async def test_what_an_admin_changes_of_an_agent_makes_this_process_look_at_everything(tmp_path):
    services = wiring.build(settings(database_url=f"sqlite:///{tmp_path / 'p.db'}"))
    services.agent_book._tell()
    assert list(services.relay._waiting) == [EVERYTHING]
