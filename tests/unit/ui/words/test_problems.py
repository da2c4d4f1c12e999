"""Whatever a service says went wrong, it is said in every language of the page."""

import pytest
import reflex as rx

from chat_app.services.problems import AWAY, GONE, UNKNOWN, kinds
from chat_app.ui.words import WORDS, Plural, gaps, said
from chat_app.ui.words.catalogs import ENGLISH, LANGUAGES, catalog

TOLD = (AWAY, GONE, UNKNOWN, *(kind.problem for kind in kinds()))
SENTENCES = [
    *(text for problem in TOLD for text in (problem.title, problem.detail) if text),
    *(detail for kind in kinds() for detail in kind.details),
]
OTHERS = [language for language in LANGUAGES if language is not ENGLISH]


@pytest.mark.parametrize("language", OTHERS, ids=lambda one: one.code)
@pytest.mark.parametrize("sentence", sorted(set(SENTENCES)))
def test_every_sentence_of_every_problem_is_said_in_every_language(language, sentence):
    told = catalog(language)[f"said.{sentence}"]
    forms = [told] if isinstance(told, str) else [told[form] for form in sorted(told)]
    assert all(forms)
    allowed = gaps(sentence)
    assert all(gaps(form) <= allowed for form in forms)
    assert gaps(forms[-1]) >= allowed - {"count"}


def test_a_sentence_that_counts_has_a_form_for_each_number():
    counted = [words for name, words in WORDS.items() if name.startswith("said.") and "{count}" in name]
    assert counted
    assert all(isinstance(words, Plural) for words in counted)


def test_a_sentence_takes_the_values_for_its_gaps():
    values = rx.Var("values", _var_type=dict)
    assert str(said(rx.Var("detail", _var_type=str).to(str), values)) == "(said(detail, values))"
