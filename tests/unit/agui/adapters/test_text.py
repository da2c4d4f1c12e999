from chat_app.agui.adapters.text import decoded, json_object, object_at, text_at


def test_text_is_read_as_json_when_it_is_some():
    assert decoded('{"a": 1}') == {"a": 1}
    assert decoded("plain") == "plain"
    assert decoded("[" * 100_000) == "[" * 100_000
    assert decoded(5) == 5


def test_what_is_no_object_is_an_empty_one():
    assert json_object('{"a": 1}') == {"a": 1}
    assert json_object("[1]") == {}
    assert object_at({"a": {"b": 1}}, "a") == {"b": 1}
    assert object_at({"a": 1}, "a") == object_at([], "a") == {}


def test_what_is_no_text_is_empty():
    assert text_at({"a": "x"}, "a") == "x"
    assert text_at({"a": 1}, "a") == text_at(None, "a") == ""
