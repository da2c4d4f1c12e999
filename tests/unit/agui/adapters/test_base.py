import pytest

from chat_app.agui.adapters.base import Delivery, asking_call, delivery_of, metadata_of, noted
from chat_app.agui.events import Interrupt


def question(metadata=None):
    return Interrupt(id="i", reason="x", metadata=metadata)


def test_without_a_note_an_answer_travels_as_a_resume_entry():
    assert delivery_of(question()) is Delivery.RESUME
    assert delivery_of(question({"agui.client": "odd"})) is Delivery.RESUME


@pytest.mark.parametrize("way", list(Delivery))
def test_a_note_survives_in_the_metadata(way):
    assert delivery_of(question(noted(way))) is way
    assert asking_call(question(noted(way, call_id="c"))) == "c"


def test_metadata_is_read_along_a_path():
    asked = question({"a": {"b": 1}})
    assert metadata_of(asked, "a", "b") == 1
    assert metadata_of(asked, "a", "b", "c") is None
    assert metadata_of(question(), "a") is None
