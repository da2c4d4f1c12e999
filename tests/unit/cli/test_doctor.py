import asyncio
import json
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from chat_app.cli import doctor
from chat_app.cli.database import bring_up_to_date
from chat_app.cli.frontend import Frontend
from chat_app.data import webhooks
from chat_app.data.db import Database
from chat_app.services.keyring import Keyring
from chat_app.services.notices.signing import new_secret
from chat_app.services.notices.webhook import Target, sealed
from chat_app.settings import Settings, kept_key, with_agent_token
from tests.support.built import BUILD
from tests.support.mail import mail_server
from tests.support.records import a_webhook


@pytest.fixture
def page(tmp_path: Path) -> Frontend:
    return Frontend(tmp_path, log=tmp_path / "build.log", export=(sys.executable, "-c", ""))


def found(settings: Settings, page: Frontend) -> dict[str, tuple[bool, str]]:
    return {finding.subject: (finding.well, finding.words) for finding in doctor.examine(settings, page)}


def test_a_fresh_checkout_is_well_and_says_what_the_next_start_does(tmp_path: Path, page: Frontend):
    findings = found(Settings(data_dir=tmp_path), page)
    assert all(well for well, _ in findings.values())
    assert findings["page"][1] == "will be built by the next start"
    assert findings["database"][1].endswith("tables will be updated by the next start")
    assert findings["agent"][1] == "the embedded one, served by Parley itself"
    assert "reflex 0." in findings["versions"][1]


def test_a_database_at_its_head_is_up_to_date(tmp_path: Path, page: Frontend):
    settings = Settings(data_dir=tmp_path)
    bring_up_to_date(settings, print)
    assert found(settings, page)["database"][1].endswith("tables up to date")


def test_a_database_that_cannot_be_read_is_bad(tmp_path: Path, page: Frontend):
    (tmp_path / "parley.db").write_bytes(b"this is no database" * 100)
    assert not found(Settings(data_dir=tmp_path), page)["database"][0]


def test_a_missing_extension_is_bad(tmp_path: Path):
    page = Frontend(tmp_path, log=tmp_path / "build.log", extensions=("not_there",))
    well, words = found(Settings(data_dir=tmp_path), page)["page"]
    assert (well, "not_there" in words) == (False, True)


def test_a_built_page_is_said(tmp_path: Path, page: Frontend):
    replace(page, export=(sys.executable, "-c", BUILD)).build()
    assert found(Settings(data_dir=tmp_path), page)["page"] == (True, "built")


def test_an_agent_that_listens_is_well(tmp_path: Path, page: Frontend):
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/agent"
        settings = Settings(data_dir=tmp_path, agent_url=url)
        assert found(settings, page)["agent"] == (True, f"{url} accepts connections")


def test_each_further_agent_of_the_settings_is_looked_for(tmp_path: Path, page: Frontend):
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/agent"
        settings = Settings(data_dir=tmp_path, agents={"Orders": {"url": url}})
        said = f"the embedded one, served by Parley itself; {url} accepts connections"
        assert found(settings, page)["agent"] == (True, said)
        away = {"Orders": {"url": url}, "Desk": {"url": "http://127.0.0.1:1/"}}
        well, words = found(Settings(data_dir=tmp_path, agents=away), page)["agent"]
    assert (well, words.startswith("nothing answers at http://127.0.0.1:1/: ")) == (False, True)


def test_an_agent_that_does_not_listen_is_bad(tmp_path: Path, page: Frontend):
    settings = Settings(data_dir=tmp_path, agent_url="http://127.0.0.1:1/agent")
    well, words = found(settings, page)["agent"]
    assert not well
    assert words.startswith("nothing answers at http://127.0.0.1:1/agent: ")


def test_findings_print_for_people_and_programs():
    findings = (doctor.Finding("a", well=True, words="fine"), doctor.Finding("b", well=False, words="not"))
    assert doctor.as_text(findings) == "ok   a: fine\nBAD  b: not"
    assert json.loads(doctor.as_json(findings))[1] == {"subject": "b", "well": False, "words": "not"}


def test_a_mail_server_that_nobody_answers_at_is_bad(tmp_path: Path, page: Frontend):
    assert found(Settings(data_dir=tmp_path), page)["mail"][0]
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    named = {"mail_host": "127.0.0.1", "mail_port": port, "mail_from": "p@example.org"}
    well, words = found(Settings(data_dir=tmp_path, **named), page)["mail"]
    assert (well, words) == (False, f"127.0.0.1:{port} takes no mail of ours: nobody answers there")


async def test_a_mail_server_that_lets_us_in_is_well(tmp_path: Path, page: Frontend):
    async with mail_server() as box:
        settings = Settings(
            data_dir=tmp_path,
            mail_host="127.0.0.1",
            mail_port=box.port,
            mail_from="p@example.org",
            mail_security="none",
        )
        finding = await asyncio.to_thread(doctor.mail, settings, page)
    assert (finding.well, "takes mail from p@example.org" in finding.words) == (True, True)
    assert box.letters == []


def test_webhooks_stored_under_another_key_are_bad(tmp_path: Path, page: Frontend):
    settings = Settings(data_dir=tmp_path)
    bring_up_to_date(settings, print)
    with_agent_token(settings)
    handle = Database(settings.database_url.get_secret_value())
    keyring, target = Keyring(kept_key(settings)), Target("http://hooks.example", new_secret())
    with handle.transaction() as session:
        webhooks.create(session, a_webhook(name="Chat", sealed=sealed(keyring, target)))
    handle.dispose()
    assert found(settings, page)["webhooks"] == (True, "1 added, 1 of them on")
    well, words = found(Settings(data_dir=tmp_path, secret_key="another"), page)["webhooks"]
    assert (well, "Chat" in words) == (False, True)
    (tmp_path / "secret-key").chmod(0o644)
    assert "chmod 600" in found(settings, page)["webhooks"][1]
