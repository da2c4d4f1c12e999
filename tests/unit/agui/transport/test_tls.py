import ast
import ssl
from pathlib import Path

from chat_app.agui import trusted
from tests.support.processes import ROOT

POOLS = {"httpx.AsyncClient", "httpx.AsyncHTTPTransport", "httpx.Client", "httpx.HTTPTransport"}


def test_certificates_are_checked_and_read_only_once():
    assert trusted() is trusted()
    assert trusted().verify_mode is ssl.CERT_REQUIRED
    assert trusted().check_hostname


def test_whoever_opens_a_pool_shares_them():
    made = [call for file in sorted((ROOT / "chat_app").rglob("*.py")) for call in pools(file)]
    assert len(made) > 5
    assert [place for place, arguments in made if not arguments & {"verify", "transport"}] == []


def pools(file: Path) -> list[tuple[str, set[str | None]]]:
    """Return where httpx's pools are made in a file, each with the names of its arguments."""
    calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    return [
        (f"{file.relative_to(ROOT)}:{call.lineno}", {one.arg for one in call.keywords})
        for call in calls
        if ast.unparse(call.func) in POOLS
    ]
