import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import bootstrap


@pytest.mark.parametrize("version", [(3, 11), (3, 14)])
def test_a_python_we_know_is_welcome(version):
    assert bootstrap.version_complaint(version) == ""


@pytest.mark.parametrize("version", [(3, 6), (3, 10), (3, 15)])
def test_another_python_is_told_which_and_which_is_here(version):
    complaint = bootstrap.version_complaint(version, lambda name: name in {"python3.12", "python3.11"})
    assert complaint == (
        "Parley needs Python 3.11 to 3.14, and this is Python {}.{}; try: make run PYTHON=python3.12".format(
            *version
        )
    )


def test_without_a_better_python_the_sentence_says_to_install_one():
    complaint = bootstrap.version_complaint((3, 9), lambda _: None)
    assert complaint.endswith("install a newer one and name it: make run PYTHON=python3.14")


def test_an_old_python_can_read_the_file():
    ast.parse(Path(bootstrap.__file__).read_text("utf-8"), feature_version=(3, 4))


@pytest.mark.parametrize(
    ("arguments", "parsed"),
    [
        (
            ["-m", "chat_app", "run", "--dev"],
            ("run", sys.version_info[:2], ["-m", "chat_app", "run", "--dev"]),
        ),
        (["--dev"], ("dev", sys.version_info[:2], [])),
        (["--as-python", "3.9", "--dev", "x"], ("dev", (3, 9), ["x"])),
        (["--as-python"], ("run", sys.version_info[:2], [])),
    ],
)
def test_its_own_flags_come_before_the_command(arguments, parsed):
    assert bootstrap.parsed(arguments) == parsed


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "check the mirror"),
        ("Temporary failure in name resolution", "there is no connection"),
        ("ERROR: No matching distribution found for x==1", "lacks a locked version"),
        ("ERROR: something else\nmore", "something else"),
        ("", "the last lines of the log say why"),
    ],
)
def test_pips_words_become_a_persons(said, words):
    assert words in bootstrap.trouble_in(said)


def test_another_lock_or_python_asks_for_an_install():
    digests = {
        bootstrap.digest(lock, version) for lock in bootstrap.LOCKS.values() for version in [(3, 11), (3, 12)]
    }
    assert len(digests) == 4


def test_settings_of_tools_ask_for_no_install():
    project = '# x\n[build-system]\nrequires = ["setuptools"]\n\n[project]\nname = "p"\n[project.scripts]\np = "p:m"\n'
    assert bootstrap.package_entry(project + "[tool.ruff]\nx = 1\n") == bootstrap.package_entry(project)
    assert bootstrap.package_entry(project.replace("p:m", "p:n")) != bootstrap.package_entry(project)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the script and locks that list nothing."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(bootstrap.__file__, tmp_path / "scripts")
    for name in (*bootstrap.LOCKS.values(), "pyproject.toml"):
        (tmp_path / name).touch()
    return tmp_path


def ran(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, checkout / "scripts" / "bootstrap.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=15, check=False)


def test_an_old_python_gets_one_sentence_and_no_venv(checkout: Path):
    done = ran(checkout, "--as-python", "3.9")
    assert done.returncode == 1
    assert done.stderr.startswith("Parley needs Python 3.11 to 3.14, and this is Python 3.9; ")
    assert done.stderr.count("\n") == 1
    assert not (checkout / ".venv").exists()


def test_a_python_without_venv_is_told_what_to_install(checkout: Path):
    as_debian_ships_it = (
        "import sys, runpy; sys.modules['ensurepip'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    script = checkout / "scripts" / "bootstrap.py"
    command = [sys.executable, "-c", as_debian_ships_it, script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=15, check=False)
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_written_gets_one_sentence(checkout: Path):
    (checkout / ".venv").write_text("in the way")
    done = ran(checkout)
    assert done.returncode == 1
    assert done.stderr == (
        f"Parley keeps its packages in {checkout}/.venv, which cannot be written (File exists); "
        "copy the project to a folder of your own and start it there.\n"
    )


def test_what_the_stamp_knows_is_not_installed_again(checkout: Path):
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "in $(pwd): $*"\n')
    python.chmod(0o755)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import bootstrap; v = sys.version_info[:2];"
        "bootstrap.write_stamp({'run': bootstrap.digest('requirements.lock', v)})"
    )
    subprocess.run([sys.executable, "-c", code, checkout / "scripts"], check=True, timeout=15)
    done = ran(checkout, "-m", "chat_app", "run")
    assert (done.returncode, done.stdout) == (0, f"in {checkout}: -m chat_app run\n")
