import pytest

from chat_app.services.folding import Piece, folded, snippet, words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Größe  ÉTÉ", "grosse ete"), ("A\nb\t C", "a b c"), ("日本語", "日本語"), ("İstanbul", "istanbul")],
)
def test_case_and_accents_do_not_count(text, expected):
    assert folded(text) == expected


def test_a_query_is_its_words_each_once():
    assert words_of(" Été  ete  PUMP ") == ["ete", "pump"]
    assert words_of(" \n") == []
    assert words_of("a b c", most=2) == ["a", "b"]


def test_a_snippet_marks_every_word_in_its_own_spelling():
    found = snippet("The Größe of the PUMP", ["grosse", "pump"])
    assert found == [Piece("The "), Piece("Größe", hit=True), Piece(" of the "), Piece("PUMP", hit=True)]


def test_a_long_text_is_cut_around_the_first_hit():
    found = snippet("x" * 100 + " needle " + "y" * 300, ["needle"])
    assert found[0] == Piece("… ")
    assert found[-1] == Piece(" …")
    assert [piece.text for piece in found if piece.hit] == ["needle"]
    assert len("".join(piece.text for piece in found)) < 200


def test_what_is_not_in_the_text_gives_its_beginning():
    assert snippet("one two", ["three"]) == [Piece("one two")]
