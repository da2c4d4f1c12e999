"""Their use is tested with the bus that stands on them: `services/bus/test_postgres.py`."""

from chat_app.data import notices


def test_the_channel_can_be_named_in_sql():
    assert notices.CHANNEL.isidentifier()
