"""Bring the packages into .venv and go on there: the one step that needs nothing but Python.

`python3 scripts/bootstrap.py [--dev] [--as-python X.Y] [ARGUMENTS]` checks this Python, makes `.venv`,
installs the committed lock when it changed (`--dev`: the one with tests and checks), and runs the Python of
`.venv` with ARGUMENTS. `--as-python` says what another Python would be told.

It uses the standard library alone, and an older Python 3 must get as far as the sentence that asks for a
newer one: so there are no f-strings here, and nothing newer than the check runs before it.

pip installs, not uv: pip reads the mirror, proxy and certificates a person has configured for it, and from
warm caches it costs about ten seconds more, once per lock.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Callable, Tuple

Version = Tuple[int, int]
OLDEST = (3, 11)
TOO_NEW = (3, 15)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
STAMP = os.path.join(VENV, "parley-lock.txt")
LOG = os.path.join(VENV, "parley-install.log")
LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock"}

# What pip says, and what a person can do about it; the first that is found speaks.
PIP_TROUBLES = (
    ("No space left on device", "the disk is full"),
    ("DO NOT MATCH THE HASHES", "a package differs from the one that was locked; check the mirror pip uses"),
    ("SSLError", "the certificate of the package index was not accepted; set pip's `cert` or PIP_CERT"),
    ("name resolution", "there is no connection to the package index"),
    ("NewConnectionError", "there is no connection to the package index"),
    ("ConnectTimeout", "there is no connection to the package index"),
    ("Max retries exceeded", "there is no connection to the package index"),
    ("No matching distribution", "the package index lacks a locked version; check the mirror pip uses"),
)


class Stop(Exception):
    """A reason to stop, as one sentence for the person at the terminal."""


def version_complaint(version: "Version", which: "Callable[[str], object]" = shutil.which) -> str:
    """Say why a Python of this `version` cannot run Parley; an empty string when it can."""
    if OLDEST <= version < TOO_NEW:
        return ""
    sentence = "Parley needs Python {}.{} to {}.{}, and this is Python {}.{}".format(
        *OLDEST + (TOO_NEW[0], TOO_NEW[1] - 1) + version
    )
    for minor in range(TOO_NEW[1] - 1, OLDEST[1] - 1, -1):
        name = "python3.{}".format(minor)
        if which(name):
            return "{}; try: make run PYTHON={}".format(sentence, name)
    return "{}; install a newer one and name it: make run PYTHON=python3.{}".format(sentence, TOO_NEW[1] - 1)


def check_python(version: "Version") -> None:
    """Stop when this Python is too old, too new, or has no venv."""
    complaint = version_complaint(version)
    if complaint:
        raise Stop(complaint + ".")
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        raise Stop(
            "This Python cannot make virtual environments; on Debian or Ubuntu: "
            "apt install python3-venv (or python{}.{}-venv).".format(*version)
        )


def check_writable() -> None:
    """Stop when nothing can be written where `.venv` belongs."""
    try:
        os.makedirs(VENV, exist_ok=True)
        with tempfile.TemporaryFile(dir=VENV):
            pass
    except OSError as error:
        raise Stop(
            "Parley keeps its packages in {}, which cannot be written ({}); "
            "copy the project to a folder of your own and start it there.".format(VENV, error.strerror)
        ) from error


def digest(lock: str, version: "Version") -> str:
    """Name the state of `.venv` that this lock asks for: its content, the package's own entry, the Python."""
    content = hashlib.sha256("python{}.{}\n".format(*version).encode())
    with open(os.path.join(ROOT, lock), "rb") as file:
        content.update(file.read())
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as file:
        content.update(package_entry(file.read()).encode())
    return content.hexdigest()


def package_entry(project: str) -> str:
    """Return the tables of pyproject.toml that an installation depends on; settings of tools are not."""
    tables = ["[" + table for table in ("\n" + project).split("\n[")[1:]]
    return "\n".join(table.strip() for table in tables if table.startswith(("[project", "[build-system]")))


def read_stamp() -> "dict[str, str]":
    """Return which locks are installed: `{"run": digest, "dev": digest}`, empty when none is."""
    if not (os.path.exists(STAMP) and os.path.exists(VENV_PYTHON)):
        return {}
    with open(STAMP, encoding="ascii") as file:
        return dict(line.split() for line in file)


def write_stamp(stamp: "dict[str, str]") -> None:
    """Record which locks are installed, whole or not at all."""
    with open(STAMP + ".new", "w", encoding="ascii") as file:
        file.writelines("{} {}\n".format(*item) for item in sorted(stamp.items()))
    os.replace(STAMP + ".new", STAMP)


def trouble_in(text: str) -> str:
    """Say in a few words what went wrong in pip's output."""
    for sign, words in PIP_TROUBLES:
        if sign in text:
            return words
    lines = [line for line in text.splitlines() if line.startswith("ERROR")]
    return lines[-1][len("ERROR: ") :] if lines else "the last lines of the log say why"


def logged(*command: str) -> None:
    """Run a command with its output in the log, and stop with a sentence when it fails."""
    with open(LOG, "a+", encoding="utf-8", errors="replace") as log:
        log.write("$ {}\n".format(" ".join(command)))
        log.flush()
        start = log.tell()
        environment = dict(os.environ, PIP_USER="0", PIP_DISABLE_PIP_VERSION_CHECK="1", PYTHONUTF8="1")
        code = subprocess.call(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        log.seek(start)
        if code:
            raise Stop(
                "The packages could not be installed: {}. The full log is {}.".format(
                    trouble_in(log.read()), LOG
                )
            )


def made_for(version: "Version") -> bool:
    """Tell whether `.venv` holds a working Python of this version."""
    site = os.path.join(VENV, "lib", "python{}.{}".format(*version), "site-packages")
    return os.path.exists(VENV_PYTHON) and os.path.isdir(os.path.join(site, "pip"))


def install(kind: str, version: "Version") -> None:
    """Make `.venv` hold what the lock of this kind lists; the former content stays when it serves."""
    check_writable()
    if not made_for(version):
        print("Making .venv ...", flush=True)
        shutil.rmtree(VENV)
        os.makedirs(VENV)
        logged(sys.executable, "-m", "venv", VENV)
    print("Installing the packages of {} ...".format(LOCKS[kind]), flush=True)
    pip = (VENV_PYTHON, "-m", "pip", "install", "--progress-bar", "off")
    logged(*(pip + ("--require-hashes", "-r", LOCKS[kind])))
    logged(*(pip + ("--no-index", "--no-deps", "--no-build-isolation", "-e", ".")))


def ensure(kind: str, version: "Version") -> None:
    """Install the lock of this kind unless the stamp says that it is installed."""
    wanted = digest(LOCKS[kind], version)
    if read_stamp().get(kind) == wanted:
        return
    check_python(version)
    install(kind, version)
    # The locks agree on the packages they share, so installing one leaves what the other brought.
    write_stamp(dict(read_stamp(), **{kind: wanted, "run": digest(LOCKS["run"], version)}))


def parsed(arguments: "list[str]") -> "tuple[str, Version, list[str]]":
    """Split the arguments into the kind of lock, the Python to speak for, and the command."""
    rest = list(arguments)
    kind, version = "run", sys.version_info[:2]
    while rest and rest[0] in ("--dev", "--as-python"):
        if rest.pop(0) == "--dev":
            kind = "dev"
        elif rest:
            major, minor = rest.pop(0).split(".")
            version = (int(major), int(minor))
    return kind, version, rest


def main(arguments: "list[str]") -> "str | int":
    """Prepare `.venv`, then become the command; otherwise return what to exit with."""
    kind, version, command = parsed(arguments)
    try:
        ensure(kind, version)
    except Stop as stop:
        return str(stop)
    if command:
        os.chdir(ROOT)
        sys.stdout.flush()
        os.execv(VENV_PYTHON, [VENV_PYTHON] + command)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
