"""One catalog: every word asked for is there, and every gap is filled."""

import re
from pathlib import Path

import pytest
import reflex as rx

from chat_app.ui import words
from chat_app.ui.words import AREAS, BROWSER, WORDS, Plural, match, said, t

UI = Path(words.__file__).parents[1]
ASKED = re.compile(r"""\bt\(\s*["']([\w.]+)["']""")
FAMILY = re.compile(r"""\bt\(f["']([\w.]*)\{""")
SPOKEN = re.compile(r"""(?<!spoken\.)\bwords\.(?!jsx?\b)(\w+)|\bphrase\("(\w+)\"""")


def sources(pattern: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(UI.rglob(pattern)))


def texts() -> list[str]:
    every = [*WORDS.values(), *BROWSER.values()]
    forms = [[words.one, words.other] if isinstance(words, Plural) else [words] for words in every]
    return [text for form in forms for text in form]


def test_words_without_gaps_come_back_as_they_are():
    assert str(t("box.send")) == '(say("box.send", "Send"))'


def test_a_gap_takes_a_var():
    name = rx.Var("who", _var_type=str)
    assert str(t("box.label", agent=name.to(str))).endswith('({ ["agent"] : who })))')


def test_a_gap_called_name_is_not_taken_for_the_words():
    assert "Mira" in str(t("ask.by", name="Mira"))


def test_a_gap_without_its_value_is_an_error_at_build_time():
    with pytest.raises(KeyError):
        t("box.label")


def test_a_plural_has_a_form_for_one_and_a_form_for_the_rest():
    shown = str(t("ask.covers", count=rx.Var("n", _var_type=int).to(int)))
    assert "this value" in shown
    assert "values" in shown


def test_no_word_is_in_two_tables():
    assert sum(len(area.WORDS) for area in AREAS) == len(WORDS)
    assert sum(len(area.BROWSER) for area in AREAS) == len(BROWSER)


def test_unknown_words_are_an_error_at_build_time():
    with pytest.raises(KeyError):
        t("no.such.words")


def test_a_code_without_words_gets_the_default():
    code = rx.Var("code", _var_type=str).to(str)
    worded = str(match(code, "mark", ("running",), "app"))
    assert '"running"' in worded
    assert '"Parley"' in worded


def test_every_word_the_views_ask_for_is_in_the_catalog():
    assert set(ASKED.findall(sources("*.py"))) <= set(WORDS)


def test_every_word_the_browser_asks_for_is_handed_to_it():
    asked = {word or phrase for word, phrase in SPOKEN.findall(sources("*.jsx"))}
    assert asked == set(BROWSER)


def test_no_word_shouts_or_begs():
    assert [text for text in texts() if re.search(r"!|\b(please|oops|AI)\b", text, re.IGNORECASE)] == []


def test_a_sentence_of_a_service_is_looked_up_by_its_own_words():
    assert "said.The server is busy" in WORDS
    assert str(said(rx.Var("title", _var_type=str).to(str))) == "(said(title))"
