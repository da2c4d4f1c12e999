"""`tests/unit` mirrors `chat_app` and `scripts` file for file, so that a reader always knows where to look."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "tests" / "unit"

# What has no unit test of its own, and who judges it instead.
JUDGED_ELSEWHERE = {
    "chat_app/ui/": "drawn by the build, walked through in a browser",
    "chat_app/pages/": "drawn by the build, walked through in a browser",
    "chat_app/chat_app.py": "the composition root of the page; every start and browser test runs it",
}
CODE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def test_every_file_with_code_has_a_test_of_its_name():
    missing = [
        f"{source} -> {mirror(source)}" for source in sources() if not (ROOT / mirror(source)).exists()
    ]
    assert missing == []


def test_every_test_has_the_file_it_is_named_for():
    mirrored = {mirror(path.relative_to(ROOT).as_posix()) for path in python_files()}
    tests = [path.relative_to(ROOT).as_posix() for path in sorted(UNIT.rglob("test_*.py"))]
    assert [test for test in tests if test not in mirrored | {"tests/unit/test_mirror.py"}] == []


def test_every_exception_is_needed():
    files = [path.relative_to(ROOT).as_posix() for path in python_files() if has_code(path)]
    assert [rule for rule in JUDGED_ELSEWHERE if not any(file.startswith(rule) for file in files)] == []


def python_files() -> Iterator[Path]:
    for folder in ("chat_app", "scripts"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def sources() -> list[str]:
    files = [path.relative_to(ROOT).as_posix() for path in python_files() if has_code(path)]
    return [file for file in files if not any(file.startswith(rule) for rule in JUDGED_ELSEWHERE)]


def has_code(path: Path) -> bool:
    """A file of imports, names and tables alone is covered by those who use it."""
    return any(isinstance(node, CODE) for node in ast.parse(path.read_text("utf-8")).body)


def mirror(source: str) -> str:
    """chat_app/a/b.py -> tests/unit/a/test_b.py; scripts/b.py -> tests/unit/scripts/test_b.py."""
    path = Path(source)
    folder = Path(*path.parts[1:-1]) if path.parts[0] == "chat_app" else path.parent
    name = "init" if path.stem == "__init__" else path.stem
    return Path("tests", "unit", folder, f"test_{name}.py").as_posix()
