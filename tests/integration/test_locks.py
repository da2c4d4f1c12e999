"""The committed locks: they hold what pyproject.toml asks for, and name no place to take it from."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)(?: ; (?P<marker>.*?))? \\$", re.MULTILINE)
GROUPS = {"requirements.lock": ("build",), "requirements-dev.lock": ("build", "test", "lint")}

locks = pytest.mark.parametrize("lock", GROUPS)


def pins(lock: str) -> dict[str, set[str]]:
    """Return the locked versions of each package; markers may lock several."""
    found: dict[str, set[str]] = {}
    for pin in PIN.finditer((ROOT / lock).read_text("utf-8")):
        found.setdefault(canonicalize_name(pin["name"]), set()).add(pin["version"])
    return found


@locks
def test_every_requirement_is_locked_as_asked(lock: str):
    groups = [text for group in GROUPS[lock] for text in PROJECT["dependency-groups"][group]]
    asked = [Requirement(text) for text in (*PROJECT["project"]["dependencies"], *groups)]
    locked = pins(lock)
    wrong = [
        str(requirement)
        for requirement in asked
        if not any(map(requirement.specifier.contains, locked.get(canonicalize_name(requirement.name), ())))
    ]
    assert wrong == []


@locks
def test_no_lock_names_a_place(lock: str):
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^--(?!hash)|^\s*-[ife] ", text, re.MULTILINE)


@locks
def test_every_pin_has_its_hashes(lock: str):
    text = (ROOT / lock).read_text("utf-8")
    assert len(PIN.findall(text)) == text.count("==") - len(re.findall(r" ; .*==", text))
    assert all("--hash=sha256:" in entry for entry in re.split(r"^(?=\S+==)", text, flags=re.MULTILINE)[1:])


def test_both_locks_agree_on_what_they_share():
    run, dev = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {name: versions for name, versions in run.items() if dev.get(name) != versions} == {}


def test_the_javascript_lock_names_no_place():
    text = (ROOT / "reflex.lock" / "bun.lock").read_text("utf-8")
    assert "://" not in text
