"""The whole page builds, which is what catches a var used as a truth value, and has its landmarks."""

import json

import pytest

from chat_app.ui.shell import shell


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
