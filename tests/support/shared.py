"""The shared fixtures, at ``PARLEY_SHARED`` (default: ``../shared`` beside the project)."""

import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PARLEY_SHARED", ROOT.parent / "shared"))


def load(path):
    """Return the JSON of a shared file, None when it is not there."""
    file = SHARED / path
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def params(items, ids):
    """Return ``items`` for parametrize; without the shared folder, one case that skips and says why."""
    if items:
        return [pytest.param(item, id=name) for item, name in zip(items, ids, strict=True)]
    reason = f"no shared fixtures at {SHARED}; set PARLEY_SHARED"
    return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="absent")]


def seed_cases(name):
    """Return the cases of ``fixtures/seeds/<name>.json`` for parametrize."""
    found = load(f"fixtures/seeds/{name}.json")
    cases = found["cases"] if found else []
    return params(cases, [f"{name}/{case['id']}" for case in cases])


def files(pattern):
    """Return the shared files that match, in order."""
    return sorted(SHARED.glob(pattern))
