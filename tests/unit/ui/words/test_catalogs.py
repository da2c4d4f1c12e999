import json
from typing import get_args

import pytest

from chat_app.settings import Settings
from chat_app.ui.words.catalogs import ENGLISH, LANGUAGES, catalog, scripts


def test_an_installation_can_be_set_to_every_language():
    choices = get_args(Settings.model_fields["language"].annotation)
    assert set(choices) == {"", *(language.code for language in LANGUAGES)}


def test_english_needs_no_catalog():
    assert catalog(ENGLISH) == {}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.code)
def test_the_script_tells_a_language_before_the_first_paint(language):
    script = scripts()[language.code].decode()
    told = script.split("const told = ")[1].split(", page = ")[0]
    assert json.loads(told) == {
        "lang": language.code,
        "dir": language.direction,
        "words": catalog(language),
    }
    assert 'page.dataset.words = "coming"' in script
