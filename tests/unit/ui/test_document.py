"""What the head names is there to be served."""

import json
from pathlib import Path

from chat_app import ui
from chat_app.ui.document import STYLESHEETS, TEXT_FONT, head

ASSETS = Path(ui.__file__).parents[2] / "assets"


def test_every_style_sheet_ships():
    assert [name for name in STYLESHEETS if not (ASSETS / name).is_file()] == []


def test_the_preloaded_font_ships_with_its_licence():
    assert (ASSETS / TEXT_FONT.strip("/")).is_file()
    assert len(list((ASSETS / "fonts").glob("OFL-*.txt"))) == len(list((ASSETS / "fonts").glob("*.woff2")))


def test_the_head_names_the_sign():
    assert any("/favicon.svg" in json.dumps(each.render(), default=str) for each in head())
    assert (ASSETS / "favicon.svg").is_file()


def test_style_sheets_name_no_file_that_is_missing_and_no_other_host():
    for name in STYLESHEETS:
        text = (ASSETS / name).read_text("utf-8")
        assert "http" not in text.replace("http://www.w3.org", "")
        for part in text.split('url("')[1:]:
            assert (ASSETS / part.split('"')[0].strip("/")).is_file()
