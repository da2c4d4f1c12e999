"""Tell whether the page has to be built again: one digest over everything the build can depend on.

What is not listed under `UNSEEN` counts, so that a new package is covered before anybody thinks of it.
"""

import hashlib
import sysconfig
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from chat_app.cli.errors import Stop

ROOTS = ("rxconfig.py", "bunfig.toml", ".npmrc", "assets", "chat_app")
# What a page is built of crosses over as records of services and vars of state; these never reach it.
UNSEEN = frozenset({"agent", "agui", "cli", "data", "web", "__main__.py"})
# These work on what was built.
FINISH = ("chat_app/cli/portable.py", "chat_app/cli/preload.py")
LOCKS = ("reflex.lock",)
# Reflex links assets of components here while it builds.
GENERATED = Path("assets", "external")


def sources_digest(root: Path, extensions: Iterable[str]) -> str:
    """Return the digest of sources, extension modules and the installed Reflex.

    Raises:
        Stop: when an extension module is not there.
    """
    files = [file for name in ROOTS for file in _files(root / name) if _counts(file.relative_to(root))]
    finish = [file for name in FINISH for file in _files(root / name)]
    outside = [file for name in extensions for file in _module_files(name)]
    return _digest([*files, *finish, *outside], _reflex_versions())


def locks_digest(root: Path) -> str:
    """Return the digest of the JavaScript lock, which a build may write."""
    return _digest([file for name in LOCKS for file in _files(root / name)], ())


def _digest(files: Iterable[Path], words: Iterable[str]) -> str:
    digest = hashlib.sha256("\0".join(words).encode())
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    """Return the file, or the files below the folder, in a fixed order; nothing when it does not exist."""
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def _counts(relative: Path) -> bool:
    hidden = relative.parts[0] == "chat_app" and relative.parts[1] in UNSEEN
    return not hidden and not relative.is_relative_to(GENERATED)


def _module_files(name: str) -> list[Path]:
    """Return the files of a module, or of the whole package when it is one."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise Stop(f"The extension {name} cannot be found; is its package installed, and the name right?")
    places = spec.submodule_search_locations or ([spec.origin] if spec.origin else [])
    return [file for place in places for file in _files(Path(place))]


def _reflex_versions() -> list[str]:
    """Return the names of Reflex's installed distributions, which carry their versions."""
    return sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("reflex*.dist-info"))
