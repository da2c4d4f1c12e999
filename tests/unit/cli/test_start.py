import socket
import sys
from pathlib import Path

import pytest

from chat_app.cli.errors import Stop
from chat_app.cli.frontend import Frontend
from chat_app.cli.start import start, the_page
from chat_app.settings import PROJECT_ROOT, Settings
from tests.support.built import BUILD


@pytest.fixture
def page(tmp_path: Path) -> Frontend:
    return Frontend(tmp_path, log=tmp_path / "build.log", export=(sys.executable, "-c", BUILD))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return Settings(data_dir=tmp_path / "data", port=server.getsockname()[1])


def started(settings: Settings, page: Frontend) -> list[str]:
    """Start with a server that is ready at once and ends; return what was said."""
    said: list[str] = []

    def serve(served, root, ready):
        said.append(f"serving {served.port} from {root}")
        ready()

    start(settings, page, serve=serve, say=said.append)
    return said


def test_the_first_start_prepares_and_serves(settings: Settings, page: Frontend):
    assert started(settings, page) == [
        "Bringing the database up to date ...",
        "Building the page ...",
        f"serving {settings.port} from {page.root}",
        f"Parley is ready on http://localhost:{settings.port}",
    ]


def test_the_second_start_only_serves(settings: Settings, page: Frontend):
    started(settings, page)
    assert started(settings, page) == [
        f"serving {settings.port} from {page.root}",
        f"Parley is ready on http://localhost:{settings.port}",
    ]


def test_another_port_or_public_url_builds_nothing(settings: Settings, page: Frontend):
    started(settings, page)
    elsewhere = settings.model_copy(update={"public_url": "https://chat.example.org"})
    assert started(elsewhere, page)[-1] == "Parley is ready on https://chat.example.org"
    assert "Building the page ..." not in started(elsewhere, page)


def test_a_refused_start_touches_nothing(settings: Settings, page: Frontend):
    with pytest.raises(Stop):
        started(settings.model_copy(update={"host": "0.0.0.0"}), page)
    assert not settings.data_dir.exists()
    assert not page.client.exists()


def test_the_page_is_this_checkouts(settings: Settings):
    page = the_page(settings)
    assert (page.root, page.log) == (PROJECT_ROOT, settings.data_dir / "logs" / "build.log")


def test_a_start_without_an_admin_prints_the_link_that_makes_one(settings: Settings, page: Frontend):
    said = started(settings.model_copy(update={"sign_in": ("password",)}), page)
    assert said[-1].startswith("There is no admin yet.")
    assert f"http://localhost:{settings.port}/join/" in said[-1]
