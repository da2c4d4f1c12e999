import os
import subprocess
import sys
from pathlib import Path

from scripts import chromium


def printed(**environment: str) -> str:
    command = [sys.executable, chromium.__file__]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=15, check=True
    )
    return done.stdout.strip()


def test_the_named_one_wins():
    assert printed(PARLEY_CHROMIUM="/opt/mine") == "/opt/mine"


def test_the_systems_own_comes_next(tmp_path: Path):
    browser = tmp_path / "chromium-browser"
    browser.write_text("#!/bin/sh\n")
    browser.chmod(0o755)
    assert printed(PARLEY_CHROMIUM="", PATH=str(tmp_path)) == str(browser)


def test_nothing_is_downloaded_in_ci(monkeypatch):
    monkeypatch.setenv("PARLEY_CI", "1")
    assert chromium.downloaded() == ""


def test_a_command_that_fails_is_told_from_one_that_works():
    assert chromium.done("true")
    assert not chromium.done("false")
