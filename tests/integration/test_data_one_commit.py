"""The transaction rule: one use case, one transaction, and one place in the product that commits."""

import ast
from pathlib import Path

from chat_app.data import migrate

PRODUCT = migrate.FOLDER.parent
COMMITTING = {"commit", "autocommit"}


def sources() -> list[Path]:
    found = [*(PRODUCT / "chat_app").rglob("*.py"), *migrate.FOLDER.rglob("*.py")]
    return [path for path in found if "__pycache__" not in path.parts]


def commits(path: Path) -> list[int]:
    """Return the lines of a file that name a commit of anything, called or handed on."""
    tree = ast.parse(path.read_text())
    return [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in COMMITTING
    ]


def test_only_the_database_commits():
    found = {str(path.relative_to(PRODUCT)) for path in sources() if commits(path)}

    # engines.py sets a driver's autocommit while it tunes a new connection, before there is a transaction
    assert found == {"chat_app/data/db.py", "chat_app/data/engines.py"}


def test_there_is_one_commit():
    assert len(commits(PRODUCT / "chat_app/data/db.py")) == 1


def test_repositories_take_a_session_and_never_make_one():
    makers = {"Session", "sessionmaker", "Database", "create_engine"}
    folder = PRODUCT / "chat_app/data"
    for path in set(folder.glob("*.py")) - {folder / name for name in ("db.py", "engines.py", "migrate.py")}:
        called = {node.func.id for node in ast.walk(ast.parse(path.read_text())) if is_call_of_a_name(node)}
        assert not called & makers, path


def is_call_of_a_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
