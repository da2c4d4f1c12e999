"""Icons are in the sprite that ships, and an icon button has a name."""

import json
import re
from pathlib import Path

from chat_app import ui
from chat_app.ui.parts.base import SPRITE, icon_button

ROOT = Path(ui.__file__).parents[2]
SYMBOLS = set(re.findall(r'<symbol id="([\w-]+)"', (ROOT / "assets" / SPRITE.strip("/")).read_text("utf-8")))
NAMED = re.compile(r"""(?:icon|icon_button)\(\s*["']([a-z0-9-]+)["']""")


def test_every_icon_named_in_a_view_is_in_the_sprite():
    sources = [path.read_text("utf-8") for path in Path(ui.__file__).parent.rglob("*.py")]
    assert {name for source in sources for name in NAMED.findall(source)} <= SYMBOLS


def test_an_icon_button_has_a_name_and_a_tooltip():
    drawn = json.dumps(icon_button("x", "Dismiss").render(), default=str)
    assert drawn.count("Dismiss") == 2
