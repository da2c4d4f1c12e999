"""The documents say what is so: settings, commands, links and figures are compared with the code and the tree."""

import re
from pathlib import Path

import pytest

from chat_app.settings import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMANDS = ("make", ".venv/bin/", "PARLEY_")

# Every command the README tells people to type, and the test that runs it.
RUN_BY = {
    ".venv/bin/parley audit verify": "tests/unit/cli/test_auditing.py",
    ".venv/bin/parley audit export FILE --form csv": "tests/unit/cli/test_auditing.py",
    "make run": "tests/integration/test_startup.py",
    "make run PORT=3001": "tests/integration/test_startup.py",
    "make test": ".ci/run",
    "make bench": "tests/integration/test_commands.py",
    ".venv/bin/pip install 'pydantic-ai-slim[ag-ui]' uvicorn": "tests/integration/test_commands.py",
    ".venv/bin/python examples/pydantic_ai_agent.py --port 8001": "tests/integration/test_commands.py",
    "PARLEY_AGENT_URL=http://127.0.0.1:8001/agent make run": "tests/integration/test_commands.py",
    ".venv/bin/pip install '.[models,mcp]'": "tests/integration/test_commands.py",
    "PARLEY_MODEL=openai:gpt-5 PARLEY_MODEL_KEY=… make run": "tests/integration/test_commands.py",
    ".venv/bin/parley run": "tests/integration/test_commands.py",
    ".venv/bin/parley doctor": "tests/integration/test_commands.py",
    ".venv/bin/parley config": "tests/integration/test_commands.py",
    ".venv/bin/parley db upgrade": "tests/integration/test_commands.py",
    ".venv/bin/parley db verify": "tests/unit/cli/test_upkeep.py",
    ".venv/bin/parley db backup FILE": "tests/integration/test_commands.py",
    ".venv/bin/parley db copy URL": "tests/unit/cli/test_upkeep.py",
    ".venv/bin/parley export CHAT FILE --as events": "tests/unit/cli/test_commands.py",
    ".venv/bin/parley replay FILE": "tests/unit/cli/test_commands.py",
    ".venv/bin/parley user list": "tests/unit/cli/test_people.py",
    ".venv/bin/parley user invite NAME --role user": "tests/unit/cli/test_people.py",
    ".venv/bin/parley user add NAME --role admin": "tests/unit/cli/test_people.py",
    ".venv/bin/parley user reset NAME": "tests/unit/cli/test_people.py",
    ".venv/bin/parley user roles NAME --role user": "tests/unit/cli/test_people.py",
    ".venv/bin/parley user disable NAME": "tests/unit/cli/test_people.py",
    ".venv/bin/parley user enable NAME": "tests/unit/cli/test_people.py",
    ".venv/bin/parley user export NAME FILE": "tests/unit/cli/test_upkeep.py",
    ".venv/bin/parley user erase NAME --yes": "tests/unit/cli/test_upkeep.py",
}


def commands_of(document: str) -> set[str]:
    """Return what a document tells people to type: lines of unlabelled fences, and commands in running text."""
    fenced = {
        line for block in FENCE.findall(document) for line in block.splitlines() if line.startswith(COMMANDS)
    }
    inline = set(re.findall(r"`((?:make |\.venv/bin/parley |sqlite3 )[^`]*)`", document))
    return fenced | inline


def test_every_command_of_the_readme_is_run_by_a_test():
    assert commands_of(README) == set(RUN_BY)


def test_the_tests_that_run_them_are_there():
    assert [place for place in RUN_BY.values() if not (ROOT / place).is_file()] == []


def test_the_readme_lists_every_setting_as_the_code_has_it():
    listed = dict(re.findall(r"^\| `PARLEY_(\w+)` \|[^|]*\| (.*) \|$", README, re.MULTILINE))
    described = {
        name.upper(): (field.description or "").replace("|", "\\|")
        for name, field in Settings.model_fields.items()
    }
    assert listed == described


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path):
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_decisions_have_numbers_of_their_own_and_are_one_page_long():
    pages = sorted((ROOT / "docs/decisions").glob("*.md"))
    assert len({int(page.name[:4]) for page in pages}) == len(pages)
    assert [page.name for page in pages if len(page.read_text("utf-8").splitlines()) > 60] == []


def test_no_lock_file_names_a_place():
    locks = [
        *(path for path in ROOT.glob("*.lock") if path.is_file()),
        *(ROOT / "reflex.lock").iterdir(),
        ROOT / "bunfig.toml",
        ROOT / ".npmrc",
    ]
    assert len(locks) >= 5
    named = {lock.name: re.findall(r"https?://[^\s\"']+", lock.read_text("utf-8")) for lock in locks}
    assert {name for name, places in named.items() if places} == set()


def test_make_test_runs_every_folder_of_tests():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    lists = re.findall(r"^(?:FAST|WIDE|HARD)_TESTS = (.*)$", makefile, re.MULTILINE)
    folders = {
        f"tests/{file.relative_to(ROOT / 'tests').parts[0]}" for file in ROOT.glob("tests/**/test_*.py")
    }
    assert {*" ".join(lists).split(), "tests/browser"} == folders
