from pathlib import Path

import pytest

from scripts.conformance_page import CITATIONS, PAGE, page, result_of, results, worse
from tests.conformance.requirements import REQUIREMENTS

REPORT = """<testsuites><testsuite>
<testcase classname="tests.unit.test_a" name="test_one[x]"/>
<testcase classname="tests.unit.test_a" name="test_one[y]"><failure/></testcase>
<testcase classname="tests.unit.test_a" name="test_two"><skipped/></testcase>
<testcase classname="tests.unit.test_a" name="test_three"/>
</testsuite></testsuites>"""


@pytest.fixture
def went(tmp_path: Path) -> dict[str, str]:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    return results(report)


def test_a_test_went_as_its_worst_case(went: dict[str, str]):
    assert {name.rpartition("::")[2]: result for name, result in went.items()} == {
        "test_one": "failed",
        "test_two": "skipped",
        "test_three": "passed",
    }


def test_the_worse_of_two_results_counts():
    assert worse("passed", "skipped") == "skipped"
    assert worse("failed", "passed") == "failed"


def test_a_rule_whose_test_was_not_run_says_so(went: dict[str, str]):
    assert result_of(["test_a.py::test_three"], went) in {"passed", "not run"}
    assert result_of(["test_b.py::test_nowhere"], went) == "not run"


def test_the_page_has_a_line_for_every_rule_and_names_its_tests():
    lines = page({}).splitlines()
    for rule in REQUIREMENTS:
        line = next(each for each in lines if each.startswith(f"| {rule.id} |"))
        assert all(name.rpartition("::")[2] in line for name in CITATIONS.get(rule.id, ()))


def test_the_committed_page_has_the_rules_of_the_manifest():
    committed = PAGE.read_text("utf-8")
    assert [rule.id for rule in REQUIREMENTS if f"| {rule.id} | {rule.sentence} |" not in committed] == []
