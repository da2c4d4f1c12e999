"""What people expect of a chat with an agent is numbered 1 to 66, and each item is a browser test of that number."""

import re
from collections import Counter
from pathlib import Path

BROWSER = Path(__file__).parents[1] / "browser"
NAMED = re.compile(r"^async def test_ux_(\d\d)_\w+\(", re.MULTILINE)
ITEMS = frozenset(range(1, 67))
NEED_TWO_PEOPLE = frozenset({45, 47, 52, 60})
"""One person can only show half of these; the other half is shown among those who decide for others."""
AMONG_PEOPLE = BROWSER / "test_ux_inbox.py"


def numbered() -> Counter[int]:
    sources = (path.read_text("utf-8") for path in sorted(BROWSER.glob("test_*.py")))
    return Counter(int(number) for source in sources for number in NAMED.findall(source))


def test_every_item_has_its_browser_test():
    assert sorted(ITEMS - set(numbered())) == []


def test_what_needs_two_people_is_shown_with_two():
    shown = {int(number) for number in NAMED.findall(AMONG_PEOPLE.read_text("utf-8"))}
    assert sorted(NEED_TWO_PEOPLE - shown) == []


def test_no_test_is_numbered_beyond_the_items():
    assert sorted(set(numbered()) - ITEMS) == []
