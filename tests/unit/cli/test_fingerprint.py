from pathlib import Path

import pytest

from chat_app.cli.errors import Stop
from chat_app.cli.fingerprint import FINISH, locks_digest, sources_digest
from chat_app.settings import PROJECT_ROOT


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("rxconfig.py", "chat_app/ui/shell.py", "chat_app/agui/sse.py", "assets/app.css"):
        write(tmp_path / name, "one")
    return tmp_path


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize(
    "name",
    [
        "rxconfig.py",
        "chat_app/ui/shell.py",
        "chat_app/new/thing.py",
        "chat_app/cli/portable.py",
        "chat_app/cli/preload.py",
        "assets/app.css",
        "assets/new.svg",
        ".npmrc",
    ],
)
def test_whatever_the_page_is_made_of_counts(root: Path, name: str):
    before = sources_digest(root, ())
    write(root / name, "two")
    assert sources_digest(root, ()) != before


@pytest.mark.parametrize(
    "name",
    [
        "chat_app/agui/sse.py",
        "chat_app/cli/new.py",
        "chat_app/__main__.py",
        "chat_app/ui/__pycache__/shell.pyc",
        "assets/external/linked.js",
        "tests/test_x.py",
        "reflex.lock/bun.lock",
    ],
)
def test_what_the_page_never_sees_does_not(root: Path, name: str):
    before = sources_digest(root, ())
    write(root / name, "two")
    assert sources_digest(root, ()) == before


def test_moving_text_between_files_counts(root: Path):
    before = sources_digest(root, ())
    (root / "chat_app/ui/shell.py").rename(root / "chat_app/ui/frame.py")
    assert sources_digest(root, ()) != before


def test_the_javascript_lock_has_a_digest_of_its_own(root: Path):
    before = locks_digest(root)
    write(root / "reflex.lock/bun.lock", "two")
    assert locks_digest(root) != before


@pytest.fixture
def extensions(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("extensions")
    write(folder / "one_module.py", "")
    write(folder / "a_package" / "__init__.py", "")
    write(folder / "a_package" / "rows.py", "")
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.mark.parametrize(
    ("name", "file"), [("one_module", "one_module.py"), ("a_package", "a_package/rows.py")]
)
def test_extensions_count_with_all_their_files(root: Path, extensions: Path, name: str, file: str):
    before = sources_digest(root, [name])
    assert before != sources_digest(root, [])
    write(extensions / file, "two")
    assert sources_digest(root, [name]) != before


def test_a_module_without_a_file_counts_as_nothing(root: Path):
    assert sources_digest(root, ["sys"]) == sources_digest(root, [])


@pytest.mark.parametrize("name", ["not_there", "not_there.at_all"])
def test_an_extension_that_is_missing_is_named(root: Path, extensions: Path, name: str):
    with pytest.raises(Stop, match=f"The extension {name} cannot be found"):
        sources_digest(root, [name])


def test_what_finishes_the_page_is_there():
    assert all((PROJECT_ROOT / name).is_file() for name in FINISH)
