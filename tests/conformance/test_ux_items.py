"""What people expect of a chat with an agent is numbered 1 to 66, and each item is a browser test of that number."""

import re
from collections import Counter
from pathlib import Path

BROWSER = Path(__file__).parents[1] / "browser"
NAMED = re.compile(r"^async def test_ux_(\d\d)_\w+\(", re.MULTILINE)
ITEMS = frozenset(range(1, 67))
NEED_TWO_PEOPLE = frozenset({45, 47, 52, 60})
"""One person can only show half of these; the other half comes with accounts."""


def numbered() -> Counter[int]:
    sources = (path.read_text("utf-8") for path in sorted(BROWSER.glob("test_*.py")))
    return Counter(int(number) for source in sources for number in NAMED.findall(source))


def test_every_item_has_its_browser_test():
    assert sorted(ITEMS - NEED_TWO_PEOPLE - set(numbered())) == []


def test_no_test_is_numbered_beyond_the_items():
    assert sorted(set(numbered()) - ITEMS) == []
