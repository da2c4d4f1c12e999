"""The manifest and the tests hold each other to account."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.conformance import agent_citations, citations, loop_requirements
from tests.conformance.page_citations import PAGE_CITATIONS, STORAGE_CITATIONS
from tests.conformance.requirements import AGENT, CLIENT, PAGE, REQUIREMENTS, STORAGE
from tests.support.shared import load

TESTS = Path(__file__).resolve().parents[1]
COMMON = ("properties", "integration", "conformance")
FOLDERS = {
    CLIENT: ("unit/agui", *COMMON),
    AGENT: ("unit/agent", *COMMON),
    PAGE: ("browser", "unit/services", *COMMON),
    STORAGE: ("unit/services", *COMMON),
}
CITATIONS = {
    CLIENT: citations.CITATIONS,
    AGENT: agent_citations.CITATIONS | loop_requirements.CITATIONS,
    PAGE: PAGE_CITATIONS,
    STORAGE: STORAGE_CITATIONS,
}
CITED = [(layer, name) for layer, cited in CITATIONS.items() for name in cited]
BY_ID = {requirement.id: requirement for requirement in REQUIREMENTS}
EXPECTED = {
    *(f"K{number}" for number in range(1, 48)),
    "K29b",
    *(f"M{number}" for number in range(1, 27)),
    *(f"R{number}" for number in range(1, 69)),
    *(f"P{number}" for number in range(1, 114)),
    *(f"S{number}" for number in range(1, 38)),
    *(f"A{number}" for number in range(1, 47)),
}
SEEDS = (
    "session",
    "http",
    "updates",
    "verifier",
    "chunks",
    "sse",
    "subagents",
    "reducer",
    "renderer",
    "agent_loop",
)


@cache
def names_in(name, layer):
    """Return the names of the tests in the one file of the layer's tests that ends with ``name``."""
    files = (file for folder in FOLDERS[layer] for file in (TESTS / folder).rglob("*.py"))
    found = [file for file in files if file.as_posix().endswith(f"/{name}.py")]
    assert len(found) == 1, f"{name} names {len(found)} files"
    tree = ast.parse(found[0].read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_the_manifest_lists_every_requirement_once_and_in_words():
    assert len(BY_ID) == len(REQUIREMENTS)
    assert set(BY_ID) == EXPECTED
    assert all(requirement.sentence.endswith(".") for requirement in REQUIREMENTS)


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda one: one.id)
def test_what_is_owed_is_tested(requirement):
    assert CITATIONS[requirement.layer].get(requirement.id), requirement.sentence


@pytest.mark.parametrize(("layer", "cited"), CITED, ids=[name for _layer, name in CITED])
def test_what_is_cited_is_a_requirement_and_a_test(layer, cited):
    assert BY_ID[cited].layer == layer
    for name in CITATIONS[layer][cited]:
        file, _, test = name.partition("::")
        assert test in names_in(file, layer), name


@pytest.mark.parametrize("name", SEEDS)
def test_the_shared_cases_cite_requirements_of_the_manifest(name):
    found = load(f"fixtures/seeds/{name}.json")
    if found is None:
        pytest.skip("no shared fixtures; set PARLEY_SHARED")
    cited = {reference for case in found["cases"] for reference in case.get("refs", ())}
    assert {reference for reference in cited if reference[0] in "KMRPSA"} <= set(BY_ID)
