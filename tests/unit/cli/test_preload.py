import json
from pathlib import Path

import pytest

from chat_app.cli.errors import Stop
from chat_app.cli.preload import preload_chat

DOCUMENT = '<head><link rel="modulepreload" href="/assets/root.js"/><script></script></head>'
CHAT = {"path": "t/:thread", "module": "/assets/t.js", "imports": ["/assets/root.js", "/assets/chat.js"]}


def built(client: Path, *routes: dict) -> Path:
    (client / "assets").mkdir(exist_ok=True)
    manifest = {"routes": {str(number): route for number, route in enumerate(routes)}}
    text = f"window.__reactRouterManifest={json.dumps(manifest)};"
    (client / "assets" / "manifest-0.js").write_text(text)
    for name in ("404.html", "__spa-fallback.html"):
        (client / name).write_text(DOCUMENT)
        (client / f"{name}.gz").write_bytes(b"stale")
    return client


def test_the_shared_documents_name_the_scripts_of_a_chat_once(tmp_path: Path):
    client = built(tmp_path, {"path": "", "module": "/assets/root.js", "imports": []}, CHAT)
    for _ in range(2):
        preload_chat(client)
        for name in ("404.html", "__spa-fallback.html"):
            assert (client / name).read_text() == (
                '<head><link rel="modulepreload" href="/assets/root.js"/>'
                '<link rel="modulepreload" href="/assets/t.js"/><link rel="modulepreload" href="/assets/chat.js"/>'
                "<script></script></head>"
            )
            assert not (client / f"{name}.gz").exists()


def test_a_build_without_a_chat_is_refused(tmp_path: Path):
    with pytest.raises(Stop, match="no page t/:thread"):
        preload_chat(built(tmp_path, {"path": "", "module": "/assets/root.js", "imports": []}))


def test_a_build_without_a_manifest_is_refused(tmp_path: Path):
    (tmp_path / "assets").mkdir()
    with pytest.raises(Stop, match="no manifest"):
        preload_chat(tmp_path)


def test_a_manifest_of_another_kind_is_refused(tmp_path: Path):
    client = built(tmp_path, CHAT)
    (client / "assets" / "manifest-0.js").write_text("export const pages = {}")
    with pytest.raises(Stop, match="routes"):
        preload_chat(client)


def test_a_missing_document_is_refused(tmp_path: Path):
    client = built(tmp_path, CHAT)
    (client / "__spa-fallback.html").unlink()
    with pytest.raises(Stop, match="__spa-fallback"):
        preload_chat(client)


def test_a_document_of_another_kind_is_refused(tmp_path: Path):
    client = built(tmp_path, CHAT)
    (client / "404.html").write_text("<head></head>")
    with pytest.raises(Stop, match="preload nothing"):
        preload_chat(client)
