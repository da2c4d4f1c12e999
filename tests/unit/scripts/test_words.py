import io
import json

import pytest
from babel.messages import pofile

from chat_app.ui.words import BROWSER, WORDS, Plural, gaps
from chat_app.ui.words.catalogs import ENGLISH, LANGUAGES, LOCALES
from scripts import words

CODES = [language.code for language in LANGUAGES if language is not ENGLISH]
EVERY = {**WORDS, **{f"{words.BROWSER}{name}": each for name, each in BROWSER.items()}}


def test_the_template_has_every_word_under_its_name():
    assert {message.context for message in words.template() if message.id} == set(EVERY)


@pytest.mark.parametrize("code", CODES)
def test_a_new_catalog_lacks_every_word_and_compiles_to_nothing(code):
    catalog = words.updated(code, b"")
    assert set(words.missing(catalog)) == set(EVERY)
    assert json.loads(words.compiled(code, catalog)) == {}


@pytest.mark.parametrize("code", CODES)
def test_a_plural_is_compiled_by_category(code):
    catalog = words.updated(code, b"")
    message = next(each for each in catalog if each.context == "ask.covers")
    message.string = tuple(words.FORMS[code])
    told = json.loads(words.compiled(code, catalog))
    assert told["ask.covers"] == {form: form for form in words.FORMS[code]}


@pytest.mark.parametrize("code", CODES)
def test_what_is_written_reads_the_same(code):
    before = (LOCALES / f"{code}.po").read_bytes()
    assert words.written(words.updated(code, before)) == before


def test_a_fuzzy_translation_is_not_used():
    catalog = words.updated("de", b"")
    message = next(each for each in catalog if each.context == "box.send")
    message.string = "Senden"
    message.flags.add("fuzzy")
    assert "box.send" in words.missing(catalog)


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_as_many_forms_as_its_catalog(code):
    catalog = pofile.read_po(io.BytesIO((LOCALES / f"{code}.po").read_bytes()), locale=code)
    assert catalog.num_plurals == len(words.FORMS[code])


@pytest.mark.parametrize("code", CODES)
def test_every_word_is_translated_and_compiled(code):
    told = json.loads((LOCALES / f"{code}.json").read_text("utf-8"))
    assert sorted(set(EVERY) ^ set(told)) == []


@pytest.mark.parametrize("code", CODES)
def test_a_translation_has_the_gaps_of_its_words(code):
    told = json.loads((LOCALES / f"{code}.json").read_text("utf-8"))
    assert [name for name, each in told.items() if _gaps(each) != gaps(EVERY[name])] == []


def _gaps(told):
    return gaps(told) if isinstance(told, str) else gaps(Plural(" ".join(told.values()), ""))


def test_the_files_are_up_to_date(capsys):
    assert words.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_that_would_change_is_named_and_left_as_it_is(tmp_path, capsys):
    path = tmp_path / "de.json"
    path.write_bytes(b"old")
    assert words._store(path, b"new", check=True) == 1
    assert path.read_bytes() == b"old"
    assert "make words" in capsys.readouterr().out
    assert words._store(path, b"new", check=False) == 0
    assert path.read_bytes() == b"new"


def test_missing_words_are_named(capsys):
    assert words._report("de", ["box.send"]) == 1
    assert "box.send" in capsys.readouterr().out
