from pathlib import Path

import pytest

from chat_app.cli.errors import Stop
from chat_app.cli.portable import PLACEHOLDER_URL, from_the_browser, make_portable


@pytest.mark.parametrize("quote", ["`", '"', "'"])
def test_addresses_come_from_the_browser(quote: str):
    script = (
        f"var e={{PING:{quote}{PLACEHOLDER_URL}/ping{quote},EVENT:{quote}ws://parley.invalid/_event{quote}}};"
    )
    assert from_the_browser(script) == (
        f"var e={{PING:location.origin+{quote}/ping{quote},"
        f'EVENT:location.origin.replace(/^http/,"ws")+{quote}/_event{quote}}};'
    )


def test_other_addresses_stay():
    script = 'e={A:"http://example.org/ping",B:"parley"}'
    assert from_the_browser(script) == script


@pytest.fixture
def client(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    chunk = tmp_path / "assets" / "reflex-env-Ab_1.js"
    chunk.write_text(f"var e={{PING:`{PLACEHOLDER_URL}/ping`}};export{{e as t}};")
    (tmp_path / "assets" / "reflex-env-Ab_1.js.gz").write_bytes(b"stale")
    (tmp_path / "index.html").write_text("<html>")
    return tmp_path


def test_a_built_page_is_rewritten_and_its_stale_copy_removed(client: Path):
    make_portable(client)
    assert [file.name for file in (client / "assets").iterdir()] == ["reflex-env-Ab_1.js"]
    script = (client / "assets" / "reflex-env-Ab_1.js").read_text()
    assert script == "var e={PING:location.origin+`/ping`};export{e as t};"


def test_rewriting_twice_changes_nothing(client: Path):
    make_portable(client)
    before = (client / "assets" / "reflex-env-Ab_1.js").read_text()
    make_portable(client)
    assert (client / "assets" / "reflex-env-Ab_1.js").read_text() == before


def test_an_address_anywhere_else_is_refused(client: Path):
    (client / "index.html").write_text(f"<base href={PLACEHOLDER_URL}>")
    with pytest.raises(Stop, match=r"fixed address in index\.html"):
        make_portable(client)


def test_a_page_without_the_file_is_refused(tmp_path: Path):
    with pytest.raises(Stop, match="no file of its own"):
        make_portable(tmp_path)
