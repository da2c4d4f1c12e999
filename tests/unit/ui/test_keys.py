import json

from chat_app.ui.js import FILES
from chat_app.ui.keys import KEYS, help_dialog, listener
from chat_app.ui.words import WORDS
from tests.unit.ui.browser.test_init import source


def test_no_letter_does_two_things():
    letters = [key.letter for key in KEYS if key.letter]
    assert len(letters) == len(set(letters))


def test_every_key_has_its_words():
    assert [key.act for key in KEYS if f"key.{key.act}" not in WORDS] == []


def test_everything_that_is_listened_for_can_be_done():
    assert "keys" in FILES
    known = source("keys")
    acts = [key.act for key in KEYS if key.letter and key.act != "new"]
    assert [act for act in acts if f" {act}:" not in known] == []


def test_the_help_and_the_listener_are_drawn_from_the_table():
    drawn = json.dumps(help_dialog().render(), ensure_ascii=False)
    assert [key.act for key in KEYS if f"key.{key.act}" not in drawn] == []
    assert [
        key.letter for key in KEYS if key.letter and f'"{key.letter}"' not in str(listener().letters)
    ] == []
