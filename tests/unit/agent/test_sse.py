from ag_ui.core import TextMessageContentEvent

from chat_app.agent.sse import compact_json, frame


def test_a_frame_is_one_data_line_of_compact_camel_case_json():
    event = TextMessageContentEvent(message_id="m1", delta="line one\nline two")
    assert frame(event) == (
        b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"line one\\nline two"}\n\n'
    )


def test_non_ascii_stays_as_it_is():
    event = TextMessageContentEvent(message_id="m1", delta="Åsa 🚲\u2028")
    assert "Åsa 🚲\u2028".encode() in frame(event)


def test_arguments_are_written_without_spaces_and_escapes():
    assert compact_json({"a": "ü", "b": [1, None]}) == '{"a":"ü","b":[1,null]}'
