import pytest

from chat_app.settings.text import header_lines, is_mail_address, listed_names


def test_names_are_split_at_commas():
    assert listed_names("one.two, three,") == ("one.two", "three")


def test_names_that_are_a_list_already_stay_one():
    assert listed_names(["one"]) == ["one"]


@pytest.mark.parametrize(
    "text",
    ["Authorization: Bearer a:b\n\n X-Team : blue ", '{"Authorization": "Bearer a:b", "X-Team": "blue"}'],
)
def test_headers_are_lines_or_json(text: str):
    assert header_lines(text) == {"Authorization": "Bearer a:b", "X-Team": "blue"}


def test_headers_that_are_a_table_already_stay_one():
    assert header_lines({"A": "b"}) == {"A": "b"}


@pytest.mark.parametrize("text", ["no colon", ": no name", "{broken"])
def test_what_is_no_header_is_refused(text: str):
    with pytest.raises(ValueError, match=r"lines|Expecting"):
        header_lines(text)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("ada@example.org", True),
        ("ada.l+x@mail.example.org", True),
        ("ada", False),
        ("a@b\nBcc: c@d", False),
        ("Ada <a@b.c>", False),
        ("a@b, c@d", False),
        (".a@b.c", False),
        ("a..b@c.d", False),
        ("a" * 251 + "@b.c", False),
    ],
)
def test_a_plain_mail_address(text, fits):
    assert is_mail_address(text) is fits
