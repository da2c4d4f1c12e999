import uuid

from chat_app.data.ids import new_id


def test_an_id_is_a_uuid_of_version_seven_in_36_characters():
    made = new_id()

    assert len(made) == 36
    assert uuid.UUID(made).version == 7


def test_ids_made_later_sort_later():
    made = [new_id() for _ in range(1000)]

    assert made == sorted(made)
    assert len(set(made)) == 1000
