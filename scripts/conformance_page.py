"""Writes docs/conformance.md: each rule of the client and the agent, the tests that prove it, and how they went.

.venv/bin/pytest tests/unit tests/properties tests/integration tests/conformance tests/browser --junitxml=report.xml
.venv/bin/python scripts/conformance_page.py report.xml

Reports of several runs may be named, one after the other.
"""

import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.conformance import agent_citations, citations, loop_requirements  # noqa: E402 - found only with the root on the path
from tests.conformance.page_citations import PAGE_CITATIONS, STORAGE_CITATIONS  # noqa: E402
from tests.conformance.requirements import REQUIREMENTS, Requirement  # noqa: E402

PAGE = ROOT / "docs" / "conformance.md"
CITATIONS = (
    citations.CITATIONS
    | agent_citations.CITATIONS
    | loop_requirements.CITATIONS
    | PAGE_CITATIONS
    | STORAGE_CITATIONS
)
HEAD = """# AG-UI conformance

What a client of AG-UI 1.0 must do, its page and storage included, and what the embedded agent owes (S, A), rule by
rule, and the tests that prove it. Written by `scripts/conformance_page.py` from the manifest in
`tests/conformance`; do not edit it by hand.

"""


def results(*reports: Path) -> dict[str, str]:
    """Return how each test function went, by ``file::test``: the worst of its cases."""
    found: dict[str, str] = {}
    for case in (one for report in reports for one in ET.parse(report).iter("testcase")):  # noqa: S314 - our own
        file = case.get("classname", "").replace(".", "/")
        name = f"{file}::{case.get('name', '').partition('[')[0]}"
        found[name] = worse(found.get(name, "passed"), outcome(case))
    return found


def outcome(case: ET.Element) -> str:
    """Return how one case went."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"


def worse(one: str, other: str) -> str:
    """Return the worse of two results."""
    order = ("failed", "skipped", "passed")
    return min(one, other, key=order.index)


def result_of(names: Iterable[str], went: Mapping[str, str]) -> str:
    """Return how the cited tests went together, ``not run`` when the report misses one."""
    total = "passed"
    for name in names:
        file, _, test = name.partition("::")
        found = [result for key, result in went.items() if key.endswith(f"/{file}::{test}")]
        if not found:
            return "not run"
        total = worse(total, found[0])
    return total


def row(rule: Requirement, went: Mapping[str, str]) -> str:
    """Return one line of the table."""
    names = CITATIONS.get(rule.id, ())
    tests = "<br>".join(f"`{name.rpartition('::')[2]}`" for name in names)
    return f"| {rule.id} | {rule.sentence} | {rule.source} | {tests} | {result_of(names, went)} |"


def page(went: Mapping[str, str]) -> str:
    """Return the whole page."""
    table = ["| rule | what it says | from | tests | result |", "|---|---|---|---|---|"]
    return HEAD + "\n".join([*table, *(row(rule, went) for rule in REQUIREMENTS)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(results(*map(Path, sys.argv[1:]))), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
