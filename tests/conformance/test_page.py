"""The conformance page says what the manifest says."""

from pathlib import Path

from tests.conformance import agent_citations, citations, loop_requirements
from tests.conformance.requirements import REQUIREMENTS

CITATIONS = citations.CITATIONS | agent_citations.CITATIONS | loop_requirements.CITATIONS
PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"


def test_the_page_has_a_line_for_every_rule_with_its_tests():
    lines = {
        line.split(" | ")[0].lstrip("| "): line for line in PAGE.read_text(encoding="utf-8").splitlines()
    }
    for rule in REQUIREMENTS:
        assert rule.sentence in lines[rule.id], "run scripts/conformance_page.py"
        for name in CITATIONS.get(rule.id, ()):
            assert f"`{name.rpartition('::')[2]}`" in lines[rule.id], "run scripts/conformance_page.py"
