import json
from pathlib import Path

import pytest

from scripts import coverage_gate


@pytest.fixture
def report(tmp_path: Path):
    def write(**percents: float) -> Path:
        files = {
            name.replace("__", "/") + ".py": {"summary": {"percent_covered": percent}, "missing_lines": [7]}
            for name, percent in percents.items()
        }
        (tmp_path / "coverage.json").write_text(json.dumps({"files": files}))
        return tmp_path / "coverage.json"

    return write


def test_a_file_nobody_named_must_be_covered_whole(report):
    short = coverage_gate.shortfalls(report(chat_app__agui__sse=99.9, chat_app__new=100.0))
    assert short == ["chat_app/agui/sse.py: 99.9 % covered, 100 % asked; lines [7]"]


def test_the_longest_prefix_rules(report):
    assert coverage_gate.shortfalls(report(chat_app__state__chat=95.0)) == []
    assert len(coverage_gate.shortfalls(report(chat_app__state__chat=94.9))) == 1


def test_the_exit_code_says_whether_the_gate_holds(report, capsys):
    assert coverage_gate.main(report(chat_app__x=100.0)) == 0
    assert coverage_gate.main(report(chat_app__x=1.0)) == 1
    assert "chat_app/x.py: 1.0 % covered" in capsys.readouterr().out
