import json
import logging

import pytest
import structlog

from chat_app.cli import logs
from chat_app.settings import Settings


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]):
    """What was logged since; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    levels = {name: logging.getLogger(name).level for name in logs.QUIET}
    yield lambda: capsys.readouterr().err
    root.handlers = handlers
    root.setLevel(level)
    for name, former in levels.items():
        logging.getLogger(name).setLevel(former)
    structlog.reset_defaults()


def test_our_lines_and_a_librarys_look_alike(written):
    logs.configure(Settings(log_format="json"))
    structlog.get_logger("parley").info("run_started", thread="t1")
    logging.getLogger("library").warning("slow %s", "disk")
    ours, theirs = map(json.loads, written().splitlines())
    assert (ours["event"], ours["thread"], ours["level"], ours["logger"]) == (
        "run_started",
        "t1",
        "info",
        "parley",
    )
    assert (theirs["event"], theirs["level"], theirs["logger"]) == ("slow disk", "warning", "library")


def test_what_is_below_the_level_is_not_written(written):
    logs.configure(Settings(log_level="error", log_format="json"))
    structlog.get_logger("parley").warning("no")
    logging.getLogger("library").warning("no")
    assert written() == ""


def test_libraries_that_speak_at_every_step_are_quiet(written):
    logs.configure(Settings(log_level="debug"))
    logging.getLogger("httpx").info("HTTP Request: GET …")
    assert written() == ""


def test_context_travels_with_the_line(written):
    logs.configure(Settings(log_format="json"))
    with structlog.contextvars.bound_contextvars(run="r1"):
        structlog.get_logger("parley").info("x")
    assert json.loads(written())["run"] == "r1"


@pytest.mark.parametrize("form", ["console", "json"])
def test_a_traceback_is_part_of_the_line_and_is_cut_too(written, form: str):
    logs.configure(Settings(log_format=form))
    try:
        int("{'cookie': 'parley=s3cret'}")
    except ValueError:
        structlog.get_logger("parley").exception("broken")
    line = written()
    assert "ValueError" in line
    assert "s3cret" not in line


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        ("Cookie: parley=s3cret; a=b", "Cookie: [cut]"),
        ("{'cookie': 'parley=s3cret', 'host': 'x'}", "{'cookie': [cut], 'host': 'x'}"),
        ('{"Authorization": "Bearer s3cret", "a": 1}', '{"Authorization": [cut], "a": 1}'),
        ("(b'cookie', b's3cret'), (b'host', b'x')", "(b'cookie', b[cut]), (b'host', b'x')"),
        ("authorization=Bearer s3cret\nnext", "authorization=[cut]\nnext"),
        ("the cookie jar, mind you, is empty", "the cookie jar, mind you, is empty"),
        ("a cookie, please", "a cookie, please"),
    ],
)
def test_secrets_are_cut_from_text(line: str, cut: str):
    assert logs.redacted(line) == cut


def test_secrets_are_cut_from_values():
    value = {"headers": [{"Cookie": "s3cret", "Host": "x"}], "sizes": (1, "set-cookie: s3cret")}
    assert logs.redacted(value) == {
        "headers": [{"Cookie": "[cut]", "Host": "x"}],
        "sizes": [1, "set-cookie: [cut]"],
    }


def test_a_secret_as_a_field_is_cut(written):
    logs.configure(Settings(log_format="json"))
    structlog.get_logger("parley").info("x", authorization="s3cret")
    assert json.loads(written())["authorization"] == "[cut]"
