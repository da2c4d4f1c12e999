from datetime import UTC

import pytest
from pydantic import SecretStr

from chat_app import wiring
from chat_app.services.accounts import Ways
from chat_app.services.rows import Suggestion
from chat_app.settings import Settings


def settings(**fields) -> Settings:
    return Settings.model_validate({"agent_token": "a-token", **fields})


def test_times_are_in_utc():
    assert wiring.now().tzinfo is UTC


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
