from pathlib import Path

import pytest
from pydantic import ValidationError

from chat_app.settings import PROJECT_ROOT, Settings


def test_the_defaults_need_nothing():
    settings = Settings()
    assert settings.data_dir == PROJECT_ROOT / ".parley"
    assert settings.database_url.get_secret_value() == f"sqlite:///{PROJECT_ROOT}/.parley/parley.db"
    assert settings.page_url == "http://localhost:3000"
    assert settings.agent_endpoint == "http://127.0.0.1:3000/agent"


def test_the_settings_cannot_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1


def test_every_field_says_what_it_is_for():
    assert all(field.description for field in Settings.model_fields.values())


def test_secrets_are_never_shown():
    settings = Settings(
        agent_token="s3cret",
        agent_headers={"X-Key": "s3cret"},
        database_url="postgresql+psycopg://u:s3cret@db/p",
    )
    assert "s3cret" not in repr(settings)
    assert "s3cret" not in settings.model_dump_json()


def test_the_database_follows_the_data_folder(tmp_path: Path):
    assert Settings(data_dir=tmp_path).database_url.get_secret_value() == f"sqlite:///{tmp_path}/parley.db"


@pytest.mark.parametrize(
    ("host", "local", "page", "loopback"),
    [
        ("127.0.0.1", "http://127.0.0.1:3000", "http://localhost:3000", True),
        ("localhost", "http://localhost:3000", "http://localhost:3000", True),
        ("::1", "http://[::1]:3000", "http://localhost:3000", True),
        ("0.0.0.0", "http://127.0.0.1:3000", "http://127.0.0.1:3000", False),
        ("::", "http://[::1]:3000", "http://[::1]:3000", False),
        ("chat.example.org", "http://chat.example.org:3000", "http://chat.example.org:3000", False),
    ],
)
def test_addresses_follow_the_host(host: str, local: str, page: str, loopback: bool):
    settings = Settings(host=host)
    assert (settings.local_url, settings.page_url, settings.on_loopback) == (local, page, loopback)


def test_the_public_url_is_what_people_open():
    assert Settings(public_url="https://chat.example.org/").page_url == "https://chat.example.org"


def test_a_configured_agent_is_talked_to_as_given():
    assert Settings(agent_url="http://127.0.0.1:8001/agent/").agent_endpoint == "http://127.0.0.1:8001/agent/"


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": 0},
        {"port": 65536},
        {"agent_url": "localhost:8001"},
        {"public_url": "http://"},
        {"database_url": "mysql://db/parley"},
        {"agent_profile": "lenient"},
        {"live_window_ms": 50, "live_window_max_ms": 20},
        {"agent_idle_limit": 0},
        {"colour": "blue"},
    ],
)
def test_what_cannot_work_is_refused(wrong: dict[str, object]):
    with pytest.raises(ValidationError):
        Settings.model_validate(wrong)


def test_an_address_that_is_no_redis_is_refused():
    with pytest.raises(ValidationError, match="must start with redis://"):
        Settings(redis_url="http://localhost:6379")
    assert Settings(redis_url="redis://localhost").redis_url.get_secret_value() == "redis://localhost"


@pytest.mark.parametrize("model", ["", "openai:gpt-5", "ollama:llama3:8b", "http://127.0.0.1:8080/v1#m"])
def test_a_model_is_named_by_its_provider_or_its_address(model):
    assert Settings(model=model).model == model


@pytest.mark.parametrize("model", ["gpt-5", "openai:", "http://127.0.0.1:8080/v1", "azure:gpt"])
def test_a_model_nobody_can_reach_stops_the_start(model):
    with pytest.raises(ValidationError, match="must be like openai:gpt-5"):
        Settings(model=model)


# ---------------------------------------------------------------- signing in


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sign_in": "magic"}, "not magic"),
        ({"sign_in": "oidc"}, "needs oidc_issuer"),
        ({"sign_in": "oidc", "oidc_issuer": "https://id"}, "needs oidc_client_id"),
        ({"sign_in": "oidc", "oidc_issuer": "id", "oidc_client_id": "c"}, "must start with http"),
        ({"sign_in": "proxy"}, "needs proxy_addresses"),
        ({"sign_in": "proxy", "proxy_addresses": "10.0.0.1"}, "needs proxy_secret"),
        ({"proxy_addresses": "somewhere"}, "not a valid IPv4 or IPv6 network"),
        ({"role_map": "{"}, "must be a JSON object"),
        ({"role_map": '{"a": "boss"}'}, "approver"),
        ({"run_limit": "often"}, "10 per 15 minutes"),
        ({"run_limit": "0 per minute"}, "10 per 15 minutes"),
    ],
)
def test_a_way_in_that_is_not_complete_is_refused(fields, words):
    with pytest.raises(ValidationError, match=words):
        Settings(**fields)


def test_ways_in_networks_and_roles_are_read_from_text():
    found = Settings(
        sign_in="password, proxy",
        proxy_addresses="10.0.0.0/8, ::1",
        proxy_secret="hush",
        role_map='{"bosses": "admin"}',
        run_limit="",
    )
    assert found.sign_in == ("password", "proxy")
    assert [str(network) for network in found.proxy_addresses] == ["10.0.0.0/8", "::1/128"]
    assert (found.role_map, found.run_limit) == ({"bosses": "admin"}, "")


def test_hosts_of_images_are_plain_names_in_small_letters():
    assert Settings(image_hosts="Images.Example.com,cdn:8080").image_hosts == (
        "images.example.com",
        "cdn:8080",
    )


@pytest.mark.parametrize("host", ["https://images.example.com", "*.example.com", "a/b"])
def test_hosts_of_images_that_are_none_are_refused(host):
    with pytest.raises(ValidationError, match="must be names of hosts"):
        Settings(image_hosts=host)


def test_mail_needs_an_address_it_comes_from():
    assert Settings(mail_host="mail.example", mail_from="parley@example.org").mail_port == 587
    for sender in ("", "parley", "a@b.c\nBcc: d@e.f", "Parley <a@b.c>"):
        with pytest.raises(ValidationError, match="needs mail_from"):
            Settings(mail_host="mail.example", mail_from=sender)
