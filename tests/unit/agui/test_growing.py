from chat_app.agui.growing import GrowingText


def test_fragments_are_joined_when_read() -> None:
    text = GrowingText(text="a")
    text.add("b")
    text.add("")
    assert text.pieces == ["a", "b", ""]
    assert text.read() == "ab"
    text.add("c")
    assert text.read() == "abc"


def test_an_absent_text_is_present_after_an_empty_fragment() -> None:
    text = GrowingText()
    assert text.read() is None
    text.add("")
    assert text.read() == ""


def test_another_text_replaces_what_was_there() -> None:
    text = GrowingText()
    text.add("old")
    text.become("new")
    assert text.read() == "new"
