import pytest

from chat_app.agui.errors import BadEvent
from chat_app.agui.stored import parse_message


def parsed(*parts):
    found = []
    message = parse_message({"id": "u", "role": "user", "content": list(parts)}, found.append)
    return [part.type for part in message.content], [diagnostic.code for diagnostic in found]


def test_todays_messages_are_read_as_they_are():
    assert parse_message({"id": "a", "role": "assistant", "content": "hi"}).content == "hi"
    assert parsed({"type": "text", "text": "x"}) == (["text"], [])


def test_retired_parts_are_upgraded():
    data = {"type": "binary", "mimeType": "application/pdf", "data": "QQ=="}
    assert parsed(data, {"type": "text", "text": "x"}) == (["document", "text"], [])


def test_a_part_that_names_nothing_is_lost_and_said():
    assert parsed({"type": "binary", "mimeType": "image/png", "id": "file-1"}) == ([], ["binary-part"])


@pytest.mark.parametrize(
    "stored",
    [{"id": "u", "role": "user", "content": 5}, {"id": "u", "role": "user", "content": [5]}, {"role": "x"}],
)
def test_what_is_no_message_is_refused(stored):
    with pytest.raises(BadEvent, match="message"):
        parse_message(stored)
