"""The whole page builds, which is what catches a var used as a truth value, and has its landmarks."""

import json
import re
from pathlib import Path

import pytest

from chat_app import ui
from chat_app.ui.shell import shell

UI = Path(ui.__file__).parent


@pytest.fixture(scope="module")
def page():
    return json.dumps(shell().render(), ensure_ascii=False, default=str)


@pytest.mark.parametrize(
    "piece",
    [
        "Live",
        "Frame",
        "Announcer",
        "Scroller",
        "Composer",
        "aside",
        "nav",
        "main",
        "h1",
        "suggestions",
        "#composer",
    ],
)
def test_the_page_has(page, piece):
    assert piece in page


LINK = re.compile(r"rx\.el\.a\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def test_a_plain_link_leaves_the_page_to_the_browser():
    # without a target the router takes it for a page of its own, and finds none
    sources = [path.read_text("utf-8") for path in UI.rglob("*.py")]
    links = [link for source in sources for link in LINK.findall(source)]
    assert links
    assert [link for link in links if "target=" not in link] == []
