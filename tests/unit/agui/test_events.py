import pytest
from ag_ui.core import EventType

from chat_app.agui.errors import BadEvent
from chat_app.agui.events import (
    CHUNK_TYPES,
    WIRE_MODELS,
    LocalMessage,
    UserMessage,
    dump_event,
    parse_stored,
    pointer,
)
from tests.support.wire import ev


def test_every_event_type_of_the_protocol_has_its_model() -> None:
    assert set(WIRE_MODELS) == {kind.value for kind in EventType}
    assert all(model.model_fields["type"].default.value == name for name, model in WIRE_MODELS.items())
    assert set(WIRE_MODELS) > CHUNK_TYPES


def test_a_stored_event_comes_back_as_it_was() -> None:
    event = ev("STATE_DELTA", delta=[{"op": "move", "from": "/a", "path": "/b"}], subagentRunId="s")
    stored = dump_event(event)
    assert stored == {
        "type": "STATE_DELTA",
        "delta": [{"op": "move", "from": "/a", "path": "/b"}],
        "subagentRunId": "s",
    }
    assert parse_stored(stored) == event


@pytest.mark.parametrize("kind", ["TEXT_MESSAGE_CHUNK", "FUTURE_EVENT"])
def test_what_is_never_stored_is_refused(kind: str) -> None:
    with pytest.raises(BadEvent, match=kind):
        parse_stored({"type": kind})


def test_a_damaged_stored_event_names_the_place() -> None:
    with pytest.raises(BadEvent) as caught:
        parse_stored({"type": "TEXT_MESSAGE_END", "messageId": 5})
    assert caught.value.path == "/messageId"


def test_a_pointer_escapes_its_steps() -> None:
    assert pointer(("a/b", 0, "c~d")) == "/a~1b/0/c~0d"
    assert pointer(()) == ""


def test_a_local_message_is_a_value() -> None:
    message = UserMessage(id="u", content="hi")
    assert LocalMessage(message) == LocalMessage(message)
