"""What every test run shares: time limits, how hard hypothesis tries, which skips there were, an empty environment.

`PARLEY_SHARED` names the folder of protocol material that some tests read; `PARLEY_CI=1` makes a skip a failure.
"""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

from chat_app.settings.load import OF_THE_CHECKOUT
from tests.support.shared import SHARED

IN_CI = bool(os.environ.get("PARLEY_CI"))
SLOW_MARKERS = ("browser", "live", "faults")
SLOW_LIMIT_S = 120
NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
NIGHTLY_LIMIT_S = 320  # below faulthandler's

hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis.settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("nightly", max_examples=5000, deadline=None, print_blob=True)


def pytest_configure(config: pytest.Config) -> None:
    profile = os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if IN_CI else "dev")
    hypothesis.settings.load_profile(profile)
    forget_this_machines_settings()


def forget_this_machines_settings() -> None:
    """Take what the person configured for their own Parley out of the way of the tests."""
    for name in [name for name in os.environ if name.startswith("PARLEY_")]:
        if name not in OF_THE_CHECKOUT:
            del os.environ[name]
    os.environ["PARLEY_CONFIG"] = os.devnull


@pytest.hookimpl(trylast=True)  # after the folders that mark all their tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        slow = any(item.get_closest_marker(name) for name in SLOW_MARKERS)
        if NIGHTLY:  # a property tries a hundred times as hard
            item.add_marker(pytest.mark.timeout(NIGHTLY_LIMIT_S))
        elif slow and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SLOW_LIMIT_S))


def skips(config: pytest.Config) -> list[str]:
    """Return a line for each test that was skipped: where and why."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    return [f"{report.nodeid}: {reason(report.longrepr)}" for report in reports]


def reason(longrepr: object) -> str:
    """Return why a test was skipped; pytest keeps (file, line, "Skipped: why")."""
    text = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
    return text.removeprefix("Skipped: ")


def inexcusable(lines: list[str]) -> list[str]:
    """Return the skips that a machine of ours must not have; a checkout without the shared material is complete."""
    return lines if SHARED.is_dir() else [line for line in lines if "PARLEY_SHARED" not in line]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if IN_CI and exitstatus == pytest.ExitCode.OK and inexcusable(skips(session.config)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not (lines := skips(config)):
        return
    fails = IN_CI and inexcusable(lines)
    title = "skipped, which fails this run" if fails else "skipped on this machine"
    terminalreporter.section(title, sep="-")
    for line in lines:
        terminalreporter.line(line)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of protocol material; a test that needs it skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the protocol material in {SHARED}; name another folder in PARLEY_SHARED")
    return SHARED


@pytest.fixture
def free_port() -> Callable[[], int]:
    """Return a port that nothing listens on, another one at each call."""

    def find() -> int:
        with socket.create_server(("127.0.0.1", 0)) as server:
            return server.getsockname()[1]

    return find
