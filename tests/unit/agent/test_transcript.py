import pytest

from chat_app.agent.transcript import (
    AssistantEntry,
    Attachment,
    SystemEntry,
    ToolCall,
    ToolEntry,
    UserEntry,
    call_ids,
    calls_of,
    dump_entries,
    load_entries,
    open_calls,
)

ONE, TWO = ToolCall("c1", "x"), ToolCall("c2", "y", '{"a": 1}')
ENTRIES = [
    SystemEntry("Be brief."),
    UserEntry("Hi", (Attachment("image/png", data="AAAA"),)),
    AssistantEntry("On it.", "hm", (ONE, TWO), {"signature": [1]}),
    ToolEntry("c2", "y", "boom", is_error=True),
]


def test_entries_survive_being_dumped():
    assert load_entries(dump_entries(ENTRIES)) == ENTRIES


@pytest.mark.parametrize("value", [{}, {"role": 1}, {"role": "critic"}, {"role": "user"}])
def test_what_is_no_entry_is_refused(value):
    with pytest.raises(ValueError):  # noqa: PT011 - ours and pydantic's alike
        load_entries([value])


def test_calls_are_open_until_something_answers_them():
    assert calls_of(ENTRIES) == [ONE, TWO]
    assert call_ids(ENTRIES) == {"c1", "c2"}
    assert open_calls(ENTRIES) == [ONE]
