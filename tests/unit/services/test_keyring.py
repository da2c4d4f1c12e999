import pytest

from chat_app.services.keyring import Keyring
from chat_app.services.problems import HeadersLost


def test_headers_come_back_under_the_same_key_alone():
    sealed = Keyring("key").sealed({"Authorization": "Bearer secret"})
    assert sealed is not None
    assert "secret" not in sealed
    assert Keyring("key").opened(sealed) == {"Authorization": "Bearer secret"}
    with pytest.raises(HeadersLost):
        Keyring("other").opened(sealed)


def test_no_headers_are_nothing():
    assert Keyring("key").sealed({}) is None
    assert Keyring("key").opened(None) == {}
